// Upstream's expansions (math-expand-ops and the polynomial approximations) are used where they
// hold. These do not: sinh and asinh lose their digits around 0 (1.0014e-5 of 1e-5), sinh overflows
// from 88.8 on, asinh and acosh from 1e20 on, round(0.49999997) is 1, powf is NaN for 0^0 and for
// the powers of -1, atan2 for two zeros or two infinities. cosh overflows from 88.8 on, too, atanh
// has no digits around 0, atan is 38 units in the last place off, exp2 and powf up to 60 and 170,
// by the rounding of their exponents. expm1 is -6e-8 of -1.2e-38, and log1p divides by a difference
// that GLSL's log, good to 2^-21 around 1, must match. For isnan and its kin, absi, ctpop and cttz
// there are none, and clampf takes the bounds the wrong way round.
#include "core/transforms/gpu/MathExpansion.h"
#include "core/transforms/gpu/LogarithmParts.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Rewrites single functions that no stock pattern knows.
class DirectExpansion : LogarithmParts {
public:
  explicit DirectExpansion(Operation *op) : LogarithmParts(op), op(op) {}

  /// The value in place of the op's result; null to leave the op alone.
  Value expand() {
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      return expandFloat(op->getOperand(0));
    if (isa<IndexType>(getElementTypeOrSelf(type)))
      return onIntegers();
    if (isa<math::AbsIOp>(op))
      return arith::MaxSIOp::create(builder, loc, op->getOperand(0),
                                    arith::SubIOp::create(builder, loc, number(0), op->getOperand(0)));
    if (!isa<IntegerType>(type))
      return {};
    if (isa<math::CtPopOp>(op))
      return countOnes(op->getOperand(0));
    if (isa<math::CountTrailingZerosOp>(op)) {
      // The ones of ~x & (x - 1) are the zeros below the lowest one of x.
      Value x = op->getOperand(0);
      Value inverted = arith::XOrIOp::create(builder, loc, x, number(-1));
      Value below = arith::SubIOp::create(builder, loc, x, number(1));
      return countOnes(arith::AndIOp::create(builder, loc, inverted, below));
    }
    return {};
  }

  /// Half to even. The part above the floor is exact but for x in (-0.5, 0), where it may round to 0.5: the floor is
  /// odd there, and -0 the result.
  Value expandRoundEven() {
    Value x = op->getOperand(0);
    Value below = math::FloorOp::create(builder, loc, x);
    Value rest = subtract({x, below}), above = add({below, real(1)});
    Value half = multiply({below, real(0.5)});
    Value isEven = equal({math::FloorOp::create(builder, loc, half), half});
    Value tie = choose({isEven, below, above});
    Value upper = choose({compare({arith::CmpFPredicate::OGT, rest, real(0.5)}), above, tie});
    Value rounded = choose({less({rest, real(0.5)}), below, upper});
    return math::CopySignOp::create(builder, loc, rounded, x);
  }

private:
  /// The same op on integers of 64 bits, as wide as an index is, and back.
  Value onIntegers() {
    auto withElement = [&](Type element) -> Type {
      auto vector = dyn_cast<VectorType>(type);
      return vector ? vector.clone(element) : element;
    };
    Type wide = withElement(builder.getI64Type());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(arith::IndexCastOp::create(builder, loc, wide, operand));
    Operation *same = builder.create(loc, op->getName().getIdentifier(), operands, wide);
    Value result = same->getResult(0);
    if (Value expanded = expandMath(same)) {
      result = expanded;
      same->erase();
    }
    return arith::IndexCastOp::create(builder, loc, type, result);
  }

