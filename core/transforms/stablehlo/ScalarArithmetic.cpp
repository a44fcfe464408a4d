// Arithmetic on scalars, as the specification of StableHLO defines it for each kind of number.
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace fuselage {
namespace {

/// Integers, floats and complex numbers by an op each.
template <typename Int, typename Float, typename Complex> Value binary(const ScalarCall &call) {
  if (call.isInteger())
    return call.make<Int>(call.args[0], call.args[1]);
  if (call.isFloat())
    return call.make<Float>(call.args[0], call.args[1]);
  return call.isComplex() ? call.make<Complex>(call.args[0], call.args[1]) : Value();
}

template <typename Op> Value bitwise(const ScalarCall &call) {
  return call.isInteger() ? call.make<Op>(call.args[0], call.args[1]) : Value();
}

Value add(const ScalarCall &call) {
  return call.isBoolean() ? bitwise<arith::OrIOp>(call) : binary<arith::AddIOp, arith::AddFOp, complex::AddOp>(call);
}

Value multiply(const ScalarCall &call) {
  return call.isBoolean() ? bitwise<arith::AndIOp>(call) : binary<arith::MulIOp, arith::MulFOp, complex::MulOp>(call);
}

Value subtract(const ScalarCall &call) { return binary<arith::SubIOp, arith::SubFOp, complex::SubOp>(call); }

/// The divisor with 1 in the place of what traps: 0, and -1 under the smallest number.
struct SafeDivision {
  Value isByZero, overflows, divisor;

  explicit SafeDivision(const ScalarCall &call) {
    Value one = call.integer(call.type(), 1);
    isByZero = call.compare(CmpIPredicate::eq, call.args[1], call.integer(call.type(), 0));
    Value traps = isByZero;
    if (!call.isUnsigned()) {
      Value isLowest = call.compare(CmpIPredicate::eq, call.args[0], lowest(call));
      Value isByMinusOne = call.compare(CmpIPredicate::eq, call.args[1], call.integer(call.type(), -1));
      overflows = call.make<arith::AndIOp>(isLowest, isByMinusOne);
      traps = call.make<arith::OrIOp>(traps, overflows);
    }
    divisor = call.select(traps, one, call.args[1]);
  }

  static Value lowest(const ScalarCall &call) {
    return call.make<arith::ConstantOp>(
        call.builder.getIntegerAttr(call.type(), APInt::getSignedMinValue(call.width())));
  }
};

/// XLA's result for a division by zero is -1, and the number itself where the quotient has no place.
Value divide(const ScalarCall &call) {
  if (!call.isInteger())
    return binary<arith::DivSIOp, arith::DivFOp, complex::DivOp>(call);
  SafeDivision safe(call);
  Value quotient = call.isUnsigned() ? call.make<arith::DivUIOp>(call.args[0], safe.divisor)
                                     : call.make<arith::DivSIOp>(call.args[0], safe.divisor);
  return call.select(safe.isByZero, call.integer(call.type(), -1), quotient);
}

/// The remainder of a division by zero is the number itself.
Value remainder(const ScalarCall &call) {
  if (call.isFloat())
    return call.make<arith::RemFOp>(call.args[0], call.args[1]);
  if (!call.isInteger())
    return {};
  SafeDivision safe(call);
  Value rest = call.isUnsigned() ? call.make<arith::RemUIOp>(call.args[0], safe.divisor)
                                 : call.make<arith::RemSIOp>(call.args[0], safe.divisor);
  return call.select(safe.isByZero, call.args[0], rest);
}

/// Complex numbers are in order by their real parts, then by their imaginary ones.
Value complexExtreme(const ScalarCall &call, CmpFPredicate better) {
  Value re[2], im[2];
  for (unsigned at : {0u, 1u}) {
    re[at] = call.make<complex::ReOp>(call.args[at]);
    im[at] = call.make<complex::ImOp>(call.args[at]);
  }
  Value isTie = call.compare(CmpFPredicate::OEQ, re[0], re[1]);
  Value isFirst = call.select(isTie, call.compare(better, im[0], im[1]), call.compare(better, re[0], re[1]));
  return call.select(isFirst, call.args[0], call.args[1]);
}

Value maximum(const ScalarCall &call) {
  if (call.isComplex())
    return complexExtreme(call, CmpFPredicate::OGT);
  if (call.isFloat())
    return call.make<arith::MaximumFOp>(call.args[0], call.args[1]);
  return call.isUnsigned() ? bitwise<arith::MaxUIOp>(call) : bitwise<arith::MaxSIOp>(call);
}

Value minimum(const ScalarCall &call) {
  if (call.isComplex())
    return complexExtreme(call, CmpFPredicate::OLT);
  if (call.isFloat())
    return call.make<arith::MinimumFOp>(call.args[0], call.args[1]);
  return call.isUnsigned() ? bitwise<arith::MinUIOp>(call) : bitwise<arith::MinSIOp>(call);
}

Value negate(const ScalarCall &call) {
  if (call.isFloat())
    return call.make<arith::NegFOp>(call.args[0]);
  if (call.isComplex())
    return call.make<complex::NegOp>(call.args[0]);
  return call.make<arith::SubIOp>(call.integer(call.type(), 0), call.args[0]);
}

Value absolute(const ScalarCall &call) {
  if (call.isFloat())
    return call.make<math::AbsFOp>(call.args[0]);
  if (call.isComplex())
    return call.make<complex::AbsOp>(call.args[0]);
  return call.isUnsigned() ? call.args[0] : call.make<math::AbsIOp>(call.args[0]);
}

Value sign(const ScalarCall &call) {
  if (call.isComplex())
    return call.make<complex::SignOp>(call.args[0]);
  if (call.isFloat()) {
    // NaN stays, and so does the sign of zero.
    Value isOther = call.compare(CmpFPredicate::UEQ, call.args[0], call.real(call.type(), 0));
    Value unit = call.make<math::CopySignOp>(call.real(call.type(), 1), call.args[0]);
    return call.select(isOther, call.args[0], unit);
  }
  Value zero = call.integer(call.type(), 0), one = call.integer(call.type(), 1);
  Value isZero = call.compare(CmpIPredicate::eq, call.args[0], zero);
  if (call.isUnsigned())
    return call.select(isZero, zero, one);
  Value isNegative = call.compare(CmpIPredicate::slt, call.args[0], zero);
  return call.select(isZero, zero, call.select(isNegative, call.integer(call.type(), -1), one));
}

Value invert(const ScalarCall &call) {
  return call.isInteger() ? call.make<arith::XOrIOp>(call.args[0], call.integer(call.type(), -1)) : Value();
}

/// A shift by the width or more moves every bit out.
template <typename Op> Value shift(const ScalarCall &call) {
  if (!call.isInteger())
    return {};
  Value width = call.integer(call.type(), call.width());
  Value isInside = call.compare(CmpIPredicate::ult, call.args[1], width);
  if (call.width() == 1) // 1 has no place in a type of one bit: only a shift by 0 keeps anything
    isInside = call.compare(CmpIPredicate::eq, call.args[1], call.integer(call.type(), 0));
  constexpr bool isArithmetic = std::is_same_v<Op, arith::ShRSIOp>;
  Value most = call.integer(call.type(), call.width() - 1);
  Value amount = call.select(isInside, call.args[1], isArithmetic ? most : call.integer(call.type(), 0));
  Value shifted = call.make<Op>(call.args[0], amount);
  return isArithmetic ? shifted : call.select(isInside, shifted, call.integer(call.type(), 0));
}

/// By squaring, as often as the exponent has bits; a negative exponent leaves what is left of 1 / x^n: 0, or +-1.
Value integerPower(const ScalarCall &call) {
  Type type = call.type();
  Value zero = call.integer(type, 0), one = call.integer(type, 1);
  Value square = call.args[0], power = one;
  for (unsigned bit = 0; bit < call.width(); ++bit) {
    Value mask =
        call.make<arith::ConstantOp>(call.builder.getIntegerAttr(type, APInt::getOneBitSet(call.width(), bit)));
    Value isSet = call.compare(CmpIPredicate::ne, call.make<arith::AndIOp>(call.args[1], mask), zero);
    power = call.select(isSet, call.make<arith::MulIOp>(power, square), power);
    square = call.make<arith::MulIOp>(square, square);
  }
  if (call.isUnsigned())
    return power;
  Value isNegative = call.compare(CmpIPredicate::slt, call.args[1], zero);
  Value isOdd = call.compare(CmpIPredicate::ne, call.make<arith::AndIOp>(call.args[1], one), zero);
  Value minusOne = call.integer(type, -1);
  Value isUnit = call.compare(CmpIPredicate::eq, call.args[0], one);
  Value isMinusUnit = call.compare(CmpIPredicate::eq, call.args[0], minusOne);
  Value ofMinusUnit = call.select(isOdd, minusOne, one);
  Value ofNegative = call.select(isUnit, one, call.select(isMinusUnit, ofMinusUnit, zero));
  return call.select(isNegative, ofNegative, power);
}

Value power(const ScalarCall &call) {
  if (call.isInteger())
    return integerPower(call);
  return call.isFloat()     ? call.make<math::PowFOp>(call.args[0], call.args[1])
         : call.isComplex() ? call.make<complex::PowOp>(call.args[0], call.args[1])
                            : Value();
}

std::optional<CmpIPredicate> integerPredicate(StringRef direction, bool isUnsigned) {
  return llvm::StringSwitch<std::optional<CmpIPredicate>>(direction)
      .Case("EQ", CmpIPredicate::eq)
      .Case("NE", CmpIPredicate::ne)
      .Case("LT", isUnsigned ? CmpIPredicate::ult : CmpIPredicate::slt)
      .Case("LE", isUnsigned ? CmpIPredicate::ule : CmpIPredicate::sle)
      .Case("GT", isUnsigned ? CmpIPredicate::ugt : CmpIPredicate::sgt)
      .Case("GE", isUnsigned ? CmpIPredicate::uge : CmpIPredicate::sge)
      .Default(std::nullopt);
}

std::optional<CmpFPredicate> floatPredicate(StringRef direction) {
  return llvm::StringSwitch<std::optional<CmpFPredicate>>(direction)
      .Case("EQ", CmpFPredicate::OEQ)
      .Case("NE", CmpFPredicate::UNE)
      .Case("LT", CmpFPredicate::OLT)
      .Case("LE", CmpFPredicate::OLE)
      .Case("GT", CmpFPredicate::OGT)
      .Case("GE", CmpFPredicate::OGE)
      .Default(std::nullopt);
}

Value comparison(const ScalarCall &call) {
  std::string direction = call.op.word({"comparison_direction"}), kind = call.op.word({"compare_type"});
  for (const std::string &word : call.op.looseWords())
    (word.size() == 2 ? direction : kind) = word;
  if (call.isComplex()) {
    if (direction == "EQ")
      return call.make<complex::EqualOp>(call.args[0], call.args[1]);
    return direction == "NE" ? call.make<complex::NotEqualOp>(call.args[0], call.args[1]) : Value();
  }
  if (call.isFloat() && kind != "TOTALORDER") {
    auto predicate = floatPredicate(direction);
    return predicate ? call.compare(*predicate, call.args[0], call.args[1]) : Value();
  }
  auto predicate = integerPredicate(direction, kind == "UNSIGNED" || (call.isInteger() && call.isUnsigned()));
  if (!predicate)
    return {};
  auto key = [&](Value number) { return totalOrderKey(call.builder, call.loc, number); };
  if (call.isFloat())
    return call.compare(*predicate, key(call.args[0]), key(call.args[1]));
  return call.isInteger() ? call.compare(*predicate, call.args[0], call.args[1]) : Value();
}

Value selection(const ScalarCall &call) {
  return call.args[0].getType().isInteger(1) ? call.select(call.args[0], call.args[1], call.args[2]) : Value();
}

/// min(max(x, least), most)
Value clamp(const ScalarCall &call) {
  ScalarCall low(call), high(call);
  low.args = {call.args[1], call.args[0]};
  Value raised = maximum(low);
  high.args = {raised, call.args[2]};
  return raised ? minimum(high) : Value();
}

template <typename Op> Value countBits(const ScalarCall &call) {
  return call.isInteger() ? call.make<Op>(call.args[0]) : Value();
}

} // namespace

Value totalOrderKey(OpBuilder &builder, Location loc, Value number) {
  unsigned width = number.getType().getIntOrFloatBitWidth();
  Type type = builder.getIntegerType(width);
  auto constant = [&](const APInt &bits) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, bits));
  };
  Value bits = arith::BitcastOp::create(builder, loc, type, number);
  Value isNegative = arith::CmpIOp::create(builder, loc, CmpIPredicate::slt, bits, constant(APInt::getZero(width)));
  Value flipped = arith::XOrIOp::create(builder, loc, bits, constant(APInt::getSignedMaxValue(width)));
  return arith::SelectOp::create(builder, loc, isNegative, flipped, bits);
}

