// Collectives and elementwise ops on simulated devices: the meaning that moves must keep, by definition.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fuselage::simulation {

/// A matrix.
struct Matrix {
  int64_t rows = 0, columns = 0;
  std::vector<double> data{};

  double &at(int64_t row, int64_t column) { return data[size_t(row * columns + column)]; }
  double at(int64_t row, int64_t column) const { return data[size_t(row * columns + column)]; }
  bool operator==(const Matrix &other) const = default;
};
/// One matrix a device.
using OnDevices = std::vector<Matrix>;
using Groups = std::vector<std::vector<int64_t>>;

struct CollectiveOp {
  enum Kind { AllReduce, AllGather, ReduceScatter, AllToAll, Permute, KindCount } kind;
  char reduction = '+'; ///< '+', '>' (maximum) or '<' (minimum)
  int dim = 0, splitDim = 0;
  Groups groups;
  std::vector<std::pair<int64_t, int64_t>> pairs{};
};
OnDevices run(const CollectiveOp &op, const OnDevices &values);

/// The collective on transposed matrices.
CollectiveOp transposed(CollectiveOp op);
OnDevices transposed(const OnDevices &values);

/// An arithmetic op of `x`, the value, and `o`, another input.
struct Arithmetic {
  const char *mlir; ///< lines with %x, %o, %two, ..; the result is %r
  double (*compute)(double x, double o);
};
extern const std::vector<Arithmetic> arithmetic;

} // namespace fuselage::simulation