  Value expandFloat(Value x) {
    if (isa<math::IsNaNOp>(op))
      return compare({arith::CmpFPredicate::UNO, x, x});
    if (isa<math::IsInfOp>(op))
      return compare({arith::CmpFPredicate::OEQ, magnitude(x), infinity()});
    if (isa<math::IsFiniteOp>(op))
      return compare({arith::CmpFPredicate::OLT, magnitude(x), infinity()});
    if (isa<math::IsNormalOp>(op)) {
      auto element = cast<FloatType>(getElementTypeOrSelf(type));
      Value least =
          createScalarOrSplatConstant(builder, loc, type, APFloat::getSmallestNormalized(element.getFloatSemantics()));
      return bitAnd({compare({arith::CmpFPredicate::OGE, magnitude(x), least}),
                     compare({arith::CmpFPredicate::OLT, magnitude(x), infinity()})});
    }
    if (auto clamp = dyn_cast<math::ClampFOp>(op))
      return arith::MaximumFOp::create(builder, loc, arith::MinimumFOp::create(builder, loc, x, clamp.getMax()),
                                       clamp.getMin());
    if (isa<math::Log10Op>(op))
      return multiply({math::LogOp::create(builder, loc, x), real(0.43429448190325182765)});
    if (isa<math::PowFOp>(op))
      return power(x, op->getOperand(1));
    if (isa<math::FPowIOp>(op))
      return integerPower(x, op->getOperand(1));
    if (isa<math::Atan2Op>(op))
      return angle(x, op->getOperand(1));
    if (isa<math::AsinhOp, math::AcoshOp>(op))
      return inverseHyperbolic(x);
    if (isa<math::SinhOp, math::CoshOp>(op))
      return hyperbolic(x);
    if (isa<math::ErfcOp>(op) && getElementTypeOrSelf(type).isF32())
      return complementOfError(x);
    if (isa<math::AtanOp>(op))
      return arcTangent(x);
    if (isa<math::AtanhOp>(op))
      return inverseTangent(x);
    if (isa<math::Exp2Op>(op) && getElementTypeOrSelf(type).isF32())
      return powerOfTwo(x, real(0));
    if (isa<math::ExpM1Op>(op))
      return expMinusOne(x);
    if (isa<math::Log1pOp>(op))
      return logOfOnePlus(x);
    if (isa<math::AcosOp>(op))
      return choose({compare({arith::CmpFPredicate::UGT, magnitude(x), real(1)}), real(NAN), again(x)});
    if (isa<math::CbrtOp>(op))
      return choose({equal({magnitude(x), infinity()}), x, again(x)});
    if (isa<math::RoundOp>(op))
      return round(x);
    if (isa<math::TruncOp>(op))
      return truncate(x);
    return {};
  }

  Value truncate(Value x) {
    Value negative = compare({arith::CmpFPredicate::OLT, x, real(0)});
    return choose({negative, math::CeilOp::create(builder, loc, x), math::FloorOp::create(builder, loc, x)});
  }

  /// Half away from zero. What truncation cuts off is exact, where x + 0.5 may round to an integer.
  Value round(Value x) {
    Value whole = truncate(x);
    Value rest = magnitude(arith::SubFOp::create(builder, loc, x, whole));
    Value up = compare({arith::CmpFPredicate::OGE, rest, real(0.5)});
    Value more = choose({up, real(1), real(0)});
    Value rounded = arith::AddFOp::create(builder, loc, magnitude(whole), more);
    return math::CopySignOp::create(builder, loc, rounded, x);
  }

  /// The arc tangent of y / x in the quadrant of the two, of zeros and infinities too.
  Value angle(Value y, Value x) {
    Value absX = magnitude(x), absY = magnitude(y);
    Value isSteep = compare({arith::CmpFPredicate::OGT, absY, absX});
    Value smaller = choose({isSteep, absX, absY}), larger = choose({isSteep, absY, absX});
    Value slope = arith::DivFOp::create(builder, loc, smaller, larger);
    slope = choose({equal({smaller, larger}), real(1), slope});
    slope = choose({equal({larger, real(0)}), real(0), slope});
    Value result = arcTangent(slope);
    result = choose({isSteep, arith::SubFOp::create(builder, loc, real(M_PI_2), result), result});
    result = choose({hasSign(x), arith::SubFOp::create(builder, loc, real(M_PI), result), result});
    result = math::CopySignOp::create(builder, loc, result, y);
    return choose({compare({arith::CmpFPredicate::UNO, x, y}), real(NAN), result});
  }

