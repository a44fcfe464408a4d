// Files of named tensors: .safetensors and IREE's .irpa, read by mapping.
#pragma once
#include "core/run/values/HostTensor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>

namespace fuselage {

/// One tensor of a file. Its bytes lie in the file, or are a pattern over and over.
struct ParameterEntry {
  std::string dtype{};                         ///< "F32" in .safetensors; empty where the file does not say
  std::optional<std::vector<int64_t>> shape{}; ///< as far as the file says
  uint64_t offset = 0, bytes = 0;              ///< in the whole file
  std::string pattern{};                       ///< empty: the bytes lie at `offset`
};

/// A file of parameters. Nothing in it is trusted: the header's numbers are held against each other and the file's
/// size before anything is read by them.
class ParameterArchive {
public:
  /// Maps a regular file and reads its header, of the form that its first bytes tell. Failure: the path, what is
  /// wrong with the file and what to do.
  static llvm::Expected<ParameterArchive> open(llvm::StringRef path);
  /// The same of bytes in memory, named for messages.
  static llvm::Expected<ParameterArchive> parse(std::shared_ptr<llvm::MemoryBuffer> file, llvm::StringRef name);

  const ParameterEntry *find(llvm::StringRef key) const;
  size_t size() const { return entries_.size(); }
  std::vector<std::string> keys() const; ///< sorted
  const std::string &path() const { return path_; }

  /// The tensor as a value of `type`, in the file's memory where that is possible. Failure: another shape, another
  /// element type or another number of bytes.
  llvm::Expected<HostTensor> read(llvm::StringRef key, mlir::Type type) const;

private:
  std::string path_;
  std::shared_ptr<llvm::MemoryBuffer> file_;
  llvm::StringMap<ParameterEntry> entries_;
};

using ParameterEntries = llvm::StringMap<ParameterEntry>;

/// Reads the header of a .safetensors file: eight bytes of length, and so many of JSON.
llvm::Expected<ParameterEntries> readSafetensorsHeader(llvm::StringRef file);
/// Reads the headers of an .irpa file: a list of entries, their names, and where each lies.
llvm::Expected<ParameterEntries> readIrpaHeader(llvm::StringRef file);
bool isIrpa(llvm::StringRef file);

/// The element type that a .safetensors file calls so: "F32"; empty: there is none.
llvm::StringRef safetensorsName(mlir::Type elementType);

} // namespace fuselage
