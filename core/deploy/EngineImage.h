// The engine as a folder: which files are in it, and where each comes from.
#pragma once
#include "core/support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace fuselage {

/// One file of the folder. Its bytes are either here or in a file of this machine.
struct EngineFile {
  std::string place;  ///< in the folder: "lib/libz.so.1"
  std::string source; ///< the file that it is a copy of; empty: `content` is it
  std::string content{};
  uint64_t size = 0;
  std::string sha256{}; ///< in lower-case hexadecimal digits
  bool isProgram = false;
};

/// All files of the engine that this process runs, sorted by place, and the name of the folder (engineId()).
struct EngineImage {
  std::string id{}, machine{}; ///< "x86_64"
  std::string glibc{};         ///< the least version with which it runs without runtime/: "2.36"
  std::vector<EngineFile> files{};
  /// A line a file: its hash, its size, its mode and its place, as they are kept in the folder's MANIFEST.
  std::string manifest() const;
  uint64_t totalBytes() const;
};

/// Describes the engine that this process runs:
///  - bin/fuselage, a script that starts libexec/fuselage, the program without its symbols;
///  - lib/, its libraries; runtime/, those of C and C++ with their loader, for systems with older ones;
///  - MANIFEST.
/// Device models, lessons, samples and reasons are in the program. Failure: a file cannot be read or is no program of
/// this kind of machine.
llvm::Expected<EngineImage> engineImage();

/// Gives the bytes of `file` to `take` in pieces, from `offset` on. Failure: it cannot be read, or is shorter than it
/// was; or what `take` returns.
llvm::Error readEngineFile(const EngineFile &file, uint64_t offset,
                           llvm::function_ref<llvm::Error(llvm::StringRef)> take);

} // namespace fuselage
