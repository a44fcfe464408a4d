#include "core/dialects/sharding/ShardDialect.h"
#include "core/dialects/sharding/OpWords.h"
#include "core/meshes/MeshCursor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fuselage {

std::optional<CollectiveKind> shardKind(StringRef name) {
  return llvm::StringSwitch<std::optional<CollectiveKind>>(name)
      .Case("all_reduce", CollectiveKind::AllReduce)
      .Case("all_gather", CollectiveKind::AllGather)
      .Case("all_slice", CollectiveKind::AllSlice)
      .Case("reduce_scatter", CollectiveKind::ReduceScatter)
      .Case("all_to_all", CollectiveKind::AllToAll)
      .Case("shift", CollectiveKind::Permute)
      .Case("broadcast", CollectiveKind::Broadcast)
      .Case("gather", CollectiveKind::Gather)
      .Case("scatter", CollectiveKind::Scatter)
      .Case("reduce", CollectiveKind::Reduce)
      .Case("send", CollectiveKind::Send)
      .Case("recv", CollectiveKind::Receive)
      .Case("shard", CollectiveKind::Reshard)
      .Default(std::nullopt);
}

static AxisRef axisNumbered(int64_t number) { return {.axis = "axis" + std::to_string(number)}; }

/// The numbers in "[0, 1]", "array<i16: 0, 1>"; what is no number ends it.
static std::vector<int64_t> numbersIn(StringRef text) {
  std::vector<int64_t> numbers;
  text = text.drop_front(std::min(text.find_first_of("[:"), text.size()));
  text = text.take_front(text.find_first_of("]>"));
  while (!text.empty()) {
    text = text.drop_while([](char c) { return !llvm::isDigit(c); });
    int64_t number = 0;
    if (text.empty() || text.consumeInteger(10, number))
      break;
    numbers.push_back(number);
  }
  return numbers;
}

static std::string symbolOf(Operation *op) {
  for (StringRef name : {"grid", "mesh", "on", "symbol", "callee", "sym_name"}) {
    Attribute found = attributeOf(op, name);
    if (auto reference = dyn_cast_or_null<SymbolRefAttr>(found))
      return reference.getRootReference().str();
    if (auto text = dyn_cast_or_null<StringAttr>(found))
      return text.str();
  }
  return {};
}

void readShardCollective(Operation *op, Collective &read) {
  if (read.kind == CollectiveKind::Reshard) {
    auto sharding = readShard(op);
    if (sharding) {
      read.meshName = sharding->meshName;
      read.outSharding = std::move(*sharding);
    } else {
      read.problem = takeFailure(sharding.takeError()).message;
    }
    read.isGlobal = true;
    return;
  }
  read.meshName = symbolOf(op);
  std::string axes = wordsAfter(op, "grid_axes");
  if (axes.empty())
    axes = wordsAfter(op, "mesh_axes");
  for (int64_t axis : numbersIn(axes))
    read.axes.push_back(axisNumbered(axis));
  for (StringRef name : {"gather_axis", "scatter_axis", "slice_axis", "concat_axis"})
    if (std::optional<int64_t> dim = integerOf(op, name))
      read.dim = *dim;
  read.splitDim = integerOf(op, "split_axis").value_or(-1);
  bool reduces = read.kind == CollectiveKind::AllReduce || read.kind == CollectiveKind::ReduceScatter ||
                 read.kind == CollectiveKind::Reduce;
  std::string reduction = attributeText(op, "reduction");
  if (!reduces)
    return;
  // Sum is what the op leaves out.
  auto says = [&](StringRef word) { return StringRef(reduction).contains(word); };
  read.reduction = reduction.empty() || says("sum") ? "add"
                   : says("max")                    ? "max"
                   : says("min")                    ? "min"
                   : says("product")                ? "mul"
                                                    : "";
}

llvm::Expected<DeviceMesh> readGrid(Operation *op) {
  DeviceMesh mesh{.name = symbolOf(op), .axes = {}};
  std::vector<int64_t> sizes;
  if (auto shape = dyn_cast_or_null<DenseI64ArrayAttr>(attributeOf(op, "shape"))) {
    sizes.assign(shape.asArrayRef().begin(), shape.asArrayRef().end());
  } else {
    std::string text = wordsAfter(op, "shape");
    SmallVector<StringRef> parts;
    StringRef(text).split(')').first.trim().split(parts, 'x');
    for (StringRef part : parts) {
      int64_t size = -1;
      if (part.trim().getAsInteger(10, size))
        size = -1;
      sizes.push_back(size);
    }
  }
  for (const auto &[index, size] : llvm::enumerate(sizes)) {
    if (size < 0)
      return fail("the size of axis " + std::to_string(index) + " is not known before the program runs");
    mesh.axes.push_back({"axis" + std::to_string(index), size});
  }
  if (std::string why = checkMesh(mesh); !why.empty())
    return fail("the mesh makes no sense: " + why);
  return mesh;
}

