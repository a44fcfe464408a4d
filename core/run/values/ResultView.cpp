#include "core/run/values/ResultView.h"
#include "core/ir/ops/WrittenTypes.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace fuselage {

HostTensor asWritten(func::FuncOp function, unsigned index, const HostTensor &value) {
  bool isUnsigned = function && index < function.getNumResults() &&
                    writtenResultType(function, index) != function.getResultTypes()[index];
  if (!isUnsigned)
    return value;
  Type element = getElementTypeOrSelf(writtenResultType(function, index));
  auto shaped = dyn_cast<ShapedType>(value.type());
  return value.reinterpret(shaped ? Type(shaped.clone(element)) : element);
}

/// Real and imaginary part.
static std::pair<double, double> complexAt(const HostTensor &tensor, int64_t index) {
  Type part = llvm::cast<ComplexType>(tensor.elementType()).getElementType();
  HostTensor parts = tensor.reinterpret(RankedTensorType::get({2 * tensor.elementCount()}, part));
  return {parts.floatAt(2 * index), parts.floatAt(2 * index + 1)};
}

/// An integer of more than 64 bits.
static std::string wideIntegerAt(const HostTensor &tensor, int64_t index) {
  Type element = tensor.elementType();
  unsigned bytes = hostElementBytes(element);
  uint64_t words[2] = {0, 0};
  std::memcpy(words, tensor.data() + index * bytes, bytes);
  llvm::APInt value = llvm::APInt(128, words).trunc(element.getIntOrFloatBitWidth());
  llvm::SmallString<40> text;
  value.toString(text, 10, !element.isUnsignedInteger());
  return text.str().str();
}

static bool isWideInteger(Type element) {
  return llvm::isa<IntegerType>(element) && element.getIntOrFloatBitWidth() > 64;
}

Element elementOf(const HostTensor &tensor, int64_t index) {
  Type element = tensor.elementType();
  if (llvm::isa<FloatType>(element))
    return tensor.floatAt(index);
  if (llvm::isa<ComplexType>(element)) {
    auto [re, im] = complexAt(tensor, index);
    return std::complex<double>(re, im);
  }
  if (isWideInteger(element))
    return wideIntegerAt(tensor, index);
  if (element.isUnsignedInteger())
    return uint64_t(tensor.integerAt(index));
  return tensor.integerAt(index);
}

/// An element as a real number: a complex one's magnitude.
static double realAt(const HostTensor &tensor, int64_t index) {
  Type element = tensor.elementType();
  if (llvm::isa<FloatType>(element))
    return tensor.floatAt(index);
  if (llvm::isa<ComplexType>(element)) {
    auto [re, im] = complexAt(tensor, index);
    return std::hypot(re, im);
  }
  int64_t value = tensor.integerAt(index);
  return element.isUnsignedInteger() ? double(uint64_t(value)) : double(value);
}

static double errorAt(const HostTensor &actual, const HostTensor &expected, int64_t index) {
  if (llvm::isa<ComplexType>(actual.elementType())) {
    auto [are, aim] = complexAt(actual, index);
    auto [ere, eim] = complexAt(expected, index);
    return std::hypot(are - ere, aim - eim);
  }
  double a = realAt(actual, index), e = realAt(expected, index);
  if (a == e || (std::isnan(a) && std::isnan(e)))
    return 0;
  double error = std::abs(a - e);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

std::optional<ResultStatistics> statisticsOf(const HostTensor &tensor) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ResultStatistics statistics{infinity, -infinity, 0};
  int64_t count = 0;
  for (int64_t i = 0; i < tensor.elementCount(); ++i) {
    double value = realAt(tensor, i);
    if (!std::isfinite(value))
      continue;
    ++count;
    statistics.min = std::min(statistics.min, value);
    statistics.max = std::max(statistics.max, value);
    statistics.mean += (value - statistics.mean) / count; // a sum of large values would overflow
  }
  if (count == 0)
    return std::nullopt;
  return statistics;
}

