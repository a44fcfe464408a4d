#include "core/analysis/costs/OpCosts.h"
#include "core/analysis/costs/ForeignCosts.h"
#include "core/analysis/costs/OperandAccess.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

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
static int64_t tileBytes(const TileAccess &tile) { return tile.tileType ? byteSize(tile.tileType).value_or(-1) : -1; }

/// Roles of ops that hand on data, or whose bytes are those of what they run.
static bool movesNoBytes(OpRole role) {
  return role != OpRole::None && role != OpRole::TileLoad && role != OpRole::TileStore &&
         role != OpRole::DispatchCall && role != OpRole::Gap;
}

/// Ops that only rename, view or hand on data.
static bool movesNoBytes(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::IsTerminator>())
    return true;
  return viewedOperand(op) || isa<ViewLikeOpInterface, FunctionOpInterface, tensor::EmptyOp, tensor::DimOp,
                                  tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(op);
}

/// Destination operands whose old contents the payload does not look at.
static bool isWrittenOnly(Operation *user, OpOperand &use) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
  return linalgOp && linalgOp.isDpsInit(&use) && linalgOp->getNumRegions() == 1 && !linalgOp->getRegion(0).empty() &&
         !linalgOp.payloadUsesValueFromOperand(&use);
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

/// flops of both products, of what makes logits of scores, and of maximum, subtract, exp, sum and divide.
static int64_t attentionFlops(flow::AttentionOp op) {
  auto flopsOfRegion = [](Region &region) {
    int64_t flops = 0;
    region.walk([&](Operation *inner) { flops += scalarFlops(inner); });
    return flops;
  };
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  AffineMap written = op.getIndexingMapsArray().back();
  int64_t scores = 1, depth = 1, columns = 1;
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    int64_t &part = loop < op.getScoreRank() ? scores : written.isFunctionOfDim(loop) ? columns : depth;
    part = times(part, ShapedType::isDynamic(range) ? -1 : range);
  }
  constexpr int64_t ofSoftmax = 5;
  int64_t each = ofSoftmax + flopsOfRegion(op.getLogitsRegion()) + flopsOfRegion(op.getProbabilitiesRegion());
  each = plus(each, times(depth, flopsOfRegion(op.getScoresRegion())));
  each = plus(each, times(columns, flopsOfRegion(op.getContextRegion())));
  return times(scores, each);
}

int64_t tripCount(Operation *op) {
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
    trips = times(trips, *u <= *l ? 0 : llvm::divideCeil(static_cast<uint64_t>(*u - *l), static_cast<uint64_t>(*s)));
  }
  return trips;
}

int64_t flopsInside(Operation *op) {
  int64_t flops = 0;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        flops = plus(flops, flopsOf(&inner));
  return times(flops, tripCount(op));
}

int64_t flopsOf(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t perPoint = payloadFlops(op);
    return perPoint == 0 ? 0 : times(perPoint, iterationDomainSize(op).value_or(-1));
  }
  if (auto attention = dyn_cast<flow::AttentionOp>(op))
    return attentionFlops(attention);
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

bool readsData(OpOperand &use) {
  return !isa<tensor::DimOp>(use.getOwner()) && !isWrittenOnly(use.getOwner(), use) && !isUninitialised(use.get());
}

/// Bytes of memref operands by their declared memory effects.
static void addEffects(Operation *op, TouchedValues &read, TouchedValues &written) {
  forEachBufferEffect(
      op, [&](OpOperand &use, bool writes) { (writes ? written : read).add(use.get(), &use, accessTo(use).bytes); });
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
  TouchedValues read, written;
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    // Vectors are registers.
    if (!isa<BaseMemRefType, VectorType>(type) && readsData(operand))
      read.add(operand.get(), &operand, accessTo(operand).bytes);
  }
  if (hasPayloadRegion(op))
    for (auto &[value, access] : payloadAccesses(op))
      read.add(value, op, access.bytes);
  addEffects(op, read, written);
  Bytes in = read.total(), out = written.total();
  for (Type type : op->getResultTypes())
    if (isa<TensorType>(type) || underlyingTensor(type))
      out += Bytes{.count = memoryBytes(type)};
  cost.bytesRead = in.count;
  cost.bytesWritten = out.count;
  cost.bytesAtMost = in.atMost || out.atMost;
  return cost;
}

} // namespace fuselage
