// std::bit_cast, which GCC 10 lacks.
#pragma once
#include <cstring>
#include <type_traits>

namespace fuselage {

/// The bytes of a value as another type of that size.
template <class To, class From> To bitCast(const From &from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

} // namespace fuselage
