#include "core/analysis/meshes/MeshReport.h"
#include "core/analysis/costs/ValueBytes.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/ops/ValueNames.h"
#include "core/support/Error.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"
#include <map>

using namespace mlir;

namespace fuselage {

namespace {

using Report = message::MeshReport<>;

/// JSON wants valid UTF-8; names in IR may hold any bytes.
std::string asUtf8(std::string text) { return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text); }

/// Numbers that layouts may list in all: places of many values on many devices are many.
constexpr int64_t maxPlaces = 1 << 21;

class MeshReporter {
public:
  MeshReporter(ModuleOp module, llvm::function_ref<int(Operation *, int64_t)> lineOf)
      : moves_(module), names_(module, withValueNames()), lineOf_(lineOf) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { ids_.try_emplace(op, ids_.size()); });
  }

  Report run(ModuleOp module) {
    report_.devices = moves_.devices();
    for (const DeviceMesh &mesh : moves_.shardings().meshes)
      meshNumber(mesh, false);
    for (const ShardingAnnotation &annotation : moves_.shardings().annotations)
      addValue(annotation);
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (std::optional<Collective> collective = readCollective(op))
        addCollective(*collective);
    });
    for (const auto &[op, message] : moves_.shardings().problems)
      report_.problems.push_back({.op = ids_.lookup(op), .line = lineOf(op), .message = asUtf8(message)});
    return std::move(report_);
  }

