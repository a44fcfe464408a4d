#include "core/dialects/sharding/ReadCollective.h"
#include "core/dialects/sharding/OpWords.h"
#include "core/dialects/sharding/ShardDialect.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fuselage {

namespace {

bool isHloNamespace(StringRef name) { return name == "stablehlo" || name == "mhlo"; }

std::optional<CollectiveKind> hloKind(StringRef name) {
  return llvm::StringSwitch<std::optional<CollectiveKind>>(name)
      .Case("all_reduce", CollectiveKind::AllReduce)
      .Case("all_gather", CollectiveKind::AllGather)
      .Case("reduce_scatter", CollectiveKind::ReduceScatter)
      .Case("all_to_all", CollectiveKind::AllToAll)
      .Case("collective_permute", CollectiveKind::Permute)
      .Case("collective_broadcast", CollectiveKind::Broadcast)
      .Default(std::nullopt);
}

std::optional<CollectiveKind> sdyKind(StringRef name) {
  return llvm::StringSwitch<std::optional<CollectiveKind>>(name)
      .Case("all_gather", CollectiveKind::AllGather)
      .Case("all_slice", CollectiveKind::AllSlice)
      .Case("all_to_all", CollectiveKind::AllToAll)
      .Case("all_reduce", CollectiveKind::AllReduce)
      .Case("reduce_scatter", CollectiveKind::ReduceScatter)
      .Case("collective_permute", CollectiveKind::Permute)
      .Cases("sharded_to_unreduced", "replicated_to_unreduced", CollectiveKind::AllSlice)
      .Cases("sharding_constraint", "reshard", CollectiveKind::Reshard)
      .Default(std::nullopt);
}

/// Which kind of collective the op is, by its name alone.
std::optional<CollectiveKind> kindOf(Operation *op) {
  std::string written = writtenName(op);
  auto [space, name] = StringRef(written).split('.');
  if (space == "sdy")
    return sdyKind(name);
  if (space == "shard" || space == "mesh")
    return shardKind(name);
  if (!isHloNamespace(space))
    return std::nullopt;
  if (name == "custom_call" && isShardingCall(op))
    return CollectiveKind::Reshard;
  return hloKind(name);
}

/// The value that a scalar is taken from, or a tensor made of.
Value throughScalars(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExtractOp, tensor::FromElementsOp>(op) || op->getNumOperands() != 1)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// What the body of a reduction does with its two arguments. The normalization computes with their scalars.
std::string reductionOf(Operation *op) {
  if (op->getNumRegions() == 0 || op->getRegion(0).empty())
    return {};
  Block &body = op->getRegion(0).front();
  if (body.empty() || body.back().getNumOperands() != 1 || body.getNumArguments() != 2)
    return {};
  Operation *last = throughScalars(body.back().getOperand(0)).getDefiningOp();
  if (!last || last->getNumOperands() != 2)
    return {};
  Value a = throughScalars(last->getOperand(0)), b = throughScalars(last->getOperand(1));
  Value first = body.getArgument(0), second = body.getArgument(1);
  if (!(a == first && b == second) && !(a == second && b == first))
    return {};
  std::string written = writtenName(last);
  return llvm::StringSwitch<std::string>(StringRef(written).split('.').second)
      .Cases("add", "addf", "addi", "add")
      .Cases("maximum", "maximumf", "maxsi", "maxui", "max")
      .Cases("minimum", "minimumf", "minsi", "minui", "min")
      .Cases("multiply", "mulf", "muli", "mul")
      .Cases("and", "andi", "and")
      .Cases("or", "ori", "or")
      .Default("");
}

/// Rows of a matrix of integers; nullopt: it is none.
std::optional<std::vector<std::vector<int64_t>>> rowsOf(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  if (!elements || elements.getType().getRank() != 2 || elements.getNumElements() > DeviceMesh::maxDevices)
    return std::nullopt;
  std::vector<std::vector<int64_t>> rows(elements.getType().getDimSize(0));
  int64_t columns = elements.getType().getDimSize(1);
  for (const auto &[index, value] : llvm::enumerate(elements.getValues<APInt>()))
    if (int64_t device = value.getSExtValue(); device >= 0) // rows of fewer devices end with -1
      rows[index / columns].push_back(device);
  return rows;
}

void readHlo(Operation *op, Collective &read) {
  if (read.kind == CollectiveKind::Reshard)
    return;
  if (read.kind == CollectiveKind::Permute) {
    auto pairs = rowsOf(attributeOf(op, "source_target_pairs"));
    if (!pairs)
      read.problem = "source_target_pairs is not there, or no matrix of devices";
    for (const std::vector<int64_t> &pair : pairs.value_or(std::vector<std::vector<int64_t>>()))
      if (pair.size() == 2)
        read.pairs.push_back({pair[0], pair[1]});
    return;
  }
  if (auto groups = rowsOf(attributeOf(op, "replica_groups")))
    read.groups = std::move(*groups);
  else
    read.problem = "replica_groups is not there, or no matrix of devices";
  read.isAllDevices = read.problem.empty() && read.groups.empty();
  read.reduction = reductionOf(op);
  for (StringRef name : {"all_gather_dim", "scatter_dimension", "concat_dimension"})
    if (std::optional<int64_t> dim = integerOf(op, name))
      read.dim = *dim;
  read.splitDim = integerOf(op, "split_dimension").value_or(-1);
}

/// The axes that a collective of `sdy` goes along, in its own form or as an attribute.
std::string axesText(Operation *op) {
  if (!ownForm(op).empty())
    return beforeOperands(op).str();
  for (StringRef name : {"gathering_axes", "slicing_axes", "reduction_axes", "reduce_scatter_axes", "params", "axes"})
    if (std::string text = attributeText(op, name); !text.empty()) {
      StringRef inside = StringRef(text).drop_front(std::min(text.find_first_of("[{"), text.size()));
      return inside.rtrim('>').str();
    }
  return {};
}

llvm::Error readSdyAxesOf(Operation *op, Collective &read) {
  std::string text = axesText(op);
  if (read.kind == CollectiveKind::Permute || read.kind == CollectiveKind::Reshard)
    return llvm::Error::success();
  if (read.kind == CollectiveKind::AllToAll) {
    auto moves = readSdyMoves(text);
    if (!moves)
      return moves.takeError();
    for (const SdyMove &move : *moves)
      llvm::append_range(read.axes, move.axes);
    read.moves = std::move(*moves);
    return llvm::Error::success();
  }
  if (StringRef(text).starts_with("{")) {
    auto axes = readSdyAxes(text);
    if (!axes)
      return axes.takeError();
    read.axes = std::move(*axes);
    return llvm::Error::success();
  }
  auto lists = readSdyAxisLists(text);
  if (!lists)
    return lists.takeError();
  for (const auto &[dim, axes] : llvm::enumerate(*lists)) {
    llvm::append_range(read.axes, axes);
    if (!axes.empty() && read.dim < 0)
      read.dim = dim;
  }
  read.dimAxes = std::move(*lists);
  return llvm::Error::success();
}

void readSdy(Operation *op, Collective &read) {
  read.isGlobal = true;
  if (read.kind == CollectiveKind::AllReduce || read.kind == CollectiveKind::ReduceScatter)
    read.reduction = "add";
  std::string out = read.kind == CollectiveKind::Reshard
                        ? (ownForm(op).empty() ? attributeText(op, "sharding") : afterOperand(op).str())
                        : wordsAfter(op, "out_sharding");
  llvm::Error error = readSdyAxesOf(op, read);
  if (!error) {
    auto sharding = readSdySharding(out);
    if (sharding) {
      read.meshName = sharding->meshName;
      read.outSharding = std::move(*sharding);
    } else {
      error = sharding.takeError();
    }
  }
  if (error)
    read.problem = takeFailure(std::move(error)).message;
}

} // namespace

bool isCollective(Operation *op) { return kindOf(op).has_value(); }

bool isShardingAnnotation(Operation *op) { return kindOf(op) == CollectiveKind::Reshard; }

std::optional<Collective> readCollective(Operation *op) {
  std::optional<CollectiveKind> kind = kindOf(op);
  if (!kind)
    return std::nullopt;
  Collective read{.kind = *kind, .op = op};
  std::string written = writtenName(op);
  StringRef space = StringRef(written).split('.').first;
  if (space == "sdy")
    readSdy(op, read);
  else if (isHloNamespace(space))
    readHlo(op, read);
  else
    readShardCollective(op, read);
  return read;
}

} // namespace fuselage
