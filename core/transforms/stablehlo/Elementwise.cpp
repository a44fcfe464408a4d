// Elementwise ops: linalg.generic, and arithmetic on scalars where there are no dimensions. Loops count and conditions
// are made of the latter.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

ScalarCall scalarCall(const HloCall &call, OpBuilder &builder, Location loc, ValueRange args) {
  ScalarCall scalar{.op = call.op, .builder = builder, .loc = loc, .args = llvm::to_vector(args)};
  for (unsigned at = 0; at < args.size(); ++at)
    scalar.from.push_back(call.writtenOperand(at));
  scalar.to = call.writtenResult();
  return scalar;
}

/// Which of the result's dimensions each of an operand's is: those of `broadcast_dimensions` if the operand has fewer,
/// or else the last ones, as CHLO's ops broadcast, and a scalar has none. A dimension of 1 under one of more is
/// repeated.
AffineMap operandMap(HloCall &call, RankedTensorType operand, RankedTensorType result) {
  Builder &builder = call.builder;
  SmallVector<AffineExpr> exprs;
  int64_t first = result.getRank() - operand.getRank();
  auto given = call.op.integers({"broadcast_dimensions"});
  for (int64_t dim = 0; dim < operand.getRank(); ++dim) {
    bool isGiven = first > 0 && given && int64_t(given->size()) == operand.getRank() && (*given)[dim] >= 0 &&
                   (*given)[dim] < result.getRank();
    int64_t at = isGiven ? (*given)[dim] : first + dim;
    bool isRepeated = operand.getDimSize(dim) == 1 && result.getDimSize(at) != 1;
    exprs.push_back(isRepeated ? builder.getAffineConstantExpr(0) : builder.getAffineDimExpr(at));
  }
  return AffineMap::get(result.getRank(), 0, exprs, builder.getContext());
}

/// A result's dynamic size is that of the operand that has the dimension.
std::optional<Value> resultTensor(HloCall &call, RankedTensorType type) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    Value like;
    for (Value operand : call.operands) {
      auto shape = cast<RankedTensorType>(operand.getType());
      int64_t at = dim - (type.getRank() - shape.getRank());
      if (at >= 0 && shape.isDynamicDim(at))
        like = operand;
    }
    if (!like)
      return std::nullopt;
    int64_t at = dim - (type.getRank() - cast<RankedTensorType>(like.getType()).getRank());
    sizes.push_back(tensor::DimOp::create(call.builder, call.loc, like, at));
  }
  return emptyTensor(call.builder, call.loc, type, sizes);
}

/// JAX takes the maximum of a row's maximum and minus infinity: the other operand, NaN included. Null: it is no such
/// op.
Value extremeOfInfinity(HloCall &call) {
  bool isMaximum = call.op.name() == "maximum";
  if ((!isMaximum && call.op.name() != "minimum") || call.operands.size() != 2)
    return {};
  for (unsigned at : {0u, 1u}) {
    auto constant = dyn_cast_or_null<DenseElementsAttr>(constantOf(call.operands[at]));
    if (!constant || !constant.isSplat() || !isa<FloatType>(constant.getElementType()))
      continue;
    APFloat value = constant.getSplatValue<APFloat>();
    if (value.isInfinity() && value.isNegative() == isMaximum && call.operands[1 - at].getType() == call.resultType())
      return call.operands[1 - at];
  }
  return {};
}

} // namespace