  /// log1p of what the logarithm's argument has above 1, so that small numbers keep their digits; of
  /// large numbers, whose squares would overflow, the logarithm of twice the number.
  Value inverseHyperbolic(Value x) {
    auto root = [&](Value a) -> Value { return math::SqrtOp::create(builder, loc, a); };
    Value size = magnitude(x), one = real(1), above;
    if (isa<math::AsinhOp>(op)) {
      Value square = multiply({size, size});
      above = add({size, arith::DivFOp::create(builder, loc, square, add({one, root(add({square, one}))}))});
    } else {
      Value rest = arith::SubFOp::create(builder, loc, x, one);
      above = add({rest, root(multiply({rest, add({rest, real(2)})}))});
    }
    Value isLarge = compare({arith::CmpFPredicate::OGT, size, real(1e8)});
    Value small = logOfOnePlus(above);
    Value large = add({math::LogOp::create(builder, loc, size), real(M_LN2)});
    large = choose({equal({size, infinity()}), size, large});
    Value result = choose({isLarge, large, small});
    if (isa<math::AsinhOp>(op))
      return math::CopySignOp::create(builder, loc, result, x);
    return choose({compare({arith::CmpFPredicate::ULT, x, one}), real(NAN), result});
  }

  Value hyperbolic(Value x) {
    Value size = magnitude(x), twice;
    bool isSine = isa<math::SinhOp>(op);
    if (isSine) {
      Value grown = expMinusOne(size);
      twice = add({grown, divide({grown, add({grown, real(1)})})});
    } else {
      Value grown = math::ExpOp::create(builder, loc, size);
      twice = add({grown, divide({real(1), grown})});
    }
    // Of large numbers only the growing part counts, which overflows later than its double.
    Value half = math::ExpOp::create(builder, loc, multiply({size, real(0.5)}));
    Value large = multiply({multiply({half, real(0.5)}), half});
    Value result = choose({compare({arith::CmpFPredicate::OGT, size, real(20)}), large, multiply({twice, real(0.5)})});
    return isSine ? math::CopySignOp::create(builder, loc, result, x).getResult() : result;
  }

  /// From its series around 0, in three ranges (Moshier, "Methods and Programs for Mathematical
  /// Functions", 1989).
  Value arcTangent(Value x) {
    Value size = magnitude(x);
    Value isLarge = compare({arith::CmpFPredicate::OGT, size, real(2.414213562373095)});   // the tangent of 3/8 pi
    Value isMiddle = compare({arith::CmpFPredicate::OGT, size, real(0.4142135623730950)}); // of 1/8 pi
    Value rest = choose({isMiddle, divide({subtract({size, real(1)}), add({size, real(1)})}), size});
    rest = choose({isLarge, divide({real(-1), size}), rest});
    Value start = choose({isLarge, real(M_PI_2), choose({isMiddle, real(M_PI_4), real(0)})});
    Value square = multiply({rest, rest});
    Value series = polynomial(square, {8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1});
    Value result = add({start, add({rest, multiply({multiply({series, square}), rest})})});
    return math::CopySignOp::create(builder, loc, result, x);
  }

  Value inverseTangent(Value x) {
    Value size = magnitude(x);
    Value ratio = divide({add({size, size}), subtract({real(1), size})});
    Value result = multiply({logOfOnePlus(ratio), real(0.5)});
    result = choose({compare({arith::CmpFPredicate::UGT, size, real(1)}), real(NAN), result});
    return math::CopySignOp::create(builder, loc, result, x);
  }

