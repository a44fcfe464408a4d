// What is done with bytes from outside before a user sees a graph; fuzzed, and replayed by a test.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace fuselage::fuzz {

/// Opens `bytes` as a file's contents (text or bytecode) and, where that works, prints the module,
/// builds its graph and decodes every op. Returns whether it opened. The MLIR context is renewed
/// after a number of calls: making one for each would be most of the time.
bool exercise(llvm::StringRef bytes);

/// The bytecode of a text that opens; empty if it does not.
std::string toBytecode(llvm::StringRef text);

} // namespace fuselage::fuzz
