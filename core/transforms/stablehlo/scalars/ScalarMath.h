// Functions of mathematics on floats, by their usual names.
#pragma once
#include "core/transforms/stablehlo/scalars/Scalar.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace fuselage {

inline Scalar abs(const Scalar &x) { return x.apply<mlir::math::AbsFOp>(); }
inline Scalar atan2(const Scalar &y, const Scalar &x) {
  return y.make<mlir::math::Atan2Op>(mlir::Value(y), mlir::Value(x));
}
inline Scalar cos(const Scalar &x) { return x.apply<mlir::math::CosOp>(); }
inline Scalar exp(const Scalar &x) { return x.apply<mlir::math::ExpOp>(); }
inline Scalar floor(const Scalar &x) { return x.apply<mlir::math::FloorOp>(); }
inline Scalar log(const Scalar &x) { return x.apply<mlir::math::LogOp>(); }
inline Scalar log1p(const Scalar &x) { return x.apply<mlir::math::Log1pOp>(); }
inline Scalar pow(const Scalar &x, const Scalar &y) {
  return x.make<mlir::math::PowFOp>(mlir::Value(x), mlir::Value(y));
}
inline Scalar sin(const Scalar &x) { return x.apply<mlir::math::SinOp>(); }
inline Scalar sqrt(const Scalar &x) { return x.apply<mlir::math::SqrtOp>(); }
inline Scalar copysign(const Scalar &x, const Scalar &sign) {
  return x.make<mlir::math::CopySignOp>(mlir::Value(x), mlir::Value(sign));
}
inline Scalar fmax(const Scalar &x, const Scalar &y) {
  return x.make<mlir::arith::MaximumFOp>(mlir::Value(x), mlir::Value(y));
}
inline Scalar fmin(const Scalar &x, const Scalar &y) {
  return x.make<mlir::arith::MinimumFOp>(mlir::Value(x), mlir::Value(y));
}

} // namespace fuselage
