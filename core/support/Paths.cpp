#include "core/support/Paths.h"

std::string fuselage::shortPath(llvm::StringRef path) {
  constexpr size_t longest = 200, start = 40, end = 120;
  if (path.size() <= longest)
    return path.str();
  return (path.take_front(start) + "..." + path.take_back(end)).str();
}
