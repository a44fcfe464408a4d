// Tools of others that show code: run on texts, with a limit of time, on files that are gone afterwards.
#pragma once
#include "core/support/Error.h"
#include <atomic>
#include <optional>

namespace fuselage {

/// Where a tool is: in a toolkit of CUDA's (CUDA_HOME, CUDA_PATH, CUDA_ROOT or where such are installed), else in PATH.
/// Empty: nowhere.
std::string findCudaTool(llvm::StringRef name);
/// In PATH; empty: nowhere.
std::string findTool(llvm::StringRef name);

/// A SPIR-V module as spirv-dis shows it, lines of OpLine and all; as GLSL by spirv-cross.
llvm::Expected<std::string> disassembleSpirv(llvm::StringRef tool, llvm::StringRef binary,
                                             const std::atomic<bool> *cancelled);
llvm::Expected<std::string> crossToGlsl(llvm::StringRef tool, llvm::StringRef binary,
                                        const std::atomic<bool> *cancelled);

/// What ptxas makes of a PTX text, and says of it.
struct Assembled {
  std::string cubin, said;
};
llvm::Expected<Assembled> assemblePtx(llvm::StringRef ptxas, llvm::StringRef ptx, llvm::StringRef chip, bool withLines,
                                      const std::atomic<bool> *cancelled);
/// By nvdisasm, with places where the cubin has them, or by cuobjdump.
llvm::Expected<std::string> disassembleCubin(llvm::StringRef tool, llvm::StringRef cubin,
                                             const std::atomic<bool> *cancelled);

} // namespace fuselage
