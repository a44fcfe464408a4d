#include "core/analysis/Costs.h"
#include "core/analysis/CostArithmetic.h"
#include "core/analysis/ForeignCosts.h"
#include "core/analysis/KernelCosts.h"
#include "core/analysis/Payload.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

/// Elements of a shaped type, 1 for a scalar; -1 when dynamic.
static int64_t elementCount(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return 1;
  if (!shaped.hasRank())
    return -1;
  int64_t count = 1;
  for (int64_t extent : shaped.getShape())
    count = times(count, ShapedType::isDynamic(extent) ? -1 : extent);
  return count;
}

/// Bits of an element as it lies in memory; 0 if the type has no size here.
static int64_t elementBits(Type element) {
  if (element.isIndex())
    return 64;
  if (element.isIntOrFloat())
    return element.getIntOrFloatBitWidth();
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBits(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(element))
    return times(elementCount(vector), elementBits(vector.getElementType()));
  return 0;
}

/// The type as a shaped one, also where it is a foreign dialect's; null if it has no shape.
static ShapedType shapeOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped;
  return tensorBehind(type);
}

std::optional<int64_t> byteSize(Type type) {
  ShapedType shaped = shapeOf(type);
  if (!shaped)
    return std::nullopt;
  if (!isa<ShapedType>(type))
    type = shaped;
  int64_t bits = elementBits(shaped.getElementType());
  int64_t total = times(elementCount(type), bits);
  if (total < 0 || (bits <= 0 && elementCount(type) != 0))
    return std::nullopt;
  return llvm::divideCeil(static_cast<uint64_t>(total), 8);
}

/// Bytes of a value that lives in memory; 0 for scalars and other types, -1 when dynamic.
static int64_t memoryBytes(Type type) {
  return shapeOf(type) ? byteSize(type).value_or(-1) : 0;
}

/// Values that stand for no data yet: empty tensors and fresh buffers.
static bool isUninitialised(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return false;
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(def))
    return !alloc.getCopy();
  return isa<tensor::EmptyOp>(def);
}

/// Bytes of one execution of a tile load or store.
static int64_t tileBytes(const TileAccess &tile) {
  return tile.tileType ? byteSize(tile.tileType).value_or(-1) : -1;
}

/// Roles of ops that hand on data, or whose bytes are those of what they run.
static bool movesNoBytes(OpRole role) {
  return role != OpRole::None && role != OpRole::TileLoad && role != OpRole::TileStore &&
         role != OpRole::DispatchCall && role != OpRole::Gap;
}

/// Ops that only rename, view or hand on data.
static bool movesNoBytes(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (isa<ViewLikeOpInterface, FunctionOpInterface>(op) ||
      isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ReshapeOp, tensor::DimOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
          tensor::ParallelInsertSliceOp, bufferization::ToTensorOp, bufferization::ToBufferOp>(op))
    return true;
  return false;
}

/// Destination operands whose old contents the payload does not look at.
static bool isWrittenOnly(Operation *user, OpOperand &use) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
  return linalgOp && linalgOp.isDpsInit(&use) && linalgOp->getNumRegions() == 1 &&
         !linalgOp->getRegion(0).empty() && !linalgOp.payloadUsesValueFromOperand(&use);
}

/// flops of ops of the vector dialect that do more than one operation an element.
static std::optional<int64_t> vectorFlops(Operation *op) {
  if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
    SmallVector<int64_t> extents;
    contract.getIterationBounds(extents);
    int64_t points = 1;
    for (int64_t extent : extents)
      points = times(points, extent);
    return times(points, 2);
  }
  if (isa<vector::MultiDimReductionOp, vector::ReductionOp>(op))
    return elementCount(op->getOperand(0).getType());
  if (auto outer = dyn_cast<vector::OuterProductOp>(op))
    return times(elementCount(outer.getResult().getType()), outer.getAcc() ? 2 : 1);
  return std::nullopt;
}

