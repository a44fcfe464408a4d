// What the pass registry holds, and which name was meant.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// A registered pass or pipeline.
struct CatalogEntry {
  std::string argument;
  std::string description;
  std::vector<std::string> options; ///< names only
};

/// Every registered pass and pipeline, sorted by argument. The registry cannot be enumerated, only
/// printed: stdout is redirected into memory for that moment.
std::vector<CatalogEntry> listRegisteredPasses();

/// Up to `count` candidates near `name`: by edit distance, names that contain it first.
std::vector<std::string> nearestNames(llvm::StringRef name, const std::vector<std::string> &candidates,
                                      unsigned count = 3);

} // namespace fuselage
