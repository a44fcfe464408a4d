// How sizes of dynamic dimensions are named and given.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace fuselage {

/// Dynamic sizes of a function's arguments: "arg0.1" -> 128.
using ArgumentSizes = std::map<std::string, int64_t>;

/// "arg0.1"
inline std::string sizeName(unsigned argument, unsigned dimension) {
  return "arg" + std::to_string(argument) + "." + std::to_string(dimension);
}

} // namespace fuselage