/// flops of tosa's contractions and elementwise ops; nullopt for all other ops.
static std::optional<int64_t> tosaFlops(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("tosa.") || op->getNumOperands() == 0 || op->getNumResults() == 0)
    return std::nullopt;
  int64_t results = elementCount(op->getResult(0).getType());
  auto extent = [&](unsigned operand, unsigned fromEnd) -> int64_t {
    if (operand >= op->getNumOperands())
      return -1;
    auto type = dyn_cast<RankedTensorType>(op->getOperand(operand).getType());
    if (!type || type.getRank() <= fromEnd || type.isDynamicDim(type.getRank() - 1 - fromEnd))
      return -1;
    return type.getDimSize(type.getRank() - 1 - fromEnd);
  };
  if (name == "matmul")
    return times(results, times(2, extent(0, 0)));
  if (name == "conv2d") // weights: OC x KH x KW x IC
    return times(results, times(2, times(extent(1, 0), times(extent(1, 1), extent(1, 2)))));
  if (name == "depthwise_conv2d") // weights: KH x KW x C x M
    return times(results, times(2, times(extent(1, 2), extent(1, 3))));
  if (name.starts_with("reduce_"))
    return elementCount(op->getOperand(0).getType());
  return std::nullopt;
}

static int64_t flopsOf(Operation *op);

/// How often the body of a loop runs; 1 for other region ops, -1 if unknown.
static int64_t tripCount(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return 1;
  auto lower = loop.getLoopLowerBounds();
  auto upper = loop.getLoopUpperBounds();
  auto step = loop.getLoopSteps();
  if (!lower || !upper || !step)
    return -1;
  int64_t trips = 1;
  for (auto [lb, ub, st] : llvm::zip_equal(*lower, *upper, *step)) {
    auto l = getConstantIntValue(lb), u = getConstantIntValue(ub), s = getConstantIntValue(st);
    if (!l || !u || !s || *s <= 0)
      return -1;
    trips = times(trips, *u <= *l ? 0 : llvm::divideCeil(static_cast<uint64_t>(*u - *l),
                                                         static_cast<uint64_t>(*s)));
  }
  return trips;
}

/// flops of everything in the regions of a control-flow op, executed as often as known.
static int64_t flopsInside(Operation *op) {
  int64_t flops = 0;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        flops = plus(flops, flopsOf(&inner));
  return times(flops, tripCount(op));
}

static int64_t flopsOf(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t perPoint = payloadFlops(op);
    return perPoint == 0 ? 0 : times(perPoint, iterationDomainSize(op).value_or(-1));
  }
  if (isa<linalg::SoftmaxOp>(op)) // maximum, subtract, exp, sum, divide
    return times(5, elementCount(op->getOperand(0).getType()));
  if (auto flops = vectorFlops(op))
    return *flops;
  if (auto flops = tosaFlops(op))
    return *flops;
  if (!op->isRegistered())
    if (auto flops = foreignFlops(op))
      return *flops;
  if (op->getNumRegions() != 0)
    return isa<FunctionOpInterface>(op) || !hasPayloadRegion(op) ? flopsInside(op) : 0;
  int64_t perElement = scalarFlops(op);
  if (perElement == 0 && op->hasTrait<OpTrait::Elementwise>() && !isa<CastOpInterface>(op) &&
      op->getName().getDialectNamespace() == "tosa")
    perElement = 1;
  if (perElement == 0 || op->getNumResults() == 0)
    return 0;
  return times(perElement, elementCount(op->getResult(0).getType()));
}

/// Bytes of memref operands by their declared memory effects.
static void addEffects(Operation *op, OpCost &cost) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return;
  llvm::SmallDenseSet<Value> read, written;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    Value value = effect.getValue();
    if (!value || !isa<BaseMemRefType>(value.getType()))
      continue;
    if (isa<MemoryEffects::Read>(effect.getEffect()) && read.insert(value).second)
      cost.bytesRead = plus(cost.bytesRead, memoryBytes(value.getType()));
    if (isa<MemoryEffects::Write>(effect.getEffect()) && written.insert(value).second)
      cost.bytesWritten = plus(cost.bytesWritten, memoryBytes(value.getType()));
  }
}

OpCost costOf(Operation *op) {
  OpCost cost;
  cost.flops = flopsOf(op);
  DecodedOp decoded = decode(op);
  if (movesNoBytes(op) || movesNoBytes(decoded.role))
    return cost;
  if (decoded.role == OpRole::TileLoad || decoded.role == OpRole::TileStore) {
    (decoded.role == OpRole::TileLoad ? cost.bytesRead : cost.bytesWritten) = tileBytes(decoded.tile);
    return cost;
  }
  llvm::SmallDenseSet<Value> seen;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isa<BaseMemRefType>(value.getType()) || isUninitialised(value) ||
        isWrittenOnly(op, operand) || !seen.insert(value).second)
      continue;
    // Vectors are registers.
    if (!isa<VectorType>(value.getType()))
      cost.bytesRead = plus(cost.bytesRead, memoryBytes(value.getType()));
  }
  for (Type type : op->getResultTypes())
    if (isa<TensorType>(type) || tensorBehind(type))
      cost.bytesWritten = plus(cost.bytesWritten, memoryBytes(type));
  addEffects(op, cost);
  return cost;
}

