// What both fuzzers do with an input.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace fuselage::fuzz {

/// exercise(), which dies of more than 5 s of processor time, that of copies of the process included. The
/// wall clock (libFuzzer's -timeout) says little on a busy machine; it is there for what waits forever.
void exerciseInTime(llvm::StringRef bytes);

} // namespace fuselage::fuzz