void addScalarArithmetic(ScalarLowerings &lowerings) {
  lowerings["abs"] = absolute;
  lowerings["add"] = add;
  lowerings["and"] = bitwise<arith::AndIOp>;
  lowerings["clamp"] = clamp;
  lowerings["compare"] = comparison;
  lowerings["count_leading_zeros"] = countBits<math::CountLeadingZerosOp>;
  lowerings["divide"] = divide;
  lowerings["maximum"] = maximum;
  lowerings["minimum"] = minimum;
  lowerings["multiply"] = multiply;
  lowerings["negate"] = negate;
  lowerings["not"] = invert;
  lowerings["or"] = bitwise<arith::OrIOp>;
  lowerings["popcnt"] = countBits<math::CtPopOp>;
  lowerings["power"] = power;
  lowerings["remainder"] = remainder;
  lowerings["select"] = selection;
  lowerings["shift_left"] = shift<arith::ShLIOp>;
  lowerings["shift_right_arithmetic"] = shift<arith::ShRSIOp>;
  lowerings["shift_right_logical"] = shift<arith::ShRUIOp>;
  lowerings["sign"] = sign;
  lowerings["subtract"] = subtract;
  lowerings["xor"] = bitwise<arith::XOrIOp>;
}

} // namespace fuselage
