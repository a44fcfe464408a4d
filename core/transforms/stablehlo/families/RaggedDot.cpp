// chlo.ragged_dot: a product of rows that lie in groups one after the other, each group with a matrix of its own.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "core/transforms/stablehlo/scalars/Scalar.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The forms of JAX: rows in groups times a matrix for each, `[m, k] x [g, k, n] -> [m, n]`; or the depth in groups,
/// `[m, k] x [k, n] -> [g, m, n]`. Dimensions may be in any order; there is no batch.
struct RaggedDimensions {
  int64_t row, depth, rightDepth, column, group = -1; ///< of left, left, right, right, right
  bool hasRaggedDepth = false;
};

std::optional<RaggedDimensions> readDimensions(HloCall &call) {
  HloText text = HloText::of(call.op.attribute({"ragged_dot_dimension_numbers"}));
  auto leftDepth = text.integers("lhs_contracting_dimensions"),
       rightDepth = text.integers("rhs_contracting_dimensions");
  auto ragged = text.integers("lhs_ragged_dimensions"), group = text.integers("rhs_group_dimensions");
  bool hasBatch =
      !text.integers("lhs_batching_dimensions").empty() || !text.integers("rhs_batching_dimensions").empty();
  int64_t rightRank = call.operandType(1).getRank();
  if (hasBatch || leftDepth.size() != 1 || rightDepth.size() != 1 || ragged.size() != 1 || group.size() > 1 ||
      call.operandType(0).getRank() != 2 || rightRank != int64_t(2 + group.size()))
    return std::nullopt;
  RaggedDimensions dims;
  dims.depth = leftDepth[0];
  dims.row = 1 - dims.depth;
  dims.rightDepth = rightDepth[0];
  dims.group = group.empty() ? -1 : group[0];
  dims.hasRaggedDepth = ragged[0] == dims.depth;
  for (int64_t dim = 0; dim < rightRank; ++dim)
    if (dim != dims.rightDepth && dim != dims.group)
      dims.column = dim;
  bool areKnown = dims.depth >= 0 && dims.depth < 2 && dims.rightDepth >= 0 && dims.rightDepth < rightRank &&
                  dims.group < rightRank && dims.group != dims.rightDepth;
  return areKnown && dims.hasRaggedDepth == group.empty() ? std::optional(dims) : std::nullopt;
}

/// Where each group ends: the sums of the sizes so far.
Value groupEnds(HloCall &call, Value sizes) {
  auto type = cast<RankedTensorType>(sizes.getType());
  Value zero = arith::ConstantIndexOp::create(call.builder, call.loc, 0);
  SmallVector<Value> ends{zero};
  for (int64_t group = 0; group < type.getDimSize(0); ++group) {
    Value at = arith::ConstantIndexOp::create(call.builder, call.loc, group);
    Value size = tensor::ExtractOp::create(call.builder, call.loc, sizes, at);
    size = arith::IndexCastOp::create(call.builder, call.loc, call.builder.getIndexType(), size);
    ends.push_back(arith::AddIOp::create(call.builder, call.loc, ends.back(), size));
  }
  return tensor::FromElementsOp::create(call.builder, call.loc, ends);
}

/// One loop over groups more than a product has: what is not of the group adds nothing.
HloResults lowerRaggedDot(HloCall &call) {
  RankedTensorType type = call.op->getNumResults() == 1 ? call.resultType() : RankedTensorType();
  if (!type || !call.isOnTensors() || call.operands.size() != 3 || !type.hasStaticShape() ||
      call.operandType(2).getRank() != 1 || !call.operandType(2).hasStaticShape())
    return call.refuse("it is not on tensors of known sizes");
  std::optional<RaggedDimensions> dims = readDimensions(call);
  if (!dims || type.getRank() != (dims->hasRaggedDepth ? 3 : 2))
    return call.refuse("its dimensions are not rows or a depth in groups, without a batch");
  MLIRContext *context = call.builder.getContext();
  // row, column, group, depth
  SmallVector<AffineExpr> left(2), right(call.operandType(1).getRank()), result;
  left[dims->row] = getAffineDimExpr(0, context);
  left[dims->depth] = getAffineDimExpr(3, context);
  right[dims->rightDepth] = getAffineDimExpr(3, context);
  right[dims->column] = getAffineDimExpr(1, context);
  if (dims->group >= 0)
    right[dims->group] = getAffineDimExpr(2, context);
  if (dims->hasRaggedDepth)
    result.push_back(getAffineDimExpr(2, context));
  result.append({getAffineDimExpr(0, context), getAffineDimExpr(1, context)});
  AffineMap ofGroup = AffineMap::get(4, 0, getAffineDimExpr(2, context));
  SmallVector<AffineMap> maps{AffineMap::get(4, 0, left, context), AffineMap::get(4, 0, right, context), ofGroup,
                              AffineMap::get(4, 0, result, context)};
  SmallVector<utils::IteratorType> loops(4, utils::IteratorType::reduction);
  loops[0] = loops[1] = utils::IteratorType::parallel;
  if (dims->hasRaggedDepth)
    loops[2] = utils::IteratorType::parallel;
  Value ends = groupEnds(call, call.operands[2]);
  Value zero = zeroOf(call.builder, call.loc, type.getElementType());
  Value start = filledTensor(call.builder, call.loc, type, zero);
  SmallVector<Value> inputs{call.operands[0], call.operands[1], call.operands[2]};
  auto body = [&](OpBuilder &inner, Location loc, ValueRange args) {
    auto widen = [&](unsigned at) {
      return convertScalar(inner, loc, call.op, args[at], call.writtenOperand(at), call.writtenResult());
    };
    Value sum = multiplyAdd(inner, loc, widen(0), widen(1), args[3]);
    Scalar group(inner, loc, linalg::IndexOp::create(inner, loc, 2));
    Scalar place(inner, loc, linalg::IndexOp::create(inner, loc, dims->hasRaggedDepth ? 3 : 0));
    Scalar first = group.make<tensor::ExtractOp>(ends, ValueRange(Value(group)));
    Scalar end = group.make<tensor::ExtractOp>(ends, ValueRange(Value(group + 1)));
    Scalar isInside = place.compare(arith::CmpIPredicate::sge, first) & place.compare(arith::CmpIPredicate::slt, end);
    linalg::YieldOp::create(inner, loc, Value(isInside.select(place.with(sum), place.with(args[3]))));
  };
  return SmallVector<Value>{
      linalg::GenericOp::create(call.builder, call.loc, type, inputs, start, maps, loops, body).getResult(0)};
}

} // namespace

void addRaggedDotLowerings(HloLowerings &lowerings) { lowerings["ragged_dot"] = lowerRaggedDot; }

} // namespace fuselage
