#include "core/run/inspect/ValueSlice.h"
#include "core/run/inspect/ValueStatistics.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

/// One direction: from where, how many elements, and how many of them a cell stands for.
struct SliceAxis {
  int64_t first = 0, extent = 1, step = 1;
  int64_t cells() const { return (extent + step - 1) / step; }

  static SliceAxis of(int64_t size, int64_t first, int64_t extent, int64_t mostCells) {
    SliceAxis axis;
    axis.first = std::clamp<int64_t>(first, 0, size - 1);
    axis.extent = size - axis.first;
    if (extent > 0)
      axis.extent = std::min(axis.extent, extent);
    axis.step = (axis.extent + mostCells - 1) / mostCells;
    return axis;
  }
};

/// True if `value` is to stand for a cell rather than `other`: NaN and what is larger.
static bool outweighs(double value, double other) {
  return std::isnan(value) ? !std::isnan(other) : !std::isnan(other) && std::abs(value) > std::abs(other);
}

/// Row-major position of the first element of the slice, by its leading index.
static int64_t baseOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t base = 0;
  for (auto [dim, size] : llvm::enumerate(shape))
    base = base * size + index[dim];
  return base;
}

std::optional<ValueSlice> valueSliceOf(const HostTensor &tensor, const SliceWish &wish) {
  ArrayRef<int64_t> shape = tensor.shape();
  Type element = tensor.elementType();
  bool isWide = isa<IntegerType>(element) && element.getIntOrFloatBitWidth() > 64;
  if (shape.empty() || tensor.elementCount() == 0 || isWide)
    return std::nullopt;
  ValueSlice slice;
  size_t leading = shape.size() < 2 ? 0 : shape.size() - 2;
  for (size_t dim = 0; dim < leading; ++dim)
    slice.index.push_back(dim < wish.index.size() ? std::clamp<int64_t>(wish.index[dim], 0, shape[dim] - 1) : 0);
  int64_t height = shape.size() < 2 ? 1 : shape[leading], width = shape.back();
  SliceAxis rows = SliceAxis::of(height, wish.firstRow, wish.rowExtent, wish.mostCells);
  SliceAxis columns = SliceAxis::of(width, wish.firstColumn, wish.columnExtent, wish.mostCells);
  slice.shape.assign(shape.begin(), shape.end());
  slice.firstRow = rows.first, slice.rowExtent = rows.extent, slice.rowStep = rows.step;
  slice.firstColumn = columns.first, slice.columnExtent = columns.extent, slice.columnStep = columns.step;
  slice.rows = int(rows.cells()), slice.columns = int(columns.cells());
  int64_t base = baseOf(shape.take_front(leading), slice.index) * height * width;
  std::vector<int64_t> shown(size_t(slice.rows) * slice.columns, -1); // the element that stands for a cell
  slice.values.assign(shown.size(), 0);
  for (int64_t row = 0; row < rows.extent; ++row)
    for (int64_t column = 0; column < columns.extent; ++column) {
      int64_t index = base + (rows.first + row) * width + columns.first + column;
      size_t cell = size_t(row / rows.step * slice.columns + column / columns.step);
      double value = realElement(tensor, index);
      if (shown[cell] >= 0 && !outweighs(value, slice.values[cell]))
        continue;
      shown[cell] = index;
      slice.values[cell] = value;
    }
  for (int64_t index : shown) {
    slice.texts.push_back(elementDigits(tensor, index));
    slice.places.push_back(index - base);
  }
  return slice;
}

} // namespace fuselage
