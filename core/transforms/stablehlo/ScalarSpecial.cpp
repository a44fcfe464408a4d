// Functions of CHLO and those of complex numbers, by name.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "core/transforms/stablehlo/scalars/SpecialFunctions.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace fuselage {

namespace {

/// A function on f32 or f64; narrower floats go through f32.
template <Scalar (*function)(const Scalar &)> Value ofWide(const ScalarCall &call) {
  auto type = dyn_cast<FloatType>(call.type());
  if (!type || type.getWidth() > 64)
    return {};
  Scalar x(call.builder, call.loc, call.args[0]);
  if (type.getWidth() >= 32)
    return function(x);
  Scalar wide = function(x.make<arith::ExtFOp>(call.builder.getF32Type(), Value(x)));
  return wide.make<arith::TruncFOp>(type, Value(wide));
}

template <Scalar (*function)(const Scalar &, const Scalar &)> Value ofTwoWide(const ScalarCall &call) {
  auto type = dyn_cast<FloatType>(call.type());
  if (!type || type.getWidth() > 64 || call.args.size() != 2)
    return {};
  Scalar x(call.builder, call.loc, call.args[0]), y(call.builder, call.loc, call.args[1]);
  if (type.getWidth() >= 32)
    return function(x, y);
  auto widen = [&](const Scalar &number) {
    return number.make<arith::ExtFOp>(call.builder.getF32Type(), Value(number));
  };
  Scalar wide = function(widen(x), widen(y));
  return wide.make<arith::TruncFOp>(type, Value(wide));
}

/// One function for floats, one for complex numbers.
template <typename Real, ComplexScalar (*function)(const ComplexScalar &)> Value ofBoth(const ScalarCall &call) {
  if (!call.isComplex()) {
    if constexpr (!std::is_void_v<Real>)
      return call.isFloat() ? call.make<Real>(call.args[0]) : Value();
    return {};
  }
  ComplexScalar z{{call.builder, call.loc, call.make<complex::ReOp>(call.args[0])},
                  {call.builder, call.loc, call.make<complex::ImOp>(call.args[0])}};
  ComplexScalar w = function(z);
  return call.make<complex::CreateOp>(call.type(), Value(w.re), Value(w.im));
}

Value nextNumber(const ScalarCall &call) {
  auto type = dyn_cast<FloatType>(call.type());
  if (!type || !APFloat::isIEEELikeFP(type.getFloatSemantics()) || type.getWidth() > 64)
    return {};
  return nextAfter({call.builder, call.loc, call.args[0]}, {call.builder, call.loc, call.args[1]});
}

/// The high half of a product.
Value multiplyHigh(const ScalarCall &call) {
  if (!call.isInteger())
    return {};
  return call.isUnsigned()
             ? arith::MulUIExtendedOp::create(call.builder, call.loc, call.args[0], call.args[1]).getHigh()
             : arith::MulSIExtendedOp::create(call.builder, call.loc, call.args[0], call.args[1]).getHigh();
}

} // namespace

void addSpecialFunctions(ScalarLowerings &lowerings) {
  lowerings["_asin_acos_kernel"] = ofBoth<void, asinAcosKernel>;
  lowerings["acos"] = ofBoth<math::AcosOp, complexAcos>;
  lowerings["acosh"] = ofBoth<math::AcoshOp, complexAcosh>;
  lowerings["asin"] = ofBoth<math::AsinOp, complexAsin>;
  lowerings["asinh"] = ofBoth<math::AsinhOp, complexAsinh>;
  lowerings["atan"] = ofBoth<math::AtanOp, complexAtan>;
  lowerings["atanh"] = ofBoth<math::AtanhOp, complexAtanh>;
  lowerings["bessel_i1e"] = ofWide<besselI1e>;
  lowerings["cosh"] = ofBoth<math::CoshOp, complexCosh>;
  lowerings["digamma"] = ofWide<digamma>;
  lowerings["erf_inv"] = ofWide<inverseErf>;
  lowerings["exponential_minus_one"] = ofBoth<math::ExpM1Op, complexExpm1>;
  lowerings["lgamma"] = ofWide<logGamma>;
  lowerings["log"] = ofBoth<math::LogOp, complexLog>;
  lowerings["log_plus_one"] = ofBoth<math::Log1pOp, complexLog1p>;
  lowerings["mulhi"] = multiplyHigh;
  lowerings["next_after"] = nextNumber;
  lowerings["polygamma"] = ofTwoWide<polygamma>;
  lowerings["sinh"] = ofBoth<math::SinhOp, complexSinh>;
  lowerings["sqrt"] = ofBoth<math::SqrtOp, complexSqrt>;
  lowerings["tan"] = ofBoth<math::TanOp, complexTan>;
  lowerings["tanh"] = ofBoth<math::TanhOp, complexTanh>;
  lowerings["zeta"] = ofTwoWide<hurwitzZeta>;
}

void addSpecialLowerings(HloLowerings &lowerings) {
  for (StringRef name : {"_asin_acos_kernel", "bessel_i1e", "digamma", "erf_inv", "lgamma", "mulhi", "next_after",
                         "polygamma", "zeta"}) {
    lowerings[name] = lowerElementwise;
    lowerings[("broadcast_" + name).str()] = lowerElementwise;
  }
}

} // namespace fuselage
