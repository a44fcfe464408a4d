// `Content-Length: N` frames on file descriptors.
#pragma once
#include "llvm/Support/JSON.h"
#include <mutex>
#include <optional>
#include <string>

namespace fuselage {

/// Finds frames in bytes as they come, with a bound on what a peer can make it hold.
class FrameParser {
public:
  static constexpr size_t maxFrameBytes = size_t(256) << 20;
  static constexpr size_t maxHeaderBytes = 64 << 10;

  void feed(llvm::StringRef bytes) { buffer_ += bytes; }
  /// The next frame's body; nullopt: there is none yet, or, where error() is not empty, there never will be.
  std::optional<std::string> next();
  const std::string &error() const { return error_; }
  /// Where in a frame the bytes so far end: "inside a header", "inside a frame"; empty: between two.
  llvm::StringRef unfinished() const;

private:
  bool readHeader();

  std::string buffer_, error_;
  std::optional<size_t> length_; ///< as the header says
  size_t headerBytes_ = 0;       ///< that were taken so far
  bool isInBody_ = false;
};

/// Reads frames from a descriptor, and waits for them.
class FrameReader {
public:
  /// Reading ends, too, when something arrives on `stopFd`.
  explicit FrameReader(int fd, int stopFd = -1) : fd_(fd), stopFd_(stopFd) {}
  /// The next frame's body; nullopt at the end of the input or where no frame can be found, and
  /// then error() says why (empty: a clean end).
  std::optional<std::string> read();
  const std::string &error() const { return error_; }

private:
  bool fill();

  int fd_, stopFd_;
  FrameParser parser_;
  std::string error_;
};

/// The text as a frame's body, after its header.
std::string frameOf(llvm::StringRef body);

/// Writes frames; any thread may.
class FrameWriter {
public:
  explicit FrameWriter(int fd) : fd_(fd) {}
  /// False once the peer is gone.
  bool write(const llvm::json::Value &message);
  bool writeText(llvm::StringRef body);
  int fd() const { return fd_; }

private:
  void writeAll(llvm::StringRef rest);
  int fd_;
  std::mutex mutex_;
  bool broken_ = false;
};

} // namespace fuselage
