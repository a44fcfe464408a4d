// Bytes on their way to a descriptor that may not take them all at once.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::remote {

/// Makes a descriptor one that never blocks.
void setNonBlocking(int fd);

class ByteQueue {
public:
  void add(llvm::StringRef bytes) { bytes_ += bytes; }
  size_t size() const { return bytes_.size() - begin_; }
  bool empty() const { return size() == 0; }
  void clear();
  /// Writes what goes. False: the reader is gone.
  bool writeTo(int fd);

private:
  std::string bytes_;
  size_t begin_ = 0;
};

/// What reading from a descriptor came to.
enum class ReadResult { Some, None, End };
/// Appends what is there, up to 256 KiB.
ReadResult readSome(int fd, std::string &bytes);

} // namespace fuselage::remote