  /// exp(-x^2) / x times a series in 1 / x^2 (Moshier), where the square is taken in two parts, as
  /// its rounding would count as often as it is large; around 0 what the error function leaves
  /// of 1.
  Value complementOfError(Value x) {
    Value size = magnitude(x), upper = upperHalf(size), lower = subtract({size, upper});
    Value product = multiply({lower, add({size, upper})});
    Value decay = multiply({exponential(arith::NegFOp::create(builder, loc, multiply({upper, upper}))),
                            exponential(arith::NegFOp::create(builder, loc, product))});
    Value inverse = divide({real(1), size}), square = multiply({inverse, inverse});
    Value near = polynomial(square, {2.326819970068386e-2, -1.387039388740657e-1, 3.687424674597105e-1,
                                     -5.824733027278666e-1, 6.210004621745983e-1, -4.944515323274145e-1,
                                     3.404879937665872e-1, -2.741127028184656e-1, 5.638259427386472e-1});
    Value far =
        polynomial(square, {-1.047766399936249e+1, 1.297719955372516e+1, -7.495518717768503, 2.921019019210786,
                            -1.015265279202700, 4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1});
    Value tail = multiply({multiply({decay, inverse}), choose({less({size, real(2)}), near, far})});
    tail = choose({less({real(10.5), size}), real(0), tail}); // below all numbers, and infinity's square is none
    tail = choose({hasSign(x), subtract({real(2), tail}), tail});
    Value middle = subtract({real(1), math::ErfOp::create(builder, loc, x)});
    Value result = choose({less({size, real(1)}), middle, tail});
    return choose({compare({arith::CmpFPredicate::UNO, x, x}), x, result});
  }

  /// 2^(x + more), where `more` is what x has been rounded by.
  Value powerOfTwo(Value x, Value more) {
    Value inside = clampedExponent(x), whole = nearestWhole(inside);
    Value rest = add({subtract({inside, whole}), choose({equal({inside, x}), more, real(0)})});
    return choose({compare({arith::CmpFPredicate::UNO, x, x}), x, scaledPower(rest, whole)});
  }

  /// Around zero by the series, since exp(x) - 1 has no digits left there.
  Value expMinusOne(Value x) {
    Value series = real(1.0 / 720);
    for (double factor : {1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0})
      series = add({multiply({series, x}), real(factor)});
    series = multiply({series, x});
    Value direct = subtract({math::ExpOp::create(builder, loc, x), real(1)});
    return choose({compare({arith::CmpFPredicate::OLT, magnitude(x), real(0.1)}), series, direct});
  }

  /// Around zero by the series of twice the inverse hyperbolic tangent of x / (2 + x).
  Value logOfOnePlus(Value x) {
    Value ratio = arith::DivFOp::create(builder, loc, x, add({x, real(2)}));
    Value square = multiply({ratio, ratio}), series = real(2.0 / 9);
    for (double factor : {2.0 / 7, 2.0 / 5, 2.0 / 3, 2.0})
      series = add({multiply({series, square}), real(factor)});
    Value direct = math::LogOp::create(builder, loc, add({x, real(1)}));
    return choose({compare({arith::CmpFPredicate::OLT, magnitude(x), real(0.25)}), multiply({series, ratio}), direct});
  }

