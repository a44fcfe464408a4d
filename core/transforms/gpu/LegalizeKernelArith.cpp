// Arithmetic that targets leave open, or compute otherwise than its definition says. Upstream's arith-expand has no
// remainders, and convert-arith-to-spirv makes FRem of remf, whose quotient is rounded.
#include "core/transforms/gpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuselage {
#define GEN_PASS_DEF_LEGALIZEKERNELARITHPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// x - y * (x / y) for numbers of either sign: SPIR-V leaves the remainder of negative ones open, and
/// what the stock conversion makes of it is wrong for the least number.
void expandRemainder(arith::RemSIOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value quotient = arith::DivSIOp::create(builder, loc, op.getLhs(), op.getRhs());
  Value product = arith::MulIOp::create(builder, loc, quotient, op.getRhs());
  op.replaceAllUsesWith(arith::SubIOp::create(builder, loc, op.getLhs(), product).getResult());
  op.erase();
}

/// The exact remainder of two f32 or f64 numbers, by dividing their digits: both are integers times a
/// power of two, and the larger power is brought down a few bits at a time.
class FloatRemainder {
public:
  explicit FloatRemainder(arith::RemFOp op)
      : builder(op), loc(op.getLoc()), type(cast<FloatType>(op.getType())),
        bits(builder.getIntegerType(type.getWidth())), digits(type.getFPMantissaWidth() - 1),
        bias(type.getWidth() == 32 ? 127 : 1023) {}

  Value expand(Value x, Value y) {
    Value signBit = number(int64_t(uint64_t(1) << (type.getWidth() - 1)));
    Value rawX = bitsOf(x), rawY = bitsOf(y);
    Value sign = arith::AndIOp::create(builder, loc, rawX, signBit);
    Value absX = arith::XOrIOp::create(builder, loc, rawX, sign);
    Value absY = arith::SubIOp::create(builder, loc, rawY, arith::AndIOp::create(builder, loc, rawY, signBit));
    auto [digitsX, powerX] = split(absX);
    auto [digitsY, powerY] = split(absY);
    // Without a divisor the result is NaN; only the division must not see it.
    Value divisor = arith::MaxUIOp::create(builder, loc, digitsY, number(1));
    Value rest = bringDown(digitsX, divisor, arith::SubIOp::create(builder, loc, powerX, powerY));
    Value magnitude = join(rest, powerY);
    Value isSmaller = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, absX, absY);
    magnitude = arith::SelectOp::create(builder, loc, isSmaller, absX, magnitude);
    Value result = arith::OrIOp::create(builder, loc, magnitude, sign);
    // Of infinity, by zero, and with NaN.
    Value infinity = number(int64_t(2 * bias + 1) << digits);
    Value endless = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, absX, infinity);
    Value noNumber = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, absY, infinity);
    Value byZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, absY, number(0));
    Value undefined = arith::OrIOp::create(builder, loc, arith::OrIOp::create(builder, loc, endless, noNumber), byZero);
    Value quiet = number((int64_t(2 * bias + 1) << digits) | (int64_t(1) << (digits - 1)));
    result = arith::SelectOp::create(builder, loc, undefined, quiet, result);
    return arith::BitcastOp::create(builder, loc, type, result);
  }

