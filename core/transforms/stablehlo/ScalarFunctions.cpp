// Functions of mathematics on scalars; those of CHLO by the ones that math and complex have.
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace fuselage {
namespace {

/// One op for floats and one for complex numbers.
template <typename Float, typename Complex> Value unary(const ScalarCall &call) {
  if (call.isFloat())
    return call.make<Float>(call.args[0]);
  return call.isComplex() ? call.make<Complex>(call.args[0]) : Value();
}

template <typename Float> Value ofFloat(const ScalarCall &call) {
  return call.isFloat() ? call.make<Float>(call.args[0]) : Value();
}

/// 1 / (1 + exp(-x))
Value logistic(const ScalarCall &call) {
  if (call.isComplex()) {
    auto type = cast<ComplexType>(call.type());
    Value one =
        call.make<complex::CreateOp>(type, call.real(type.getElementType(), 1), call.real(type.getElementType(), 0));
    Value power = call.make<complex::ExpOp>(call.make<complex::NegOp>(call.args[0]));
    return call.make<complex::DivOp>(one, call.make<complex::AddOp>(one, power));
  }
  if (!call.isFloat())
    return {};
  Value one = call.real(call.type(), 1);
  Value power = call.make<math::ExpOp>(call.make<arith::NegFOp>(call.args[0]));
  return call.make<arith::DivFOp>(one, call.make<arith::AddFOp>(one, power));
}

Value cubeRoot(const ScalarCall &call) { return ofFloat<math::CbrtOp>(call); }

Value arcTangent2(const ScalarCall &call) {
  if (call.isFloat())
    return call.make<math::Atan2Op>(call.args[0], call.args[1]);
  return call.isComplex() ? call.make<complex::Atan2Op>(call.args[0], call.args[1]) : Value();
}

Value square(const ScalarCall &call) {
  if (call.isComplex())
    return call.make<complex::MulOp>(call.args[0], call.args[0]);
  return call.isFloat() ? call.make<arith::MulFOp>(call.args[0], call.args[0])
                        : call.make<arith::MulIOp>(call.args[0], call.args[0]);
}

Value conjugate(const ScalarCall &call) {
  return call.isComplex() ? call.make<complex::ConjOp>(call.args[0]) : call.args[0];
}

/// Whether a float is one of the infinities; `signs` says which count.
Value isInfinite(const ScalarCall &call, bool positive, bool negative) {
  auto type = dyn_cast<FloatType>(call.type());
  if (!type || !APFloat::semanticsHasInf(type.getFloatSemantics()))
    return type ? call.integer(call.builder.getI1Type(), 0) : Value();
  Value value = positive && negative ? call.make<math::AbsFOp>(call.args[0]) : call.args[0];
  Value infinity = call.make<arith::ConstantOp>(
      call.builder.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(), !positive)));
  return call.compare(CmpFPredicate::OEQ, value, infinity);
}

} // namespace

void addScalarFunctions(ScalarLowerings &lowerings) {
  lowerings["atan2"] = arcTangent2;
  lowerings["cbrt"] = cubeRoot;
  lowerings["ceil"] = ofFloat<math::CeilOp>;
  lowerings["conj"] = conjugate;
  lowerings["cosine"] = unary<math::CosOp, complex::CosOp>;
  lowerings["erf"] = ofFloat<math::ErfOp>;
  lowerings["erfc"] = ofFloat<math::ErfcOp>;
  lowerings["exponential"] = unary<math::ExpOp, complex::ExpOp>;
  lowerings["floor"] = ofFloat<math::FloorOp>;
  lowerings["is_inf"] = [](const ScalarCall &call) { return isInfinite(call, true, true); };
  lowerings["is_neg_inf"] = [](const ScalarCall &call) { return isInfinite(call, false, true); };
  lowerings["is_pos_inf"] = [](const ScalarCall &call) { return isInfinite(call, true, false); };
  lowerings["logistic"] = logistic;
  lowerings["round_nearest_afz"] = ofFloat<math::RoundOp>;
  lowerings["round_nearest_even"] = ofFloat<math::RoundEvenOp>;
  lowerings["rsqrt"] = unary<math::RsqrtOp, complex::RsqrtOp>;
  lowerings["sine"] = unary<math::SinOp, complex::SinOp>;
  lowerings["square"] = square;
}

} // namespace fuselage
