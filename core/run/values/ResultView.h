// What there is to see of a result: statistics, first values, the worst element, a picture of a slice.
#pragma once
#include "core/run/values/Comparison.h"
#include "core/run/values/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace fuselage {

/// One element of any type; of integers beyond 64 bits its digits.
using Element = message::StdTypes::Element;
Element elementOf(const HostTensor &tensor, int64_t index);

using ResultStatistics = message::Statistics<>;
/// Of the finite elements; nullopt where there are none.
std::optional<ResultStatistics> statisticsOf(const HostTensor &tensor);

using HeatMap = message::HeatSlice<>;
/// Of the last two dimensions that have more than one element, through element `through` (-1: the first).
/// nullopt for scalars and tensors without elements. `expected` may be empty: no errors then.
std::optional<HeatMap> heatMapOf(const HostTensor &actual, const HostTensor &expected, int64_t through);

/// A result in the type that it has in the program as it was written: unsigned numbers are the same bits.
HostTensor asWritten(mlir::func::FuncOp function, unsigned index, const HostTensor &value);

/// All of it, taken once so that the tensors can go.
struct ResultView {
  std::optional<ResultStatistics> statistics;
  std::vector<Element> values; ///< the first 64
  std::optional<message::WorstElement<>> worst;
  std::optional<HeatMap> heat;
};
ResultView viewResult(const HostTensor &actual, const HostTensor &expected, const Comparison &comparison);

/// The coordinates of an element, row-major.
std::vector<int64_t> coordinatesOf(llvm::ArrayRef<int64_t> shape, int64_t index);

/// The values as NumPy prints them: nested brackets, aligned columns, "..." within dimensions of more than
/// 6 elements where the whole has more than 1000.
std::string printTensor(const HostTensor &tensor);

} // namespace fuselage
