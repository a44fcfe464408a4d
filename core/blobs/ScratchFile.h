// A file without a name, for data that need not be in memory.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// Lies in $TMPDIR, or else in /var/tmp; readable by nobody else, and gone with the process. Written from its start to
/// its end, then mapped. What is mapped and not read takes no memory, and the kernel may take back what was read.
class ScratchFile {
public:
  /// Nullopt: no file can be created there, or files may not be of any size (ulimit -f).
  static std::optional<ScratchFile> create();
  ScratchFile(ScratchFile &&other) noexcept;
  ScratchFile &operator=(ScratchFile &&) = delete;
  ~ScratchFile();

  /// Appends zeros up to a multiple of `alignment`, at most 4096. False: it cannot be written, e.g. the disk is full.
  bool align(uint64_t alignment);
  /// False: as of align().
  bool append(llvm::ArrayRef<char> bytes);
  uint64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }

  /// Maps all of it, for reading only. False: no address space left.
  bool map();
  /// The mapped bytes; they live as long as this.
  llvm::ArrayRef<char> bytes() const { return mapped_; }

private:
  explicit ScratchFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
  uint64_t size_ = 0;
  llvm::ArrayRef<char> mapped_;
};

/// Gives back the memory of mapped bytes that were read; whoever reads them next brings them in again.
void forgetPages(llvm::ArrayRef<char> mapped);

} // namespace fuselage