HloResults lowerElementwise(HloCall &call) {
  ScalarFunction lowering = scalarLowering(call.op.name());
  RankedTensorType type = call.op->getNumResults() == 1 ? call.resultType() : RankedTensorType();
  if (!lowering || !type || !call.isOnTensors() || call.operands.empty())
    return call.refuse("its operands are not tensors of known rank");
  for (Value operand : call.operands)
    if (cast<RankedTensorType>(operand.getType()).getRank() > type.getRank())
      return call.refuse("its operands do not fit its result");
  if (Value other = extremeOfInfinity(call))
    return SmallVector<Value>{other};
  if (type.getRank() == 0) {
    SmallVector<Value> scalars;
    for (Value operand : call.operands)
      scalars.push_back(scalarOf(call.builder, call.loc, operand));
    Value result = lowering(scalarCall(call, call.builder, call.loc, scalars));
    if (!result)
      return call.refuse("it is not defined on elements of these types");
    return SmallVector<Value>{tensorOf(call.builder, call.loc, result)};
  }
  std::optional<Value> output = resultTensor(call, type);
  if (!output)
    return call.refuse("the sizes of its result are not known");
  SmallVector<AffineMap> maps;
  for (Value operand : call.operands)
    maps.push_back(operandMap(call, cast<RankedTensorType>(operand.getType()), type));
  maps.push_back(call.builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  bool isDefined = true;
  auto generic = linalg::GenericOp::create(call.builder, call.loc, type, call.operands, *output, maps, loops,
                                           [&](OpBuilder &inner, Location loc, ValueRange args) {
                                             Value result = lowering(scalarCall(call, inner, loc, args.drop_back()));
                                             isDefined = result && result.getType() == type.getElementType();
                                             linalg::YieldOp::create(inner, loc, isDefined ? result : args.back());
                                           });
  if (!isDefined)
    return call.refuse("it is not defined on elements of these types");
  return SmallVector<Value>{generic.getResult(0)};
}

namespace {

/// The body of `map` on each element.
HloResults lowerMap(HloCall &call) {
  RankedTensorType type = call.op->getNumResults() == 1 ? call.resultType() : RankedTensorType();
  if (!type || !call.isOnTensors() || call.op->getNumRegions() != 1 || !call.op->getRegion(0).hasOneBlock() ||
      call.operands.empty())
    return call.refuse("it has no body of one block");
  SmallVector<AffineMap> maps(call.operands.size() + 1, call.builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  Value output = emptyLike(call.builder, call.loc, type, call.operands.front());
  std::string why;
  auto outer = [&](Value value) { return call.converted(value); };
  auto generic = linalg::GenericOp::create(
      call.builder, call.loc, type, call.operands, output, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        auto results = inlineScalarBody(inner, call.op->getRegion(0).front(), args.drop_back(), outer, why);
        bool fits = results && results->size() == 1 && results->front().getType() == type.getElementType();
        if (!fits && why.empty())
          why = "its body does not fit";
        linalg::YieldOp::create(inner, loc, fits ? results->front() : args.back());
      });
  if (!why.empty())
    return call.refuse(why);
  return SmallVector<Value>{generic.getResult(0)};
}

} // namespace

void addElementwiseLowerings(HloLowerings &lowerings) {
  for (StringRef name : {"abs",
                         "acos",
                         "acosh",
                         "add",
                         "and",
                         "asin",
                         "asinh",
                         "atan",
                         "atan2",
                         "atanh",
                         "cbrt",
                         "ceil",
                         "clamp",
                         "compare",
                         "complex",
                         "conj",
                         "convert",
                         "cosh",
                         "cosine",
                         "count_leading_zeros",
                         "divide",
                         "erf",
                         "erfc",
                         "exponential",
                         "exponential_minus_one",
                         "floor",
                         "imag",
                         "is_finite",
                         "is_inf",
                         "is_neg_inf",
                         "is_pos_inf",
                         "log",
                         "log_plus_one",
                         "logistic",
                         "maximum",
                         "minimum",
                         "multiply",
                         "negate",
                         "not",
                         "or",
                         "popcnt",
                         "power",
                         "real",
                         "reduce_precision",
                         "remainder",
                         "round_nearest_afz",
                         "round_nearest_even",
                         "rsqrt",
                         "select",
                         "shift_left",
                         "shift_right_arithmetic",
                         "shift_right_logical",
                         "sign",
                         "sine",
                         "sinh",
                         "sqrt",
                         "square",
                         "subtract",
                         "tan",
                         "tanh",
                         "xor"}) {
    lowerings[name] = lowerElementwise;
    lowerings[("broadcast_" + name).str()] = lowerElementwise;
  }
  lowerings["bitcast_convert"] = lowerElementwise;
  lowerings["map"] = lowerMap;
}

} // namespace fuselage
