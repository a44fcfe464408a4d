// Which values the text of a gap uses.
#pragma once
#include "core/ir/source/SourceScan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// The values (`%x`, `%y#1`) in the text of op `op` from its name up to `end` that are defined where it
/// stands, in the order of the text. Told from the text alone, so only what is sure: results of ops
/// before it in its block and in the blocks around, as far as `isRead` says that the op is read, and the
/// arguments of those blocks. At most some dozens.
std::vector<std::string> gapOperands(const SourceScan &scan, int32_t op, size_t end,
                                     llvm::function_ref<bool(int32_t)> isRead);

/// "%a, %b:2" before the op's '='; empty if it has no results.
llvm::StringRef resultsOf(const SourceScan &scan, const ScannedOp &op);

/// The names, with their '%', that the text before an op's region defines for it, in order.
std::vector<std::string> argumentsIn(llvm::StringRef header);

} // namespace fuselage
