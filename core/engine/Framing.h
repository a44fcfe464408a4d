// `Content-Length: N` frames on file descriptors.
#pragma once
#include "llvm/Support/JSON.h"
#include <mutex>
#include <optional>
#include <string>

namespace fuselage {

/// Reads frames from a descriptor, with a bound on what a peer can make it allocate.
class FrameReader {
public:
  static constexpr size_t maxFrameBytes = size_t(256) << 20;
  static constexpr size_t maxHeaderBytes = 64 << 10;

  /// Reading ends, too, when something arrives on `stopFd`.
  explicit FrameReader(int fd, int stopFd = -1) : fd_(fd), stopFd_(stopFd) {}
  /// The next frame's body; nullopt at the end of the input or where no frame can be found, and
  /// then error() says why (empty: a clean end).
  std::optional<std::string> read();
  const std::string &error() const { return error_; }

private:
  bool fill();
  std::optional<size_t> readHeader();

  int fd_, stopFd_;
  std::string buffer_;
  std::string error_;
};

/// Writes frames; any thread may.
class FrameWriter {
public:
  explicit FrameWriter(int fd) : fd_(fd) {}
  /// False once the peer is gone.
  bool write(const llvm::json::Value &message);
  int fd() const { return fd_; }

private:
  void writeAll(llvm::StringRef rest);
  int fd_;
  std::mutex mutex_;
  bool broken_ = false;
};

} // namespace fuselage
