// A dispatch's code as text and as files.
#pragma once
#include "core/protocol/KernelCode.h"
#include "core/support/Error.h"

namespace fuselage {

/// What is known of each kernel, how it is known, and what is missing.
std::string formatKernelFacts(const message::KernelCode<> &code);
/// The listings of a stage ("all": of every one), each under a line that says what it is; `withPlaces`: file:line:col
/// before each line that has such.
std::string formatListings(const message::KernelCode<> &code, llvm::StringRef stage, bool withPlaces);
/// The listings of a stage and nothing else.
std::string bareListings(const message::KernelCode<> &code, llvm::StringRef stage);

/// A file of a dump.
struct KernelFile {
  std::string name, content; ///< "003-softmax.ptx.ptx"
};
/// A dispatch's listings, a file each, and its facts: NNN-DISPATCH.STAGE.EXT.
std::vector<KernelFile> kernelFiles(const message::KernelCode<> &code);

} // namespace fuselage