  Value integerPower(Value x, Value n) {
    if (APInt constant; matchPattern(n, m_ConstantInt(&constant)) && constant.getSignificantBits() <= 32)
      return constantPower(x, constant.getSExtValue());
    Type wide = n.getType();
    auto integer = [&](int64_t value) -> Value { return createScalarOrSplatConstant(builder, loc, wide, value); };
    Value last = arith::AndIOp::create(builder, loc, n, integer(1));
    Value isOdd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, last, integer(0));
    return power(x, arith::SIToFPOp::create(builder, loc, type, n), isOdd);
  }

  /// exp(y * log|x|) with the special cases of IEEE 754's pow; small integer powers by multiplying.
  Value power(Value x, Value y, Value isOdd = {}) {
    if (std::optional<double> n = constantOf(y); n && std::abs(*n) <= 4 && *n == std::floor(*n))
      return constantPower(x, int64_t(*n));
    auto floor = [&](Value value) -> Value { return math::FloorOp::create(builder, loc, value); };
    Value base = magnitude(x), zero = real(0), one = real(1);
    Value result = choose({equal({base, one}), one, magnitudeOfPower(base, y)});
    result = choose({equal({y, one}), base, result});
    // Odd powers of negative numbers, -0 among them, are negative.
    Value half = arith::MulFOp::create(builder, loc, y, real(0.5));
    Value isInteger = equal({floor(y), y});
    if (!isOdd)
      isOdd = bitAnd({isInteger, compare({arith::CmpFPredicate::ONE, floor(half), half})});
    Value isNegative = hasSign(x);
    Value negated = arith::NegFOp::create(builder, loc, result);
    result = choose({bitAnd({isNegative, isOdd}), negated, result});
    Value hasNoRoot = bitAnd({compare({arith::CmpFPredicate::OLT, x, zero}),
                              bitAnd({compare({arith::CmpFPredicate::UNE, floor(y), y}),
                                      compare({arith::CmpFPredicate::ONE, base, infinity()})})});
    result = choose({hasNoRoot, real(NAN), result});
    Value isOne = bitOr({equal({x, one}), equal({y, zero})});
    return choose({isOne, one, result});
  }

  /// base^y for base >= 0.
  Value magnitudeOfPower(Value base, Value y) {
    Value isZero = equal({base, real(0)}), isInfinite = equal({base, infinity()});
    Value end = choose({isZero, real(-INFINITY), infinity()}),
          isEnd = arith::OrIOp::create(builder, loc, isZero, isInfinite);
    if (!getElementTypeOrSelf(type).isF32()) {
      Value log = choose({isEnd, end, math::LogOp::create(builder, loc, base)});
      return math::ExpOp::create(builder, loc, multiply({y, log}));
    }
    Sum exponent = times(y, logarithm(base)); // which has digits for NaN, too
    Value high = choose({isEnd, multiply({y, end}), exponent.high});
    return powerOfTwo(choose({compare({arith::CmpFPredicate::UNO, base, base}), base, high}), exponent.low);
  }

  /// By squaring.
  Value multiplied(Value x, uint64_t n) {
    Value result;
    for (Value square = x; n != 0; n /= 2) {
      if (n % 2 == 1)
        result = result ? arith::MulFOp::create(builder, loc, result, square).getResult() : square;
      if (n > 1)
        square = arith::MulFOp::create(builder, loc, square, square);
    }
    return result ? result : real(1);
  }
  Value constantPower(Value x, int64_t n) {
    Value result = multiplied(x, n < 0 ? -uint64_t(n) : uint64_t(n));
    return n < 0 ? arith::DivFOp::create(builder, loc, real(1), result).getResult() : result;
  }

  /// The number that all elements of a constant are.
  static std::optional<double> constantOf(Value value) {
    FloatAttr number;
    DenseElementsAttr elements;
    if (matchPattern(value, m_Constant(&number)))
      return number.getValueAsDouble();
    if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
      return elements.getSplatValue<APFloat>().convertToDouble();
    return std::nullopt;
  }

  /// Adds up ever wider groups of bits.
  Value countOnes(Value x) {
    unsigned width = type.getIntOrFloatBitWidth();
    for (unsigned group = 1; group < width; group *= 2) {
      APInt pattern = APInt::getSplat(width, APInt::getLowBitsSet(2 * group, group));
      Value mask = createScalarOrSplatConstant(builder, loc, type, pattern);
      Value low = arith::AndIOp::create(builder, loc, x, mask);
      Value moved = arith::ShRUIOp::create(builder, loc, x, number(group));
      x = arith::AddIOp::create(builder, loc, low, arith::AndIOp::create(builder, loc, moved, mask));
    }
    return x;
  }

  /// Whether a number is below zero or -0.
  Value hasSign(Value x) {
    return compare({arith::CmpFPredicate::OLT, math::CopySignOp::create(builder, loc, real(1), x), real(0)});
  }
  /// The same op once more, as a part of its own expansion.
  Value again(Value x) { return builder.create(loc, op->getName().getIdentifier(), x, type)->getResult(0); }
  Value number(int64_t value) {
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    return createScalarOrSplatConstant(builder, loc, type, APInt(width, value, true, true));
  }

  Operation *op;
};

} // namespace

Value expandMath(Operation *op) { return DirectExpansion(op).expand(); }

Value expandRoundEven(Operation *op) { return DirectExpansion(op).expandRoundEven(); }

} // namespace fuselage