/// The buffer that `value` is a view of.
static Value viewedBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Uses that fetch no data: shapes, destinations to overwrite, free-standing memory.
static bool readsData(OpOperand &use) {
  Operation *user = use.getOwner();
  return !isa<tensor::DimOp>(user) && !isWrittenOnly(user, use) && !isUninitialised(use.get());
}

/// Splat constants are immediates of the kernel, not memory.
static bool isImmediate(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat();
}

namespace {
/// Collects what a dispatch body reads from and writes to memory outside of it.
struct Traffic {
  Operation *dispatch;
  llvm::SmallDenseSet<Value> read, written;
  OpCost cost;

  bool isOutside(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner()->getParentOp() == dispatch ||
             !dispatch->isAncestor(argument.getOwner()->getParentOp());
    Operation *def = value.getDefiningOp();
    return !dispatch->isProperAncestor(def) || decode(def).role == OpRole::Binding;
  }
  void noteRead(Value value) {
    if (isOutside(value) && !isImmediate(value) && read.insert(value).second)
      cost.bytesRead = plus(cost.bytesRead, memoryBytes(value.getType()));
  }
  void noteWrite(Value value) {
    if (isOutside(value) && written.insert(value).second)
      cost.bytesWritten = plus(cost.bytesWritten, memoryBytes(value.getType()));
  }
  void visit(Operation *op) {
    for (OpOperand &use : op->getOpOperands())
      if (isa<TensorType>(use.get().getType()) && readsData(use))
        noteRead(use.get());
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances) {
      Value value = effect.getValue();
      if (!value || !isa<BaseMemRefType>(value.getType()))
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        noteRead(viewedBuffer(value));
      if (isa<MemoryEffects::Write>(effect.getEffect()))
        noteWrite(viewedBuffer(value));
    }
  }
};
} // namespace

OpCost costOfDispatch(Operation *dispatch) {
  bool kernel = isKernel(dispatch);
  if (kernel && accessesTiles(dispatch))
    return costOfKernel(dispatch);
  Traffic traffic{.dispatch = dispatch, .read = {}, .written = {}, .cost = {}};
  dispatch->walk([&](Operation *op) {
    if (op != dispatch && !op->hasTrait<OpTrait::IsTerminator>())
      traffic.visit(op);
  });
  traffic.cost.flops = flopsInside(dispatch);
  // One workgroup's code does not say how many of them there are.
  if (kernel && traffic.cost.flops > 0)
    traffic.cost.flops = -1;
  TypeRange escaping = dispatch->getResultTypes();
  if (auto function = dyn_cast<FunctionOpInterface>(dispatch))
    escaping = function.getResultTypes();
  for (Type type : escaping)
    traffic.cost.bytesWritten = plus(traffic.cost.bytesWritten, memoryBytes(type));
  return traffic.cost;
}

OpCost costOfGroup(ArrayRef<Operation *> ops) {
  llvm::SmallDenseSet<Operation *> members(ops.begin(), ops.end());
  llvm::SmallDenseSet<Value> read;
  OpCost cost;
  auto isMember = [&](Operation *op) { return op && members.contains(op); };
  for (Operation *op : ops) {
    cost.flops = plus(cost.flops, flopsOf(op));
    for (OpOperand &use : op->getOpOperands()) {
      Value value = use.get();
      if (isa<TensorType>(value.getType()) && !isMember(value.getDefiningOp()) && readsData(use) &&
          !isImmediate(value) && read.insert(value).second)
        cost.bytesRead = plus(cost.bytesRead, memoryBytes(value.getType()));
    }
    for (Value result : op->getResults()) {
      bool escapes = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !isMember(op->getBlock()->findAncestorOpInBlock(*user));
      });
      if (escapes && isa<TensorType>(result.getType()))
        cost.bytesWritten = plus(cost.bytesWritten, memoryBytes(result.getType()));
    }
  }
  return cost;
}

} // namespace fuselage
