// Building blocks for expansions of math functions.
#pragma once
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

namespace fuselage {

/// Builds scalar code, or the same code on vectors, before an op. GPU compilers may fuse multiplications and additions:
/// what has to be exact is exact with and without that.
class MathBuilder {
public:
  explicit MathBuilder(mlir::Operation *op)
      : builder(op), loc(op->getLoc()), type(op->getNumOperands() ? op->getOperand(0).getType() : mlir::Type()) {}

protected:
  using Value = mlir::Value;

  // The functions below take their operands in braces, whose parts C++ evaluates in order: every compiler then emits
  // the same ops in the same order. Arguments of a call have no order.
  struct Operands {
    Value a, b;
  };
  struct Comparison {
    mlir::arith::CmpFPredicate predicate;
    Value a, b;
  };
  struct Choice {
    Value condition, yes, no;
  };

  Value add(Operands of) { return mlir::arith::AddFOp::create(builder, loc, of.a, of.b); }
  Value subtract(Operands of) { return mlir::arith::SubFOp::create(builder, loc, of.a, of.b); }
  Value multiply(Operands of) { return mlir::arith::MulFOp::create(builder, loc, of.a, of.b); }
  Value divide(Operands of) { return mlir::arith::DivFOp::create(builder, loc, of.a, of.b); }
  Value compare(Comparison of) { return mlir::arith::CmpFOp::create(builder, loc, of.predicate, of.a, of.b); }
  Value equal(Operands of) { return compare({mlir::arith::CmpFPredicate::OEQ, of.a, of.b}); }
  Value less(Operands of) { return compare({mlir::arith::CmpFPredicate::OLT, of.a, of.b}); }
  Value choose(Choice of) { return mlir::arith::SelectOp::create(builder, loc, of.condition, of.yes, of.no); }
  Value magnitude(Value x) { return mlir::math::AbsFOp::create(builder, loc, x); }
  Value infinity() { return real(INFINITY); }
  Value real(double value) {
    llvm::APFloat rounded = builder.getFloatAttr(mlir::getElementTypeOrSelf(type), value).getValue();
    return mlir::createScalarOrSplatConstant(builder, loc, type, rounded);
  }
  /// A polynomial; the highest coefficient comes first.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) {
    Value sum = real(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = add({multiply({sum, x}), real(coefficient)});
    return sum;
  }

  // Operations on the bits of f32 numbers.
  mlir::Type bitsType() {
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    return shaped ? mlir::Type(shaped.clone(builder.getI32Type())) : builder.getI32Type();
  }
  Value word(uint32_t value) {
    return mlir::createScalarOrSplatConstant(builder, loc, bitsType(), llvm::APInt(32, value));
  }
  Value bitsOf(Value x) { return mlir::arith::BitcastOp::create(builder, loc, bitsType(), x); }
  Value realOf(Value bits) { return mlir::arith::BitcastOp::create(builder, loc, type, bits); }
  Value plus(Operands of) { return mlir::arith::AddIOp::create(builder, loc, of.a, of.b); }
  Value minus(Operands of) { return mlir::arith::SubIOp::create(builder, loc, of.a, of.b); }
  Value bitAnd(Operands of) { return mlir::arith::AndIOp::create(builder, loc, of.a, of.b); }
  Value bitOr(Operands of) { return mlir::arith::OrIOp::create(builder, loc, of.a, of.b); }
  Value shiftLeft(Operands of) { return mlir::arith::ShLIOp::create(builder, loc, of.a, of.b); }
  Value shiftRight(Operands of) { return mlir::arith::ShRUIOp::create(builder, loc, of.a, of.b); }

  /// 2^(x + n) for x near 0 and integral n; the result may underflow or overflow.
  Value scaledPower(Value x, Value n) { return scaled(exponentialNearZero(multiply({x, real(M_LN2)})), n); }
  /// x * 2^n, n from -252 to 254.
  Value scaled(Value x, Value n) {
    Value exponent = mlir::arith::FPToSIOp::create(builder, loc, bitsType(), n);
    Value half = mlir::arith::ShRSIOp::create(builder, loc, exponent, word(1));
    auto power = [&](Value whole) { return realOf(shiftLeft({plus({whole, word(127)}), word(23)})); };
    return multiply({multiply({x, power(half)}), power(minus({exponent, half}))});
  }
  /// exp of f32 numbers from -ln 2 / 2 to ln 2 / 2 (Moshier, "Methods and Programs for
  /// Mathematical Functions", 1989).
  Value exponentialNearZero(Value x) {
    Value series = polynomial(
        x, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
    return add({add({multiply({series, multiply({x, x})}), x}), real(1)});
  }
  /// exp of any f32 number. The argument is reduced exactly, without a fused multiply-add.
  Value exponential(Value x) {
    Value above = mlir::arith::MaxNumFOp::create(builder, loc, x, real(-174));
    Value inside = mlir::arith::MinNumFOp::create(builder, loc, above, real(176));
    Value whole = nearestWhole(multiply({inside, real(M_LOG2E)}));
    Value rest =
        subtract({subtract({inside, multiply({whole, real(0.693359375)})}), multiply({whole, real(-2.12194440e-4)})});
    Value result = scaled(exponentialNearZero(rest), whole);
    return choose({compare({mlir::arith::CmpFPredicate::UNO, x, x}), x, result});
  }
  /// Clamps x to the exponents that scaledPower takes; beyond them powers are 0 or infinite. NaN becomes a number.
  Value clampedExponent(Value x) {
    Value above = mlir::arith::MaxNumFOp::create(builder, loc, x, real(-252));
    return mlir::arith::MinNumFOp::create(builder, loc, above, real(254));
  }
  Value nearestWhole(Value x) { return mlir::math::RoundEvenOp::create(builder, loc, x); }

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace fuselage
