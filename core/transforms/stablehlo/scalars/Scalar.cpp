#include "core/transforms/stablehlo/scalars/Scalar.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace fuselage {

Scalar Scalar::like(double number) const {
  if (auto type = dyn_cast<FloatType>(this->type()))
    return make<arith::ConstantOp>(builder_->getFloatAttr(type, number));
  return bits(uint64_t(int64_t(number)));
}

Scalar Scalar::bits(uint64_t number) const {
  unsigned width = type().isIndex() ? 64 : type().getIntOrFloatBitWidth();
  return make<arith::ConstantOp>(
      builder_->getIntegerAttr(type(), APInt(width, number, /*isSigned=*/false, /*implicitTrunc=*/true)));
}

Scalar Scalar::bitcast(Type type) const { return this->type() == type ? *this : make<arith::BitcastOp>(type, value_); }

Scalar Scalar::select(const Scalar &yes, const Scalar &no) const {
  return make<arith::SelectOp>(value_, Value(yes), Value(no));
}

Scalar Scalar::operator!() const { return *this ^ bits(1); }

Scalar Scalar::compare(CmpFPredicate predicate, const Scalar &other) const {
  return make<arith::CmpFOp>(predicate, value_, Value(other));
}

Scalar Scalar::compare(CmpIPredicate predicate, const Scalar &other) const {
  return make<arith::CmpIOp>(predicate, value_, Value(other));
}

/// An op of floats or one of integers.
template <typename Float, typename Int> static Scalar binary(const Scalar &left, const Scalar &right) {
  return left.isFloat() ? left.make<Float>(Value(left), Value(right)) : left.make<Int>(Value(left), Value(right));
}

Scalar Scalar::operator-() const { return isFloat() ? apply<arith::NegFOp>() : like(0) - *this; }

Scalar operator+(const Scalar &left, const Scalar &right) { return binary<arith::AddFOp, arith::AddIOp>(left, right); }
Scalar operator-(const Scalar &left, const Scalar &right) { return binary<arith::SubFOp, arith::SubIOp>(left, right); }
Scalar operator*(const Scalar &left, const Scalar &right) { return binary<arith::MulFOp, arith::MulIOp>(left, right); }
Scalar operator/(const Scalar &left, const Scalar &right) {
  return left.make<arith::DivFOp>(Value(left), Value(right));
}

Scalar operator&(const Scalar &left, const Scalar &right) {
  return left.make<arith::AndIOp>(Value(left), Value(right));
}
Scalar operator|(const Scalar &left, const Scalar &right) { return left.make<arith::OrIOp>(Value(left), Value(right)); }
Scalar operator^(const Scalar &left, const Scalar &right) {
  return left.make<arith::XOrIOp>(Value(left), Value(right));
}
Scalar operator<<(const Scalar &left, unsigned places) {
  return left.make<arith::ShLIOp>(Value(left), Value(left.bits(places)));
}
Scalar operator>>(const Scalar &left, unsigned places) {
  return left.make<arith::ShRUIOp>(Value(left), Value(left.bits(places)));
}

Scalar operator<(const Scalar &left, const Scalar &right) { return left.compare(CmpFPredicate::OLT, right); }
Scalar operator>(const Scalar &left, const Scalar &right) { return left.compare(CmpFPredicate::OGT, right); }
Scalar operator<=(const Scalar &left, const Scalar &right) { return left.compare(CmpFPredicate::OLE, right); }
Scalar operator>=(const Scalar &left, const Scalar &right) { return left.compare(CmpFPredicate::OGE, right); }

Scalar isEqual(const Scalar &left, const Scalar &right) {
  return left.isFloat() ? left.compare(CmpFPredicate::OEQ, right) : left.compare(CmpIPredicate::eq, right);
}

Scalar polynomial(const Scalar &x, ArrayRef<double> coefficients) {
  Scalar sum = x.like(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = sum * x + coefficient;
  return sum;
}

} // namespace fuselage
