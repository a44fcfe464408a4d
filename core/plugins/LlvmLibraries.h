// Names of the libraries of LLVM and MLIR, of which a process must have one version.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// The version in the name of a library of LLVM or MLIR: "22.1" of libMLIR.so.22.1, "14" of libLLVM-14.so.1; empty if
/// it is no such library, or its name has none.
std::string llvmVersionIn(llvm::StringRef library);

/// Whether the name is that of a library with LLVM or MLIR itself, such as libMLIR.so.22.1 or libLLVM-14.so.1.
bool isLlvmLibrary(llvm::StringRef library);

/// The names, without folders, of the libraries of LLVM and MLIR that are loaded into this process.
std::vector<std::string> loadedLlvmLibraries();

} // namespace fuselage
