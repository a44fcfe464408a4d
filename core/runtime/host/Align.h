#pragma once
#include <cstdint>

namespace fuselage {

/// The least multiple of `alignment` that is not below `number`.
constexpr uint64_t alignedTo(uint64_t number, uint64_t alignment) {
  return (number + alignment - 1) / alignment * alignment;
}

} // namespace fuselage
