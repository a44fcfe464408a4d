// Arithmetic on scalars as formulas are written: each operator adds an op of arith.
#pragma once
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace fuselage {

/// An integer or a float that ops compute, cheap, by value. Integers have no sign: what depends on it has a name.
class Scalar {
public:
  Scalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder_(&builder), loc_(loc), value_(value) {}

  operator mlir::Value() const { return value_; }
  mlir::Type type() const { return value_.getType(); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(type()); }
  mlir::OpBuilder &builder() const { return *builder_; }
  mlir::Location loc() const { return loc_; }

  /// A value of another kind at the same place.
  Scalar with(mlir::Value value) const { return {*builder_, loc_, value}; }
  /// A number of this type: rounded to it, or its low bits.
  Scalar like(double number) const;
  Scalar bits(uint64_t number) const;
  template <typename Op, typename... Args> Scalar make(Args &&...args) const {
    return with(Op::create(*builder_, loc_, std::forward<Args>(args)...));
  }
  /// A function of this number: x.apply<math::ExpOp>().
  template <typename Op> Scalar apply() const { return make<Op>(value_); }
  /// Its bits in another type of the same width.
  Scalar bitcast(mlir::Type type) const;

  /// This is a condition.
  Scalar select(const Scalar &yes, const Scalar &no) const;
  Scalar operator!() const;

  Scalar compare(mlir::arith::CmpFPredicate predicate, const Scalar &other) const;
  Scalar compare(mlir::arith::CmpIPredicate predicate, const Scalar &other) const;

  Scalar operator-() const;

private:
  mlir::OpBuilder *builder_;
  mlir::Location loc_;
  mlir::Value value_;
};

Scalar operator+(const Scalar &left, const Scalar &right);
Scalar operator-(const Scalar &left, const Scalar &right);
Scalar operator*(const Scalar &left, const Scalar &right);
/// Of floats.
Scalar operator/(const Scalar &left, const Scalar &right);
inline Scalar operator+(const Scalar &left, double right) { return left + left.like(right); }
inline Scalar operator-(const Scalar &left, double right) { return left - left.like(right); }
inline Scalar operator*(const Scalar &left, double right) { return left * left.like(right); }
inline Scalar operator/(const Scalar &left, double right) { return left / left.like(right); }
inline Scalar operator+(double left, const Scalar &right) { return right.like(left) + right; }
inline Scalar operator-(double left, const Scalar &right) { return right.like(left) - right; }
inline Scalar operator*(double left, const Scalar &right) { return right.like(left) * right; }
inline Scalar operator/(double left, const Scalar &right) { return right.like(left) / right; }

// Of integers and conditions.
Scalar operator&(const Scalar &left, const Scalar &right);
Scalar operator|(const Scalar &left, const Scalar &right);
Scalar operator^(const Scalar &left, const Scalar &right);
/// Zeros come in on either side.
Scalar operator<<(const Scalar &left, unsigned places);
Scalar operator>>(const Scalar &left, unsigned places);

// Of floats; false if one is NaN.
Scalar operator<(const Scalar &left, const Scalar &right);
Scalar operator>(const Scalar &left, const Scalar &right);
Scalar operator<=(const Scalar &left, const Scalar &right);
Scalar operator>=(const Scalar &left, const Scalar &right);
inline Scalar operator<(const Scalar &left, double right) { return left < left.like(right); }
inline Scalar operator>(const Scalar &left, double right) { return left > left.like(right); }
inline Scalar operator<=(const Scalar &left, double right) { return left <= left.like(right); }
inline Scalar operator>=(const Scalar &left, double right) { return left >= left.like(right); }

/// Of integers and floats.
Scalar isEqual(const Scalar &left, const Scalar &right);
inline Scalar isEqual(const Scalar &left, double right) { return isEqual(left, left.like(right)); }

/// c0 + x (c1 + x (c2 + ...)), the coefficients from the highest power down, as tables print them.
Scalar polynomial(const Scalar &x, llvm::ArrayRef<double> coefficients);

} // namespace fuselage
