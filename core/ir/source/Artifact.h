// MLIR bytecode inside of another file, such as what jax.export writes.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// A piece of a file that is MLIR bytecode as far as its header and its sections tell.
struct EmbeddedBytecode {
  size_t offset = 0;
  llvm::StringRef bytes{};
};

/// Each such piece of `file`, by offset; none in bytecode itself, in text, and where no piece has all sections.
std::vector<EmbeddedBytecode> findEmbeddedBytecode(llvm::StringRef file);

} // namespace fuselage
