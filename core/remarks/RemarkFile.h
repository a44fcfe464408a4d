// Files of remarks: what LLVM's and MLIR's remark engines write, YAML or bitstream.
#pragma once
#include "core/protocol/Remarks.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>

namespace fuselage {

/// The largest file, in bytes, and the most remarks of it that are kept.
inline constexpr uint64_t kMostRemarkBytes = uint64_t(256) << 20;
inline constexpr size_t kMostRemarks = 100'000;

/// Reads remarks with LLVM's parsers, in a confined copy of the process: a damaged file may crash these, and a file may
/// name another one, which is not opened. `name` is the file, for messages. Where a part of it can be read, that comes
/// back with Remarks::problem. Failure: nothing can be read, with the parser's reason.
llvm::Expected<message::Remarks<>> readRemarks(llvm::StringRef bytes, llvm::StringRef name,
                                               const std::atomic<bool> *cancelled = nullptr);

/// The same of a file. Failure also: it cannot be read, is no plain file, or is too large.
llvm::Expected<message::Remarks<>> readRemarkFile(llvm::StringRef path, const std::atomic<bool> *cancelled = nullptr);

} // namespace fuselage
