// What there is to see of a result: statistics, first values, the worst element, a picture of a slice.
#pragma once
#include "core/runtime/values/Comparison.h"
#include "core/runtime/values/HostTensor.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace fuselage {

/// One element of any type: as JSON shows it (numbers; "nan", "inf", "-inf"; [re, im] for complex; a
/// string of digits for integers beyond 64 bits).
llvm::json::Value elementJson(const HostTensor &tensor, int64_t index);

/// Of the finite elements; of complex numbers, their magnitudes.
struct ResultStatistics {
  double min = 0, max = 0, mean = 0;
};
std::optional<ResultStatistics> statisticsOf(const HostTensor &tensor);

/// A picture of one 2-d slice, at most 64 x 64 cells; each cell stands for rowStep x columnStep elements.
struct HeatMap {
  std::vector<int64_t> slice; ///< the index of the slice, -1 in the dimensions shown
  int64_t rowDim = -1, columnDim = 0; ///< rowDim -1: the tensor has one dimension
  int64_t rows = 1, columns = 0, rowExtent = 1, columnExtent = 0, rowStep = 1, columnStep = 1;
  std::vector<double> values; ///< by cell, the element of the largest magnitude; NaN counts as the largest
  std::vector<double> errors; ///< by cell, the largest |actual - expected|
};
/// Of the last two dimensions that have more than one element, through element `through` (-1: the first).
/// nullopt for scalars and tensors without elements. `expected` may be empty: no errors then.
std::optional<HeatMap> heatMapOf(const HostTensor &actual, const HostTensor &expected, int64_t through);

/// All of it, taken once so that the tensors can go.
struct ResultView {
  std::optional<ResultStatistics> statistics;
  llvm::json::Array values; ///< the first 64
  std::vector<int64_t> worstIndex; ///< of the worst element
  llvm::json::Value worstActual = nullptr, worstExpected = nullptr;
  bool hasWorst = false;
  std::optional<HeatMap> heat;
};
ResultView viewResult(const HostTensor &actual, const HostTensor &expected, const Comparison &comparison);

/// The coordinates of an element, row-major.
std::vector<int64_t> coordinatesOf(llvm::ArrayRef<int64_t> shape, int64_t index);

/// The values as NumPy prints them: nested brackets, aligned columns, "..." within dimensions of more than
/// 6 elements where the whole has more than 1000.
std::string printTensor(const HostTensor &tensor);

} // namespace fuselage