private:
  Value bitsOf(Value value) { return arith::BitcastOp::create(builder, loc, bits, value); }
  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(bits, APInt(type.getWidth(), value, true, true)));
  }

  /// Digits as an integer, and the exponent as it is stored; subnormal numbers have that of the
  /// smallest normal ones.
  std::pair<Value, Value> split(Value magnitude) {
    Value power = arith::ShRUIOp::create(builder, loc, magnitude, number(digits));
    Value fraction = arith::AndIOp::create(builder, loc, magnitude, number((int64_t(1) << digits) - 1));
    Value isNormal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, power, number(0));
    Value one = arith::SelectOp::create(builder, loc, isNormal, number(int64_t(1) << digits), number(0));
    return {arith::OrIOp::create(builder, loc, fraction, one), arith::MaxUIOp::create(builder, loc, power, number(1))};
  }

  /// value * 2^power mod divisor, for a power that is not negative.
  Value bringDown(Value value, Value divisor, Value power) {
    // So many bits are free above a remainder.
    unsigned step = type.getWidth() - digits - 1;
    power = arith::MaxSIOp::create(builder, loc, power, number(0));
    // Changes nothing; says how many rounds the loop makes at most.
    power = arith::AndIOp::create(builder, loc, power, number(2 * bias + 1));
    Value rest = arith::RemUIOp::create(builder, loc, value, divisor);
    Value steps = arith::DivUIOp::create(builder, loc, power, number(step));
    Value lastBits = arith::RemUIOp::create(builder, loc, power, number(step));
    auto shifted = [&](OpBuilder &nested, Value rest, Value by) -> Value {
      Value high = arith::ShLIOp::create(nested, loc, rest, by);
      return arith::RemUIOp::create(nested, loc, high, divisor);
    };
    auto index = [&](Value value) -> Value {
      return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
    };
    Value all = number(step);
    auto loop = scf::ForOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, 0), index(steps),
                                   arith::ConstantIndexOp::create(builder, loc, 1), rest,
                                   [&](OpBuilder &nested, Location, Value, ValueRange carried) {
                                     Value next = shifted(nested, carried.front(), all);
                                     scf::YieldOp::create(nested, loc, next);
                                   });
    return shifted(builder, loop.getResult(0), lastBits);
  }

  /// The bits of digits * 2^power, for fewer digits than a normal number of that power has.
  Value join(Value rest, Value power) {
    // As a normal number: that of the digits themselves, its exponent moved.
    Value direct = bitsOf(arith::UIToFPOp::create(builder, loc, type, rest));
    Value by = arith::SubIOp::create(builder, loc, power, number(int64_t(bias) + digits));
    Value exponent =
        arith::AddIOp::create(builder, loc, arith::ShRUIOp::create(builder, loc, direct, number(digits)), by);
    Value normal = arith::AddIOp::create(builder, loc, direct, arith::ShLIOp::create(builder, loc, by, number(digits)));
    // As a subnormal one: the digits in their place.
    Value shift =
        arith::MinUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, power, number(1)), number(digits));
    Value subnormal = arith::ShLIOp::create(builder, loc, rest, shift);
    Value isNormal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, exponent, number(0));
    Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, number(0));
    Value value = arith::SelectOp::create(builder, loc, isNormal, normal, subnormal);
    return arith::SelectOp::create(builder, loc, isZero, number(0), value);
  }

  OpBuilder builder;
  Location loc;
  FloatType type;
  Type bits;
  unsigned digits; ///< that are stored
  unsigned bias;
};

void expandRemainder(arith::RemFOp op) {
  OpBuilder builder(op);
  Value x = op.getLhs(), y = op.getRhs(), result;
  if (op.getType().isF16()) {
    // Exact both ways: a remainder has no more digits than its operands.
    auto wide = [&](Value value) -> Value {
      return arith::ExtFOp::create(builder, op.getLoc(), builder.getF32Type(), value);
    };
    auto inF32 = arith::RemFOp::create(builder, op.getLoc(), wide(x), wide(y));
    result = arith::TruncFOp::create(builder, op.getLoc(), op.getType(), inF32);
    expandRemainder(inF32);
  } else if (op.getType().isF32() || op.getType().isF64()) {
    result = FloatRemainder(op).expand(x, y);
  } else {
    return;
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

/// The type with elements of f32.
Type inF32(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(f32)) : f32;
}

/// f16 numbers divided in f32, and rounded: Vulkan lets a quotient be 2.5 units of its last place off, which of f32 no
/// f16 number shows.
void divideInF32(arith::DivFOp op) {
  if (!getElementTypeOrSelf(op.getType()).isF16())
    return;
  OpBuilder builder(op);
  Type wide = inF32(op.getType());
  Value lhs = arith::ExtFOp::create(builder, op.getLoc(), wide, op.getLhs());
  Value rhs = arith::ExtFOp::create(builder, op.getLoc(), wide, op.getRhs());
  Value quotient = arith::DivFOp::create(builder, op.getLoc(), lhs, rhs);
  op.replaceAllUsesWith(arith::TruncFOp::create(builder, op.getLoc(), op.getType(), quotient).getResult());
  op.erase();
}

/// SPIR-V chooses between whole vectors from version 1.4 on only.
void chooseByElement(arith::SelectOp op) {
  auto vector = dyn_cast<VectorType>(op.getType());
  if (!vector || isa<VectorType>(op.getCondition().getType()))
    return;
  OpBuilder builder(op);
  op.getConditionMutable().set(
      vector::BroadcastOp::create(builder, op.getLoc(), vector.clone(builder.getI1Type()), op.getCondition()));
}

struct LegalizeKernelArith : fuselage::impl::LegalizeKernelArithPassBase<LegalizeKernelArith> {
  using LegalizeKernelArithPassBase::LegalizeKernelArithPassBase;

  void runOnOperation() override {
    bool spirv = target == "spirv";
    if (!spirv && target != "nvvm") {
      getOperation()->emitError() << "unknown target '" << target << "'; use spirv or nvvm";
      return signalPassFailure();
    }
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](arith::RemFOp op) { expandRemainder(op); });
      if (!spirv)
        return;
      kernel.walk([&](arith::RemSIOp op) { expandRemainder(op); });
      kernel.walk([&](arith::DivFOp op) { divideInF32(op); });
      kernel.walk([&](arith::SelectOp op) { chooseByElement(op); });
    });
  }
};

} // namespace
