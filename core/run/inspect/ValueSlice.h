// A 2-d slice of a tensor, as cells of a picture and as numbers.
#pragma once
#include "core/protocol/Values.h"
#include "core/run/values/HostTensor.h"

namespace fuselage {

using ValueSlice = message::ValueSlice<>;

/// Which slice, and which part of it.
struct SliceWish {
  llvm::ArrayRef<int64_t> index{}; ///< of the leading dimensions; what is missing is 0, what is too large the last
  int64_t firstRow = 0, firstColumn = 0;
  int64_t rowExtent = -1, columnExtent = -1; ///< -1: to the end
  int64_t mostCells = 96;                    ///< in each direction; what has more is told in cells of several elements
};

/// The last two dimensions; of a tensor with one dimension, it as a row. nullopt: a scalar, a tensor without elements,
/// or integers of more than 64 bits.
std::optional<ValueSlice> valueSliceOf(const HostTensor &tensor, const SliceWish &wish);

} // namespace fuselage
