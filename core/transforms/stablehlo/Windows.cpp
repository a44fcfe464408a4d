#include "core/transforms/stablehlo/Windows.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {

/// A list of `window = {stride = [1, 1], pad = [[1, 1], [0, 0]]}`; lists of lists one after the other.
static std::optional<SmallVector<int64_t>> listInWindow(HloOp op, StringRef key) {
  auto window = dyn_cast_or_null<DictionaryAttr>(op.attribute({"window"}));
  auto list = window ? dyn_cast_or_null<ArrayAttr>(window.get(key)) : ArrayAttr();
  if (!list)
    return std::nullopt;
  SmallVector<int64_t> numbers;
  auto add = [&](Attribute element) {
    auto number = dyn_cast<IntegerAttr>(element);
    if (auto flag = dyn_cast<BoolAttr>(element))
      numbers.push_back(flag.getValue());
    else if (number)
      numbers.push_back(number.getInt());
    else if (auto word = dyn_cast<StringAttr>(element))
      numbers.push_back(word.getValue() == "true");
  };
  for (Attribute element : list) {
    if (auto inner = dyn_cast<ArrayAttr>(element))
      llvm::for_each(inner, add);
    else if (auto inner = dyn_cast<DenseI64ArrayAttr>(element))
      llvm::append_range(numbers, inner.asArrayRef());
    else
      add(element);
  }
  return numbers;
}

/// The list, or as many times `otherwise`; empty if it has another length.
static SmallVector<int64_t> listOf(HloOp op, HloOp::Names names, StringRef key, size_t length, int64_t otherwise) {
  std::optional<SmallVector<int64_t>> list = op.integers(names);
  if (!list)
    list = listInWindow(op, key);
  if (!list)
    return SmallVector<int64_t>(length, otherwise);
  if (list->size() == 1 && length > 1)
    return SmallVector<int64_t>(length, list->front());
  return list->size() == length ? *list : SmallVector<int64_t>();
}

std::optional<Windows> Windows::of(HloOp op, ArrayRef<int64_t> sizes) {
  size_t rank = sizes.size();
  Windows windows;
  windows.sizes = llvm::to_vector(sizes);
  windows.strides = listOf(op, {"window_strides"}, "stride", rank, 1);
  windows.dilations = listOf(op, {"window_dilations", "rhs_dilation"}, "rhs_dilate", rank, 1);
  windows.baseDilations = listOf(op, {"base_dilations", "lhs_dilation"}, "lhs_dilate", rank, 1);
  windows.isReversed = listOf(op, {"window_reversal"}, "reverse", rank, 0);
  SmallVector<int64_t> padding = listOf(op, {"padding"}, "pad", 2 * rank, 0);
  bool isWhole = padding.size() == 2 * rank;
  for (SmallVector<int64_t> *list : {&windows.strides, &windows.dilations, &windows.baseDilations})
    isWhole &= list->size() == rank && llvm::all_of(*list, [](int64_t number) { return number >= 1; });
  isWhole &= windows.isReversed.size() == rank && llvm::all_of(sizes, [](int64_t size) { return size >= 1; });
  if (!isWhole)
    return std::nullopt;
  for (size_t at = 0; at < rank; ++at) {
    windows.low.push_back(padding[2 * at]);
    windows.high.push_back(padding[2 * at + 1]);
  }
  return windows;
}

int64_t Windows::placesIn(int64_t size, unsigned at) const {
  int64_t spread = size == 0 ? 0 : (size - 1) * baseDilations[at] + 1;
  int64_t whole = low[at] + spread + high[at], window = (sizes[at] - 1) * dilations[at] + 1;
  return whole < window ? 0 : (whole - window) / strides[at] + 1;
}

} // namespace fuselage
