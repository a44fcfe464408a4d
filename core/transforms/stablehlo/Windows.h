// Windows that slide over a tensor: those of convolutions, reduce_window and select_and_scatter.
#pragma once
#include "core/transforms/stablehlo/HloOp.h"

namespace fuselage {

/// One number for each dimension that the window has.
struct Windows {
  llvm::SmallVector<int64_t> sizes, strides, dilations, baseDilations, low, high, isReversed;

  /// Of an op in either form; nullopt if a list has another length, or a number has no meaning.
  static std::optional<Windows> of(HloOp op, llvm::ArrayRef<int64_t> sizes);

  /// How many windows have place along dimension `at` of this size.
  int64_t placesIn(int64_t size, unsigned at) const;
};

} // namespace fuselage
