// One stage of a fast Fourier transform (Cooley and Tukey) as an op that computes each element from the two of its
// butterfly.
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/ScalarNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <numbers>

using namespace mlir;

namespace fuselage {
namespace {

/// A number in two parts.
struct Parts {
  Value re, im;
};

/// Where an element stands: the butterfly joins `lower` and `lower + half`, by the factor of number `factor`.
struct Butterfly {
  Value half, factor, lower, upper, isUpper;
};

Butterfly placeInStage(OpBuilder &builder, Location loc, Value stage, Value position) {
  Butterfly place;
  Value one = indexConstant(builder, loc, 1);
  Value size = arith::ShLIOp::create(builder, loc, one, stage);
  place.half = arith::ShRUIOp::create(builder, loc, size, one);
  Value inBlock = arith::RemUIOp::create(builder, loc, position, size);
  place.isUpper = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, inBlock, place.half);
  place.factor = arith::RemUIOp::create(builder, loc, inBlock, place.half);
  Value start = arith::SubIOp::create(builder, loc, position, inBlock);
  place.lower = arith::AddIOp::create(builder, loc, start, place.factor);
  place.upper = arith::AddIOp::create(builder, loc, place.lower, place.half);
  return place;
}

/// exp(-pi i j / half)
Parts unitRoot(OpBuilder &builder, Location loc, const Butterfly &place, Type element) {
  auto asFloat = [&](Value index) -> Value {
    Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
    return arith::SIToFPOp::create(builder, loc, element, number);
  };
  Value minusPi = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, -std::numbers::pi));
  Value share = arith::DivFOp::create(builder, loc, asFloat(place.factor), asFloat(place.half));
  Value angle = arith::MulFOp::create(builder, loc, minusPi, share);
  return {math::CosOp::create(builder, loc, angle), math::SinOp::create(builder, loc, angle)};
}

Parts multiply(OpBuilder &b, Location loc, const Parts &x, const Parts &y) {
  auto times = [&](Value u, Value v) -> Value { return arith::MulFOp::create(b, loc, u, v); };
  return {arith::SubFOp::create(b, loc, times(x.re, y.re), times(x.im, y.im)),
          arith::AddFOp::create(b, loc, times(x.re, y.im), times(x.im, y.re))};
}

bool areFactors(Value re, Value im, Type element) {
  auto type = dyn_cast<RankedTensorType>(re.getType());
  return type && type.getRank() == 1 && type.getElementType() == element && im.getType() == type;
}

} // namespace

Decomposition decomposeFft(OpBuilder &builder, CompositeOp op) {
  ValueRange inputs = op.inputs(), outputs = op.outputs();
  auto type = outputs.size() == 2 ? dyn_cast<RankedTensorType>(outputs[0].getType()) : RankedTensorType();
  if (!type || type.getRank() == 0 || !isa<FloatType>(type.getElementType()) || outputs[1].getType() != type ||
      TypeRange(op->getResultTypes()) != TypeRange(outputs.getTypes()) || (inputs.size() != 1 && inputs.size() != 3) ||
      !inputs[0].getType().isIndex() ||
      (inputs.size() == 3 && !areFactors(inputs[1], inputs[2], type.getElementType())))
    return {};
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, op.loc(), outputs[0]);
  Value empty = tensor::EmptyOp::create(builder, op.loc(), sizes, type.getElementType());
  auto generic = linalg::GenericOp::create(
      builder, op.loc(), op->getResultTypes(), ValueRange(), ValueRange{empty, empty}, maps, loops,
      [&](OpBuilder &body, Location loc, ValueRange) {
        SmallVector<Value> at;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          at.push_back(linalg::IndexOp::create(body, loc, dim));
        Butterfly place = placeInStage(body, loc, inputs[0], at.back());
        auto read = [&](Value position) -> Parts {
          at.back() = position;
          return {tensor::ExtractOp::create(body, loc, outputs[0], at),
                  tensor::ExtractOp::create(body, loc, outputs[1], at)};
        };
        Parts lower = read(place.lower), upper = read(place.upper);
        Parts factor = inputs.size() == 3 ? Parts{tensor::ExtractOp::create(body, loc, inputs[1], place.factor),
                                                  tensor::ExtractOp::create(body, loc, inputs[2], place.factor)}
                                          : unitRoot(body, loc, place, type.getElementType());
        Parts turned = multiply(body, loc, factor, upper);
        SmallVector<Value> results;
        for (auto [kept, added] : {std::pair(lower.re, turned.re), std::pair(lower.im, turned.im)})
          results.push_back(arith::SelectOp::create(body, loc, place.isUpper,
                                                    arith::SubFOp::create(body, loc, kept, added),
                                                    arith::AddFOp::create(body, loc, kept, added)));
        linalg::YieldOp::create(body, loc, results);
      });
  return {generic.getResult(0), generic.getResult(1)};
}

} // namespace fuselage
