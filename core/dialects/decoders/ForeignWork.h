// What one op of another compiler computes.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace fuselage {

/// What an instruction of another compiler computes, as far as its name, shapes and attributes tell.
struct ForeignWork {
  enum class Kind { Move, Elementwise, Reduction, Contraction, Convolution, Other } kind = Kind::Other;
  /// Of the iteration domain: those of the result, and of what is summed up. ShapedType::kDynamic: not known.
  llvm::SmallVector<int64_t> extents;
};

} // namespace fuselage
