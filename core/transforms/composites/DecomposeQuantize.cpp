// quantize_affine and dequantize_affine as one elementwise op each.
#include "core/transforms/composites/CompositeOp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The operands of both ops: a tensor, its scale, maybe a zero point, and the tensor that is written.
struct AffineQuantization {
  FloatType real;
  IntegerType stored;
  bool isUnsigned = false; ///< the range is none of a signed integer of that width
  int64_t low = 0, high = 0;
};

/// Whether inputs are a tensor, a scale and at most a zero point, each read through its map and written through the
/// last.
bool hasQuantizationOperands(CompositeOp op, Type real) {
  ValueRange inputs = op.inputs();
  SmallVector<AffineMap> maps = op.indexingMaps();
  if ((inputs.size() != 2 && inputs.size() != 3) || op.outputs().size() != 1 || op->getNumResults() != 1 ||
      maps.size() != inputs.size() + 1 || !maps.back().isIdentity() ||
      op->getResult(0).getType() != op.outputs()[0].getType())
    return false;
  for (auto [value, map] :
       llvm::zip(llvm::concat<const Value>(llvm::to_vector(inputs), llvm::to_vector(op.outputs())), maps)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    int64_t rank = type ? type.getRank() : 0;
    if (map.getNumDims() != maps.back().getNumDims() || map.getNumSymbols() != 0 || map.getNumResults() != rank ||
        !map.isProjectedPermutation() || (!type && isa<ShapedType>(value.getType())))
      return false;
  }
  return getElementTypeOrSelf(inputs[1].getType()) == real &&
         (inputs.size() == 2 || isa<IntegerType>(getElementTypeOrSelf(inputs[2].getType())));
}

/// Reads the op as `real = (stored - zero) * scale`, where it `quantizes` or does the reverse. Nothing if it is
/// another.
std::optional<AffineQuantization> readQuantization(CompositeOp op, bool quantizes) {
  if (op.inputs().empty() || op.outputs().empty())
    return std::nullopt;
  Type from = getElementTypeOrSelf(op.inputs()[0].getType()), to = getElementTypeOrSelf(op.outputs()[0].getType());
  AffineQuantization found;
  found.real = dyn_cast<FloatType>(quantizes ? from : to);
  found.stored = dyn_cast<IntegerType>(quantizes ? to : from);
  std::optional<int64_t> low = op.integer("quant_min"), high = op.integer("quant_max");
  if (!found.real || !found.stored || found.stored.getWidth() > 32 || !low || !high || *low > *high ||
      !hasQuantizationOperands(op, found.real))
    return std::nullopt;
  found.low = *low;
  found.high = *high;
  found.isUnsigned = found.stored.isUnsigned() || !llvm::isIntN(found.stored.getWidth(), *high);
  return found;
}

Value buildElementwise(OpBuilder &builder, CompositeOp op,
                       llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> element) {
  SmallVector<AffineMap> maps = op.indexingMaps();
  SmallVector<utils::IteratorType> loops(maps.back().getNumDims(), utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(builder, op.loc(), op->getResult(0).getType(), op.inputs(), op.outputs(),
                                           maps, loops, [&](OpBuilder &body, Location loc, ValueRange values) {
                                             linalg::YieldOp::create(body, loc, element(body, loc, values.drop_back()));
                                           });
  return generic.getResult(0);
}

} // namespace

Decomposition decomposeQuantize(OpBuilder &builder, CompositeOp op) {
  std::optional<AffineQuantization> form = readQuantization(op, /*quantizes=*/true);
  if (!form)
    return {};
  return {buildElementwise(builder, op, [&](OpBuilder &body, Location loc, ValueRange values) -> Value {
    auto bound = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(body, loc, body.getFloatAttr(form->real, double(number)));
    };
    Value scaled = arith::DivFOp::create(body, loc, values[0], values[1]);
    Value whole = math::RoundEvenOp::create(body, loc, scaled);
    if (values.size() == 3)
      whole = arith::AddFOp::create(body, loc, whole, arith::SIToFPOp::create(body, loc, form->real, values[2]));
    // Before the conversion, which has no result outside of the range.
    whole = arith::MaxNumFOp::create(body, loc, whole, bound(form->low));
    whole = arith::MinNumFOp::create(body, loc, whole, bound(form->high));
    if (form->isUnsigned)
      return arith::FPToUIOp::create(body, loc, form->stored, whole);
    return arith::FPToSIOp::create(body, loc, form->stored, whole);
  })};
}

Decomposition decomposeDequantize(OpBuilder &builder, CompositeOp op) {
  std::optional<AffineQuantization> form = readQuantization(op, /*quantizes=*/false);
  if (!form)
    return {};
  return {buildElementwise(builder, op, [&](OpBuilder &body, Location loc, ValueRange values) -> Value {
    // Wide enough for the difference of any two stored numbers.
    auto wide = body.getIntegerType(form->stored.getWidth() < 32 ? 32 : 64);
    auto widen = [&](Value value, bool isUnsigned) -> Value {
      unsigned width = cast<IntegerType>(value.getType()).getWidth();
      if (width > wide.getWidth())
        return arith::TruncIOp::create(body, loc, wide, value);
      if (width == wide.getWidth())
        return value;
      return isUnsigned ? arith::ExtUIOp::create(body, loc, wide, value).getResult()
                        : arith::ExtSIOp::create(body, loc, wide, value).getResult();
    };
    Value number = widen(values[0], form->isUnsigned);
    if (values.size() == 3)
      number = arith::SubIOp::create(body, loc, number, widen(values[2], false));
    return arith::MulFOp::create(body, loc, arith::SIToFPOp::create(body, loc, form->real, number), values[1]);
  })};
}

} // namespace fuselage
