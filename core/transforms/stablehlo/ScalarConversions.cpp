// From one type of number to another.
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace fuselage {
namespace {

Value toFloat(const ScalarCall &call, Value value, bool isUnsigned, FloatType to) {
  if (auto integer = dyn_cast<IntegerType>(value.getType()))
    return isUnsigned ? call.make<arith::UIToFPOp>(to, value) : call.make<arith::SIToFPOp>(to, value);
  auto from = dyn_cast<FloatType>(value.getType());
  if (!from || from == to)
    return from ? value : Value();
  if (from.getWidth() < to.getWidth())
    return call.make<arith::ExtFOp>(to, value);
  if (from.getWidth() > to.getWidth())
    return call.make<arith::TruncFOp>(to, value);
  // f16 and bf16: through f32.
  return call.make<arith::TruncFOp>(to, call.make<arith::ExtFOp>(call.builder.getF32Type(), value));
}

/// Numbers beyond the type become its bounds, NaN 0: what XLA does. arith.fptosi has no value there.
Value floatToInteger(const ScalarCall &call, Value value, IntegerType to, bool isUnsigned) {
  auto from = cast<FloatType>(value.getType());
  // In types with few exponents the bounds have no place.
  if (from.getWidth() < 32)
    return floatToInteger(call, call.make<arith::ExtFOp>(call.builder.getF32Type(), value), to, isUnsigned);
  unsigned width = to.getWidth();
  APInt low = isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width);
  APInt high = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto bound = [&](const APInt &number) { return call.make<arith::ConstantOp>(IntegerAttr::get(to, number)); };
  auto real = [&](double number) { return call.real(from, number); };
  double beyond = std::ldexp(1.0, isUnsigned ? width : width - 1); // the first number that is too large
  Value isHigh = call.compare(CmpFPredicate::OGE, value, real(beyond));
  Value isLow = isUnsigned ? call.compare(CmpFPredicate::OLE, value, real(-1))
                           : call.compare(CmpFPredicate::OLT, value, real(-beyond));
  Value isNan = call.compare(CmpFPredicate::UNO, value, value);
  Value isOutside = call.make<arith::OrIOp>(call.make<arith::OrIOp>(isHigh, isLow), isNan);
  Value inside = call.select(isOutside, real(0), value);
  Value converted = isUnsigned ? call.make<arith::FPToUIOp>(to, inside) : call.make<arith::FPToSIOp>(to, inside);
  return call.select(isHigh, bound(high), call.select(isLow, bound(low), converted));
}

Value toInteger(const ScalarCall &call, Value value, bool fromUnsigned, IntegerType to, bool toUnsigned) {
  if (isa<FloatType>(value.getType()))
    return floatToInteger(call, value, to, toUnsigned);
  auto from = dyn_cast<IntegerType>(value.getType());
  if (!from || from == to)
    return from ? value : Value();
  if (from.getWidth() > to.getWidth())
    return call.make<arith::TruncIOp>(to, value);
  return fromUnsigned ? call.make<arith::ExtUIOp>(to, value) : call.make<arith::ExtSIOp>(to, value);
}

/// Whether a number is not zero; NaN is not.
Value toBoolean(const ScalarCall &call, Value value) {
  if (isa<FloatType>(value.getType()))
    return call.compare(CmpFPredicate::UNE, value, call.real(value.getType(), 0));
  return value.getType().isInteger(1) ? value
                                      : call.compare(CmpIPredicate::ne, value, call.integer(value.getType(), 0));
}

Value toComplex(const ScalarCall &call, ComplexType to) {
  auto element = dyn_cast<FloatType>(to.getElementType());
  if (!element)
    return {};
  Value re = call.args[0], im;
  if (call.isComplex()) {
    re = call.make<complex::ReOp>(call.args[0]);
    im = toFloat(call, call.make<complex::ImOp>(call.args[0]), false, element);
  }
  re = toFloat(call, re, call.isUnsigned(), element);
  if (!im)
    im = call.real(element, 0);
  return re && im ? call.make<complex::CreateOp>(to, re, im) : Value();
}

Value convert(const ScalarCall &call) {
  Type to = signlessElement(call.to);
  if (auto target = dyn_cast<ComplexType>(to))
    return toComplex(call, target);
  Value value = call.isComplex() ? call.make<complex::ReOp>(call.args[0]) : call.args[0];
  if (to.isInteger(1))
    return toBoolean(call, value);
  if (auto target = dyn_cast<FloatType>(to))
    return toFloat(call, value, call.isUnsigned(), target);
  auto target = dyn_cast<IntegerType>(to);
  return target ? toInteger(call, value, call.isUnsigned(), target, isUnsignedElement(call.to)) : Value();
}

/// Between elements of one width. Others change the shape: Bitcast.cpp.
Value bitcast(const ScalarCall &call) {
  Type to = signlessElement(call.to);
  if (call.isComplex() || isa<ComplexType>(to))
    return call.type() == to ? call.args[0] : Value();
  if (call.type() == to)
    return call.args[0];
  return call.type().getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth()
             ? call.make<arith::BitcastOp>(to, call.args[0])
             : Value();
}

Value makeComplex(const ScalarCall &call) {
  auto to = dyn_cast<ComplexType>(call.to);
  return to && call.isFloat() ? call.make<complex::CreateOp>(to, call.args[0], call.args[1]) : Value();
}

Value realPart(const ScalarCall &call) {
  return call.isComplex() ? call.make<complex::ReOp>(call.args[0]) : call.args[0];
}

Value imaginaryPart(const ScalarCall &call) {
  if (call.isComplex())
    return call.make<complex::ImOp>(call.args[0]);
  return call.isFloat() ? call.real(call.type(), 0) : Value();
}

Value isFinite(const ScalarCall &call) {
  if (!call.isFloat())
    return {};
  const llvm::fltSemantics &semantics = cast<FloatType>(call.type()).getFloatSemantics();
  if (!APFloat::semanticsHasInf(semantics))
    return call.compare(CmpFPredicate::ORD, call.args[0], call.args[0]);
  Value infinity = call.make<arith::ConstantOp>(call.builder.getFloatAttr(call.type(), APFloat::getInf(semantics)));
  return call.compare(CmpFPredicate::OLT, call.make<math::AbsFOp>(call.args[0]), infinity);
}

//===-- reduce_precision --------------------------------------------------===//

/// Bits of exponent and mantissa that are left: two attributes, or `format = e5m10`.
std::optional<std::pair<unsigned, unsigned>> precisionOf(const ScalarCall &call) {
  auto exponent = call.op.integer({"exponent_bits"}), mantissa = call.op.integer({"mantissa_bits"});
  if (exponent && mantissa && *exponent >= 1 && *mantissa >= 0)
    return std::pair<unsigned, unsigned>(*exponent, *mantissa);
  std::string format = call.op.word({"format"});
  StringRef rest(format);
  unsigned bits[2];
  if (!rest.consume_front("e") || rest.consumeInteger(10, bits[0]) || !rest.consume_front("m") ||
      rest.consumeInteger(10, bits[1]) || bits[0] == 0)
    return std::nullopt;
  return std::pair(bits[0], bits[1]);
}

/// Rounds to the nearest number with fewer bits, ties to even; what is too large becomes infinity, what is too small
/// zero. Denormals are not kept, as the specification says for types with fewer exponent bits.
Value reducePrecision(const ScalarCall &call) {
  auto precision = precisionOf(call);
  auto type = dyn_cast<FloatType>(call.type());
  if (!precision || !type || !(type.isF16() || type.isBF16() || type.isF32() || type.isF64()))
    return {};
  unsigned width = type.getWidth(), mantissaBits = type.getFPMantissaWidth() - 1;
  unsigned exponentBits = width - 1 - mantissaBits;
  auto [exponent, mantissa] = *precision;
  Type bitsType = call.builder.getIntegerType(width);
  auto constant = [&](const APInt &bits) -> Value {
    return call.make<arith::ConstantOp>(call.builder.getIntegerAttr(bitsType, bits));
  };
  Value bits = call.make<arith::BitcastOp>(bitsType, call.args[0]);
  if (mantissa < mantissaBits) {
    unsigned dropped = mantissaBits - mantissa;
    APInt half = APInt::getLowBitsSet(width, dropped - 1); // just below one half of what is dropped
    Value lastKept = call.make<arith::AndIOp>(call.make<arith::ShRUIOp>(bits, constant(APInt(width, dropped))),
                                              constant(APInt(width, 1)));
    Value bias = call.make<arith::AddIOp>(lastKept, constant(half));
    bits = call.make<arith::AddIOp>(bits, bias);
    bits = call.make<arith::AndIOp>(bits, constant(~APInt::getLowBitsSet(width, dropped)));
  }
  if (exponent < exponentBits) {
    APInt exponentMask = APInt::getBitsSet(width, mantissaBits, width - 1);
    APInt bias = APInt::getLowBitsSet(width, exponentBits - 1), reduced = APInt::getLowBitsSet(width, exponent - 1);
    Value found = call.make<arith::AndIOp>(bits, constant(exponentMask));
    Value isTooLarge = call.compare(CmpIPredicate::ugt, found, constant((bias + reduced).shl(mantissaBits)));
    Value isTooSmall = call.compare(CmpIPredicate::ule, found, constant((bias - reduced).shl(mantissaBits)));
    Value sign = call.make<arith::AndIOp>(bits, constant(APInt::getSignMask(width)));
    Value infinity = call.make<arith::OrIOp>(sign, constant(exponentMask));
    bits = call.select(isTooLarge, infinity, call.select(isTooSmall, sign, bits));
  }
  Value rounded = call.make<arith::BitcastOp>(type, bits);
  Value isNan = call.compare(CmpFPredicate::UNO, call.args[0], call.args[0]);
  return call.select(isNan, call.args[0], rounded);
}

} // namespace

void addScalarConversions(ScalarLowerings &lowerings) {
  lowerings["bitcast_convert"] = bitcast;
  lowerings["complex"] = makeComplex;
  lowerings["convert"] = convert;
  lowerings["imag"] = imaginaryPart;
  lowerings["is_finite"] = isFinite;
  lowerings["real"] = realPart;
  lowerings["reduce_precision"] = reducePrecision;
}

} // namespace fuselage