std::vector<int64_t> coordinatesOf(ArrayRef<int64_t> shape, int64_t index) {
  std::vector<int64_t> coordinates(shape.size(), 0);
  for (size_t dim = shape.size(); dim-- > 0;) {
    coordinates[dim] = index % shape[dim];
    index /= shape[dim];
  }
  return coordinates;
}

//===-- The heat map ------------------------------------------------------------------===//

/// Elements between two neighbours in each dimension.
static std::vector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// The last two dimensions with more than one element; the last ones where there are not so many.
static void pickDimensions(ArrayRef<int64_t> shape, HeatMap &map) {
  std::vector<int64_t> picked;
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0 && picked.size() < 2; --dim)
    if (shape[dim] > 1)
      picked.push_back(dim);
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0 && picked.size() < 2; --dim)
    if (!llvm::is_contained(picked, dim))
      picked.push_back(dim);
  map.columnDim = picked[0];
  if (picked.size() > 1) {
    map.columnDim = std::max(picked[0], picked[1]);
    map.rowDim = std::min(picked[0], picked[1]);
  }
}

/// True if `value` is to stand for a cell rather than `other`.
static bool outweighs(double value, double other) {
  return std::isnan(value) || (!std::isnan(other) && std::abs(value) > std::abs(other));
}

std::optional<HeatMap> heatMapOf(const HostTensor &actual, const HostTensor &expected, int64_t through) {
  constexpr int64_t most = 64;
  ArrayRef<int64_t> shape = actual.shape();
  if (shape.empty() || actual.elementCount() == 0 || isWideInteger(actual.elementType()))
    return std::nullopt;
  HeatMap map;
  map.rowExtent = 1; // of one dimension there is one row
  pickDimensions(shape, map);
  map.slice = coordinatesOf(shape, std::max<int64_t>(through, 0));
  std::vector<int64_t> strides = stridesOf(shape);
  map.slice[map.columnDim] = -1;
  map.columnExtent = shape[map.columnDim];
  int64_t rowStride = 0, columnStride = strides[map.columnDim], base = 0;
  if (map.rowDim >= 0) {
    map.slice[map.rowDim] = -1;
    map.rowExtent = shape[map.rowDim];
    rowStride = strides[map.rowDim];
  }
  for (size_t dim = 0; dim < shape.size(); ++dim)
    base += std::max<int64_t>(map.slice[dim], 0) * strides[dim];
  map.rowStep = (map.rowExtent + most - 1) / most;
  map.columnStep = (map.columnExtent + most - 1) / most;
  map.rows = (map.rowExtent + map.rowStep - 1) / map.rowStep;
  map.columns = (map.columnExtent + map.columnStep - 1) / map.columnStep;
  map.values.assign(map.rows * map.columns, 0);
  bool compares = expected && expected.type() == actual.type();
  map.errors.assign(compares ? map.values.size() : 0, 0);
  for (int64_t row = 0; row < map.rowExtent; ++row)
    for (int64_t column = 0; column < map.columnExtent; ++column) {
      int64_t index = base + row * rowStride + column * columnStride;
      int64_t cell = row / map.rowStep * map.columns + column / map.columnStep;
      double value = realAt(actual, index);
      if (outweighs(value, map.values[cell]))
        map.values[cell] = value;
      if (compares)
        map.errors[cell] = std::max(map.errors[cell], errorAt(actual, expected, index));
    }
  return map;
}

ResultView viewResult(const HostTensor &actual, const HostTensor &expected, const Comparison &comparison) {
  constexpr int64_t firstValues = 64;
  ResultView view;
  view.statistics = isWideInteger(actual.elementType()) ? std::nullopt : statisticsOf(actual);
  for (int64_t i = 0; i < std::min(firstValues, actual.elementCount()); ++i)
    view.values.push_back(elementOf(actual, i));
  if (comparison.worst >= 0) {
    view.worst = {.index = coordinatesOf(actual.shape(), comparison.worst),
                  .actual = elementOf(actual, comparison.worst),
                  .expected = elementOf(expected, comparison.worst)};
  }
  view.heat = heatMapOf(actual, expected, comparison.worst);
  return view;
}

