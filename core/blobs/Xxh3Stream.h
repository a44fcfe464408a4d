// XXH3 (64 bits) of data that comes in pieces; LLVM's xxh3_64bits wants all of it at once.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstdint>

namespace fuselage {

/// Gives what llvm::xxh3_64bits() gives for all pieces together.
class Xxh3Stream {
public:
  Xxh3Stream();
  void update(llvm::ArrayRef<char> bytes);
  uint64_t digest() const;

private:
  static constexpr size_t kStripe = 64, kBlock = 1024;
  using Accumulators = std::array<uint64_t, 8>;
  static void accumulate(Accumulators &sums, const uint8_t *stripe, const uint8_t *secret);
  void consumeBlock();

  Accumulators sums_;
  /// The last stripe that was consumed, then the bytes that were not.
  std::array<uint8_t, kStripe + kBlock> buffer_{};
  size_t pending_ = 0;
  uint64_t length_ = 0;
};

} // namespace fuselage
