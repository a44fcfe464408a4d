// Files of compilers that hold no MLIR.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// What a text is, and what makes MLIR of it, if its first lines are those of another format: LLVM IR, PTX,
/// SPIR-V assembly, a jaxpr, a graph of TorchScript or FX, a script in Python, a model's file. Empty: nothing is known
/// against it.
std::string describeOtherFormat(llvm::StringRef text);

} // namespace fuselage
