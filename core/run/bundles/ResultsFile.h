// Files of results: what `fuselage run --format json` and `fuselage-launch --format json` write.
#pragma once
#include "core/protocol/BundleResults.h"
#include "core/support/Error.h"

namespace fuselage {

/// The largest file of results, in bytes.
inline constexpr uint64_t kMostResultsBytes = uint64_t(256) << 20;

/// Reads and checks results, which are somebody else's text. `name` is the file, for messages. Failure: names the value
/// that is wrong, where it stands ("kernels[2].median_us"), what it has to be, and what writes such a file. Members
/// that are missing keep their defaults, but for those without which a row says nothing; members that nobody knows are
/// passed over. What passes holds: times are finite and in order, or negative (unknown); errors are not negative, or
/// NaN (unknown); counts are in range.
llvm::Expected<message::Results<>> readResults(llvm::StringRef text, llvm::StringRef name);

/// The same of a file. Failure also: it cannot be read, is no plain file, or is too large.
llvm::Expected<message::Results<>> readResultsFile(llvm::StringRef path);

/// The SHA-256 of a file's bytes, 64 digits; empty: it is no plain file, or cannot be read.
std::string checksumOfFile(llvm::StringRef path);

} // namespace fuselage
