#include "tests/core/analysis/meshes/DeviceSimulation.h"
#include <algorithm>
#include <cmath>

namespace fuselage::simulation {

const std::vector<Arithmetic> arithmetic = {
    {"%r = arith.mulf %x, %o : f32", [](double x, double o) { return x * o; }},
    {"%r = arith.addf %x, %o : f32", [](double x, double o) { return x + o; }},
    {"%r = arith.subf %x, %o : f32", [](double x, double o) { return x - o; }},
    {"%r = arith.subf %o, %x : f32", [](double x, double o) { return o - x; }},
    {"%r = arith.maximumf %x, %o : f32", [](double x, double o) { return std::max(x, o); }},
    {"%r = arith.minimumf %o, %x : f32", [](double x, double o) { return std::min(x, o); }},
    {"%r = arith.negf %x : f32", [](double x, double) { return -x; }},
    {"%r = arith.mulf %two, %x : f32", [](double x, double) { return 2 * x; }},
    {"%r = arith.mulf %x, %minus : f32", [](double x, double) { return -3 * x; }},
    {"%r = arith.addf %x, %two : f32", [](double x, double) { return x + 2; }},
    {"%r = arith.divf %x, %two : f32", [](double x, double) { return x / 2; }},
    {"%r = math.absf %x : f32", [](double x, double) { return std::abs(x); }},
    {"%r = arith.mulf %x, %x : f32", [](double x, double) { return x * x; }},
    {"%r = arith.maximumf %x, %zero : f32", [](double x, double) { return std::max(x, 0.0); }},
    {"%q = arith.mulf %x, %o : f32\n %r = arith.subf %q, %x : f32", [](double x, double o) { return x * o - x; }},
    {"%q = arith.negf %x : f32\n %r = arith.mulf %q, %two : f32", [](double x, double) { return -x * 2; }},
    {"%q = arith.addf %x, %o : f32\n %r = arith.maximumf %q, %x : f32",
     [](double x, double o) { return std::max(x + o, x); }},
    {"%q = arith.cmpf ogt, %x, %o : f32\n %r = arith.select %q, %x, %o : f32",
     [](double x, double o) { return x > o ? x : o; }},
};

static double combine(char reduction, double a, double b) {
  return reduction == '+' ? a + b : reduction == '>' ? std::max(a, b) : std::min(a, b);
}

/// Rows (dim 0) or columns (dim 1) [first, first + count).
static Matrix part(const Matrix &from, int dim, int64_t first, int64_t count) {
  Matrix result{.rows = dim == 0 ? count : from.rows, .columns = dim == 1 ? count : from.columns};
  result.data.resize(size_t(result.rows * result.columns));
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t column = 0; column < result.columns; ++column)
      result.at(row, column) = from.at(row + (dim == 0 ? first : 0), column + (dim == 1 ? first : 0));
  return result;
}

static Matrix join(const std::vector<Matrix> &parts, int dim) {
  Matrix result{.rows = parts[0].rows, .columns = parts[0].columns};
  (dim == 0 ? result.rows : result.columns) *= int64_t(parts.size());
  result.data.resize(size_t(result.rows * result.columns));
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t column = 0; column < result.columns; ++column) {
      const Matrix &from = parts[size_t(dim == 0 ? row / parts[0].rows : column / parts[0].columns)];
      result.at(row, column) = from.at(row % parts[0].rows, column % parts[0].columns);
    }
  return result;
}

static int64_t length(const Matrix &matrix, int dim) { return dim == 0 ? matrix.rows : matrix.columns; }

static Matrix reduced(const OnDevices &values, const std::vector<int64_t> &group, char reduction) {
  Matrix result = values[size_t(group[0])];
  for (size_t other = 1; other < group.size(); ++other)
    for (size_t element = 0; element < result.data.size(); ++element)
      result.data[element] = combine(reduction, result.data[element], values[size_t(group[other])].data[element]);
  return result;
}

OnDevices run(const CollectiveOp &op, const OnDevices &values) {
  OnDevices results(values.size());
  if (op.kind == CollectiveOp::Permute) {
    for (size_t device = 0; device < values.size(); ++device)
      results[device] = {.rows = values[device].rows,
                         .columns = values[device].columns,
                         .data = std::vector<double>(values[device].data.size())};
    for (auto [source, target] : op.pairs)
      results[size_t(target)] = values[size_t(source)];
    return results;
  }
  for (const std::vector<int64_t> &group : op.groups) {
    const auto count = int64_t(group.size());
    for (int64_t member = 0; member < count; ++member) {
      Matrix &result = results[size_t(group[size_t(member)])];
      std::vector<Matrix> parts;
      if (op.kind == CollectiveOp::AllReduce || op.kind == CollectiveOp::ReduceScatter)
        result = reduced(values, group, op.reduction);
      if (op.kind == CollectiveOp::ReduceScatter) {
        const int64_t each = length(result, op.dim) / count;
        result = part(result, op.dim, member * each, each);
      }
      for (int64_t other : group) {
        const Matrix &from = values[size_t(other)];
        if (op.kind == CollectiveOp::AllGather)
          parts.push_back(from);
        if (op.kind == CollectiveOp::AllToAll) {
          const int64_t each = length(from, op.splitDim) / count;
          parts.push_back(part(from, op.splitDim, member * each, each));
        }
      }
      if (!parts.empty())
        result = join(parts, op.dim);
    }
  }
  return results;
}

CollectiveOp transposed(CollectiveOp op) {
  op.dim = 1 - op.dim;
  op.splitDim = 1 - op.splitDim;
  return op;
}

OnDevices transposed(const OnDevices &values) {
  OnDevices results;
  for (const Matrix &from : values) {
    Matrix &result = results.emplace_back(Matrix{.rows = from.columns, .columns = from.rows, .data = from.data});
    for (int64_t row = 0; row < from.rows; ++row)
      for (int64_t column = 0; column < from.columns; ++column)
        result.at(column, row) = from.at(row, column);
  }
  return results;
}

} // namespace fuselage::simulation