/// "[[0], [], [1, 2]]" as axes by dimension.
static llvm::Expected<std::vector<DimSharding>> readSplitAxes(StringRef text) {
  text = text.drop_front(std::min(text.find('['), text.size()));
  MeshCursor cursor(text);
  std::vector<DimSharding> dims;
  if (!cursor.take("["))
    return cursor.expected("'[', with the axes that split each dimension");
  while (!cursor.take("]")) {
    if (!dims.empty() && !cursor.take(","))
      return cursor.expected("',' or ']'");
    if (!cursor.take("["))
      return cursor.expected("'['");
    auto axes = cursor.numbersTo("]");
    if (!axes)
      return axes.takeError();
    DimSharding &dim = dims.emplace_back();
    for (int64_t axis : *axes)
      dim.axes.push_back(axisNumbered(axis));
  }
  return dims;
}

/// Numbers that are known; empty where they are left out, or one is not known.
static std::vector<int64_t> staticList(Operation *op, StringRef attribute, StringRef key) {
  auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attributeOf(op, attribute));
  std::vector<int64_t> numbers =
      list ? std::vector<int64_t>(list.asArrayRef().begin(), list.asArrayRef().end()) : numbersIn(wordsAfter(op, key));
  bool isKnown = llvm::all_of(numbers, [](int64_t number) { return number >= 0; });
  return isKnown ? numbers : std::vector<int64_t>();
}

/// Gives split dimensions their halos, two numbers for each, and offsets, as many as there are parts and one more.
static void addSizes(Operation *op, SdySharding &sharding, llvm::function_ref<int64_t(const DimSharding &)> parts) {
  std::vector<int64_t> halos = staticList(op, "static_halo_sizes", "halo_sizes");
  std::vector<int64_t> offsets = staticList(op, "static_sharded_dims_offsets", "sharded_dims_offsets");
  size_t halo = 0, offset = 0;
  for (DimSharding &dim : sharding.sharding.dims) {
    if (dim.axes.empty())
      continue;
    if (halo + 1 < halos.size()) {
      dim.haloBefore = halos[halo];
      dim.haloAfter = halos[halo + 1];
      halo += 2;
    }
    size_t count = parts(dim) + 1;
    if (offset + count <= offsets.size()) {
      dim.offsets.assign(offsets.begin() + offset, offsets.begin() + offset + count);
      offset += count;
    }
  }
}

/// How many devices there are along the axes of a dimension, by the grid that the op refers to; 0: not known.
static int64_t partsOf(Operation *op, StringRef meshName, const DimSharding &dim) {
  Operation *table = op;
  while (table && !table->hasTrait<OpTrait::SymbolTable>())
    table = table->getParentOp();
  int64_t parts = 0;
  if (!table || table->getNumRegions() == 0 || table->getRegion(0).empty())
    return parts;
  for (Operation &each : table->getRegion(0).front()) {
    std::string name = writtenName(&each);
    if ((name != "shard.grid" && name != "mesh.mesh") || symbolOf(&each) != meshName)
      continue;
    auto mesh = readGrid(&each);
    if (!mesh) {
      llvm::consumeError(mesh.takeError());
      return 0;
    }
    parts = 1;
    for (const AxisRef &axis : dim.axes)
      if (std::optional<unsigned> index = mesh->axisNamed(axis.axis))
        parts *= mesh->axes[*index].size;
  }
  return parts;
}

llvm::Expected<SdySharding> readShard(Operation *op) {
  SdySharding sharding;
  Operation *defined = op->getNumOperands() > 1 ? op->getOperand(1).getDefiningOp() : nullptr;
  std::string text;
  if (defined) { // shard.sharding
    sharding.meshName = symbolOf(defined);
    text = wordsAfter(defined, "split_axes");
  } else { // mesh.shard %0 to <@mesh, [[0]]>, as it was until 2024
    StringRef written = afterOperand(op);
    StringRef name = written.split('@').second;
    sharding.meshName = name.take_until([](char c) { return c == ',' || c == '>'; }).str();
    text = name.str();
  }
  auto dims = readSplitAxes(text);
  if (!dims)
    return dims.takeError();
  sharding.sharding.dims = std::move(*dims);
  if (defined)
    addSizes(defined, sharding, [&](const DimSharding &dim) { return partsOf(defined, sharding.meshName, dim); });
  return sharding;
}

} // namespace fuselage
