// How many bytes types take in memory: the one home of every number of bytes that is shown.
#pragma once
#include "core/support/CostArithmetic.h"
#include "mlir/IR/Types.h"
#include <algorithm>
#include <optional>

namespace fuselage {

/// Bytes that `count` elements take where they lie dense, as devices have them (StorageType.h): i1 takes
/// a byte, integers and floats of 2 and 4 bits are packed, other odd widths take the next power of two.
/// `type`: of the elements, or of a shaped value. -1: no size is known, or it is too large to be told.
int64_t bytesOfElements(mlir::Type type, int64_t count);

/// Elements of a shaped type, 1 of any other; -1: dynamic, or too many to be told.
int64_t elementCount(mlir::Type type);

/// Bytes of a shaped type with static shape, also of one that describes a tensor in a dialect we only
/// read; nullopt when dynamic, too large to be told or not shaped.
std::optional<int64_t> byteSize(mlir::Type type);

/// Bytes of a value that lives in memory; 0 for scalars and other types, -1 when unknown.
int64_t memoryBytes(mlir::Type type);

/// A number of bytes; -1: unknown. `atMost`: it may be less, since data decides what is touched.
struct Bytes {
  int64_t count = 0;
  bool atMost = false;

  Bytes &operator+=(const Bytes &more) {
    count = plus(count, more.count);
    atMost |= more.atMost;
    return *this;
  }
  /// No more than `whole` (-1: no limit is known). What reaches the limit counts as all of it.
  Bytes limitedTo(int64_t whole) const {
    if (whole < 0 || (count >= 0 && count < whole))
      return *this;
    return {.count = whole, .atMost = atMost || count < 0};
  }
  bool operator==(const Bytes &) const = default;
};

} // namespace fuselage
