// Exponential, sine and cosine of f32 numbers of any size. Of sines, GPUs promise theirs from -pi
// to pi only, and upstream's polynomials lose what they subtract multiples of pi/2 in f32 for.
#include "core/transforms/gpu/MathBuilder.h"
#include "core/transforms/gpu/MathExpansion.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Reduces an angle by multiples of pi/2 in integers (Payne and Hanek, "Radian Reduction for
/// Trigonometric Functions", ACM SIGNUM Newsletter 18, 1983), and takes the sine or cosine of what
/// is left from its series.
class AngleExpansion : MathBuilder {
public:
  using MathBuilder::MathBuilder;

  Value expand(Value x, bool isSine) {
    Value size = magnitude(x);
    auto [quadrant, rest] = reduced(size);
    if (!isSine)
      quadrant = plus({quadrant, word(1)}); // the sine of a quarter more
    Value square = multiply({rest, rest});
    Value sine = add({rest, multiply({multiply({rest, square}),
                                      polynomial(square, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1})})});
    Value tail = polynomial(square, {2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2});
    Value cosine =
        add({subtract({real(1), multiply({square, real(0.5)})}), multiply({multiply({square, square}), tail})});
    Value result = choose({isSet(quadrant, 1), cosine, sine});
    Value isNegative = isSet(quadrant, 2);
    if (isSine)
      isNegative = arith::XOrIOp::create(builder, loc, isNegative, isSet(bitsOf(x), 0x80000000));
    result = choose({isNegative, arith::NegFOp::create(builder, loc, result), result});
    return choose({less({size, infinity()}), result, real(NAN)});
  }

private:
  Value isSet(Value bits, uint32_t mask) {
    Value masked = bitAnd({bits, word(mask)});
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked, word(0));
  }

  /// Of 2/pi in binary, words 0, 1, 2 .. where the first is all before the point.
  Value wordOfTwoOverPi(Value index, unsigned further) {
    constexpr uint32_t words[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                  0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
    constexpr unsigned starts = 5; // of f32 numbers, by their exponents
    Value found = word(words[further]);
    for (unsigned start = 1; start < starts; ++start) {
      Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index, word(start));
      found = choose({isHere, word(words[start + further]), found});
    }
    return found;
  }

  std::pair<Value, Value> product(Value a, Value b) {
    auto whole = arith::MulUIExtendedOp::create(builder, loc, a, b);
    return {whole.getLow(), whole.getHigh()};
  }

  /// The nearest multiple of pi/2, modulo 4, and what is left of `size`, from -pi/4 to pi/4.
  std::pair<Value, Value> reduced(Value size) {
    Value bits = bitsOf(size);
    Value significand = bitOr({bitAnd({bits, word(0x7fffff)}), word(0x800000)});
    // Where the bits of 2/pi begin whose product with the significand is below 4; smaller angles
    // need no reduction.
    Value start = minus({shiftRight({bits, word(23)}), word(127 - 7)});
    start = arith::MaxSIOp::create(builder, loc, start, word(0));
    start = arith::MinSIOp::create(builder, loc, start, word(127 + 7));
    Value index = shiftRight({start, word(5)}), shift = bitAnd({start, word(31)}), back = minus({word(31), shift});
    Value words[4], window[3];
    for (unsigned i = 0; i < 4; ++i)
      words[i] = wordOfTwoOverPi(index, i);
    for (unsigned i = 0; i < 3; ++i)
      window[i] = bitOr({shiftLeft({words[i], shift}), shiftRight({shiftRight({words[i + 1], word(1)}), back})});
    // The product's upper 64 bits, of which two stand before the point.
    Value fromThird = product(significand, window[2]).second;
    auto [middleLow, middleHigh] = product(significand, window[1]);
    auto sum = arith::AddUIExtendedOp::create(builder, loc, middleLow, fromThird);
    Value carry = arith::ExtUIOp::create(builder, loc, bitsType(), sum.getOverflow());
    Value low = sum.getSum();
    Value high = plus({plus({product(significand, window[0]).first, middleHigh}), carry});
    Value quadrant = shiftRight({plus({high, word(0x20000000)}), word(30)});
    // As a signed fraction of a quarter turn.
    Value fraction = bitOr({shiftLeft({high, word(2)}), shiftRight({low, word(30)})}), tail = shiftLeft({low, word(2)});
    Value upper = multiply({arith::SIToFPOp::create(builder, loc, type, fraction), real(0x1p-32)});
    Value lower =
        multiply({multiply({arith::UIToFPOp::create(builder, loc, type, tail), real(0x1p-32)}), real(0x1p-32)});
    Value rest = multiply({add({upper, lower}), real(M_PI_2)});
    Value isSmall = less({size, real(M_PI_4)});
    return {choose({isSmall, word(0), quadrant}), choose({isSmall, size, rest})};
  }
};

/// Upstream's exp needs a fused multiplication and addition to be exact, and SPIR-V's is off by as
/// much as its argument is large.
class Exponential : MathBuilder {
public:
  using MathBuilder::MathBuilder;
  Value expand(Value x) { return exponential(x); }
};

} // namespace

Value expandElementary(Operation *op) {
  if (!isa<math::ExpOp, math::SinOp, math::CosOp>(op) || !getElementTypeOrSelf(op->getOperand(0).getType()).isF32())
    return {};
  Value x = op->getOperand(0);
  return isa<math::ExpOp>(op) ? Exponential(op).expand(x) : AngleExpansion(op).expand(x, isa<math::SinOp>(op));
}

} // namespace fuselage