//===-- Text --------------------------------------------------------------------------===//

/// An element as NumPy prints it.
static std::string elementText(const HostTensor &tensor, int64_t index) {
  auto number = [](double value) -> std::string {
    if (std::isnan(value))
      return "nan";
    if (std::isinf(value))
      return value < 0 ? "-inf" : "inf";
    char text[40];
    std::snprintf(text, sizeof(text), "%.8g", value);
    std::string out = text;
    return out.find_first_of(".e") == std::string::npos ? out + "." : out;
  };
  Type element = tensor.elementType();
  if (llvm::isa<FloatType>(element))
    return number(tensor.floatAt(index));
  if (llvm::isa<ComplexType>(element)) {
    auto [re, im] = complexAt(tensor, index);
    return number(re) + (std::signbit(im) ? "" : "+") + number(im) + "j";
  }
  if (isWideInteger(element))
    return wideIntegerAt(tensor, index);
  if (element.isInteger(1))
    return tensor.integerAt(index) ? "true" : "false";
  int64_t value = tensor.integerAt(index);
  return element.isUnsignedInteger() ? std::to_string(uint64_t(value)) : std::to_string(value);
}

namespace {

/// Prints nested brackets; the shown elements' texts are made first, since columns are aligned.
class TensorPrinter {
public:
  explicit TensorPrinter(const HostTensor &tensor)
      : tensor_(tensor), shape_(tensor.shape()), strides_(stridesOf(tensor.shape())),
        summarised_(tensor.elementCount() > 1000) {}

  std::string print() {
    if (tensor_.elementCount() == 0)
      return "[]";
    constexpr int64_t most = 100000; // many short dimensions cannot be summarised
    int64_t shown = 1;
    for (size_t dim = 0; dim < shape_.size() && shown <= most; ++dim)
      shown *= skips(dim) ? 2 * edge : shape_[dim];
    if (shown > most)
      return "[...]";
    visit(0, 0, [&](int64_t index) { width_ = std::max(width_, elementText(tensor_, index).size()); });
    write(0, 0);
    return text_;
  }

private:
  static constexpr int64_t edge = 3;
  bool skips(size_t dim) const { return summarised_ && shape_[dim] > 2 * edge; }
  /// The next position to show after `i`.
  int64_t after(size_t dim, int64_t i) const { return skips(dim) && i == edge - 1 ? shape_[dim] - edge : i + 1; }

  template <typename Visit> void visit(size_t dim, int64_t base, const Visit &see) {
    if (dim == shape_.size())
      return see(base);
    for (int64_t i = 0; i < shape_[dim]; i = after(dim, i))
      visit(dim + 1, base + i * strides_[dim], see);
  }

  void write(size_t dim, int64_t base) {
    if (dim == shape_.size()) {
      std::string element = elementText(tensor_, base);
      text_ += std::string(width_ - element.size(), ' ') + element;
      return;
    }
    bool innermost = dim + 1 == shape_.size();
    std::string between = innermost ? " " : std::string(shape_.size() - dim - 1, '\n') + std::string(dim + 1, ' ');
    text_ += '[';
    for (int64_t i = 0; i < shape_[dim]; i = after(dim, i)) {
      if (i != 0)
        text_ += between;
      if (skips(dim) && i == shape_[dim] - edge)
        text_ += "..." + between;
      write(dim + 1, base + i * strides_[dim]);
    }
    text_ += ']';
  }

  const HostTensor &tensor_;
  ArrayRef<int64_t> shape_;
  std::vector<int64_t> strides_;
  bool summarised_;
  size_t width_ = 0;
  std::string text_;
};

} // namespace

std::string printTensor(const HostTensor &tensor) { return TensorPrinter(tensor).print(); }

} // namespace fuselage
