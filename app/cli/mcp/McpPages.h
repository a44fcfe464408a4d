// Long results, a page at a time.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::cli {

/// What one answer holds at most, in bytes.
inline constexpr size_t kMcpPageBytes = 16'000;

/// Page `page` (from 1) of a text, cut between lines, with a line that says how many there are. A page that does not
/// exist says so.
std::string pageOf(llvm::StringRef text, int64_t page);

} // namespace fuselage::cli