private:
  int lineOf(Operation *op) { return lineOf_(op, ids_.lookup(op)); }

  std::string nameOf(Value value) {
    std::string text;
    llvm::raw_string_ostream os(text);
    value.printAsOperand(os, names_);
    return asUtf8(text);
  }

  /// "%sum linalg.generic": a module has more than one linalg.generic.
  std::string nameOf(Operation *op) {
    std::string name = displayName(op);
    return op->getNumResults() > 0 ? nameOf(op->getResult(0)) + " " + name : name;
  }

  bool isDerived(const DeviceMesh *mesh) const {
    const std::optional<DeviceMesh> &derived = moves_.shardings().derived;
    return derived && mesh == &*derived;
  }

  static std::string functionOf(Operation *op) {
    for (; op; op = op->getParentOp())
      if (auto symbol = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        return asUtf8(symbol.getValue().str());
    return {};
  }

  /// The mesh's number in the report.
  int meshNumber(const DeviceMesh &mesh, bool isDerived) {
    auto [entry, isNew] =
        meshes_.try_emplace(mesh.name + "|" + mesh.str() + (isDerived ? "|derived" : ""), int(report_.meshes.size()));
    if (!isNew)
      return entry->second;
    message::MeshGrid<> grid{.name = asUtf8(mesh.name), .isDerived = isDerived};
    for (const MeshAxis &axis : mesh.axes)
      grid.axes.push_back({asUtf8(axis.name), axis.size});
    for (int64_t place = 0; place < mesh.count(); ++place)
      grid.devices.push_back(mesh.deviceAt(place));
    report_.meshes.push_back(std::move(grid));
    return entry->second;
  }

  void addValue(const ShardingAnnotation &annotation) {
    auto *gspmd = std::get_if<GspmdSharding>(&annotation.sharding);
    if (gspmd && gspmd->kind == GspmdSharding::Kind::Manual)
      return; // the program says itself what each device has
    message::MeshValue<> value{.op = ids_.lookup(annotation.op), .number = int(annotation.number)};
    value.place = annotation.place == ShardingPlace::Argument ? message::MeshPlace::Argument
                  : annotation.place == ShardingPlace::Result ? message::MeshPlace::Result
                                                              : message::MeshPlace::FunctionResult;
    value.name = annotation.value ? nameOf(annotation.value) : "result " + std::to_string(annotation.number);
    value.function = functionOf(annotation.op);
    value.opName = asUtf8(displayName(annotation.op));
    value.line = lineOf(annotation.op);
    value.sharding = asUtf8(annotation.text);
    value.isLocal = annotation.isLocal;
    auto layout = moves_.shardings().layout(annotation);
    if (layout)
      value.layout = layoutNumber(annotation, *layout, value.problem);
    else
      value.problem = asUtf8(takeFailure(layout.takeError()).message);
    report_.values.push_back(std::move(value));
  }

  int layoutNumber(const ShardingAnnotation &annotation, const TensorLayout &layout, std::string &problem) {
    const DeviceMesh &mesh = *moves_.shardings().meshOf(annotation);
    int number = meshNumber(mesh, std::holds_alternative<GspmdSharding>(annotation.sharding));
    std::string key = std::to_string(number) + "|" + annotation.text + "|" + debugString(annotation.type);
    auto known = layouts_.find(key);
    if (known != layouts_.end())
      return known->second;
    int64_t places = mesh.count() * int64_t(layout.shape.size() + 1);
    for (int64_t parts : layout.parts)
      places += 2 * parts;
    if ((listed_ += places) > maxPlaces) {
      listed_ -= places;
      ++report_.leftOut;
      problem = "so many values on so many devices are not listed";
      return -1;
    }
    layouts_[key] = int(report_.layouts.size());
    report_.layouts.push_back(layoutMessage(annotation, layout, number, mesh.count()));
    return layouts_[key];
  }

  static std::vector<std::string> textsOf(ArrayRef<AxisRef> axes) {
    std::vector<std::string> texts;
    for (const AxisRef &axis : axes)
      texts.push_back(asUtf8(axis.str()));
    return texts;
  }

  static message::MeshLayout<> layoutMessage(const ShardingAnnotation &annotation, const TensorLayout &layout, int mesh,
                                             int64_t places) {
    message::MeshLayout<> result{.mesh = mesh,
                                 .type = asUtf8(debugString(annotation.type)),
                                 .replicated = textsOf(layout.replicated),
                                 .unreduced = textsOf(layout.unreduced),
                                 .tiles = layout.tileCount()};
    for (unsigned dim = 0; dim < layout.shape.size(); ++dim) {
      message::MeshDim<> entry{.size = layout.shape[dim],
                               .parts = layout.parts[dim],
                               .shard = layout.shard[dim],
                               .axes = textsOf(layout.axes[dim])};
      if (layout.isPadded(dim))
        entry.padding = layout.parts[dim] * layout.range(dim, 0).second - layout.shape[dim];
      for (int64_t part = 0; part < layout.parts[dim] && layout.range(dim, part).first >= 0; ++part) {
        entry.begins.push_back(layout.range(dim, part).first);
        entry.ends.push_back(layout.range(dim, part).second);
      }
      for (int64_t place = 0; place < places; ++place)
        entry.places.push_back(layout.tiles[place][dim]);
      result.dims.push_back(std::move(entry));
    }
    for (int64_t place = 0; place < places; ++place)
      result.places.push_back(layout.tileNumber(place));
    Type element = getElementTypeOrSelf(annotation.type);
    result.bytes = byteSize(annotation.type).value_or(-1);
    if (int64_t elements = layout.shardElements(); elements >= 0)
      result.shardBytes = bytesOfElements(element, elements);
    return result;
  }

  /// Bytes of a value of the collective, as a device has it: of `sdy` the value is whole, and lies by its sharding.
  int64_t bytesOnDevice(const Collective &collective, Value value) {
    int64_t bytes = byteSize(value.getType()).value_or(-1);
    if (!collective.isGlobal || bytes < 0)
      return bytes;
    for (const ShardingAnnotation &annotation : moves_.shardings().annotations) {
      if (annotation.value != value)
        continue;
      auto layout = moves_.shardings().layout(annotation);
      if (layout)
        return bytesOfElements(getElementTypeOrSelf(annotation.type), std::max<int64_t>(layout->shardElements(), 0));
      llvm::consumeError(layout.takeError());
    }
    return -1;
  }

  int64_t bytesOf(const Collective &collective) {
    int64_t before = 0, after = 0;
    for (Value operand : collective.op->getOperands()) {
      if (!isa<ShapedType>(operand.getType()))
        continue;
      int64_t bytes = bytesOnDevice(collective, operand);
      before = before < 0 || bytes < 0 ? -1 : before + bytes;
    }
    for (Value result : collective.op->getResults()) {
      int64_t bytes = bytesOnDevice(collective, result);
      after = after < 0 || bytes < 0 ? -1 : after + bytes;
    }
    bool comesKnown = collective.isGlobal && before < 0 && after >= 0;
    if (comesKnown) // an all-gather's result is the larger; others keep the size or make it smaller by the group
      return collective.kind == CollectiveKind::ReduceScatter || collective.kind == CollectiveKind::AllSlice ? -1
                                                                                                             : after;
    return before < 0 || after < 0 ? -1 : std::max(before, after);
  }

  void addCollective(const Collective &collective) {
    CollectiveGroups groups = groupsOf(collective, moves_.shardings(), moves_.devices());
    Operation *op = collective.op;
    message::MeshCollective<> entry{.op = ids_.lookup(op),
                                    .kind = collectiveName(collective.kind),
                                    .name = op->getNumResults() > 0 ? nameOf(op->getResult(0)) : std::string(),
                                    .opName = asUtf8(displayName(op)),
                                    .function = functionOf(op),
                                    .line = lineOf(op),
                                    .reduction = collective.reduction,
                                    .problem = asUtf8(collective.problem)};
    entry.isAnnotation = collective.kind == CollectiveKind::Reshard;
    if (groups.mesh)
      entry.mesh = meshNumber(*groups.mesh, isDerived(groups.mesh));
    for (const std::string &axis : groups.axes)
      entry.axes.push_back(asUtf8(axis));
    if (!groups.groups.empty())
      entry.groups = groups.groups.size();
    entry.groupSize = groups.size;
    entry.bytes = bytesOf(collective);
    MovedBytes moved = ringBytes(collective.kind, groups.size < 0 ? -1 : entry.bytes, groups.size);
    entry.moved = moved.bytes;
    entry.formula = moved.formula;
    if (!entry.isAnnotation)
      for (const CollectiveMove &move : moves_.find(collective))
        entry.moves.push_back(moveMessage(
            move, [&](Operation *each) { return ids_.lookup(each); }, [&](Operation *each) { return nameOf(each); }));
    report_.collectives.push_back(std::move(entry));
  }

  CollectiveMoves moves_;
  AsmState names_;
  llvm::function_ref<int(Operation *, int64_t)> lineOf_;
  llvm::DenseMap<Operation *, int64_t> ids_;
  std::map<std::string, int> meshes_, layouts_;
  int64_t listed_ = 0;
  Report report_;
};

} // namespace

message::FusionMove<> moveMessage(const CollectiveMove &move, llvm::function_ref<int64_t(Operation *)> idOf,
                                  llvm::function_ref<std::string(Operation *)> nameOf) {
  return {.isAllowed = move.isAllowed,
          .isExact = move.isAllowed && move.isExact,
          .isDown = move.isDown,
          .past = idOf(move.past),
          .producer = idOf(move.producer),
          .consumer = idOf(move.consumer),
          .sentence = asUtf8(describeMove(move, nameOf)),
          .bytes = move.bytes,
          .sent = move.sent,
          .sentThen = move.sentThen};
}

message::MeshReport<> reportMeshes(ModuleOp module, llvm::function_ref<int(Operation *, int64_t)> lineOf) {
  return MeshReporter(module, lineOf).run(module);
}

} // namespace fuselage
