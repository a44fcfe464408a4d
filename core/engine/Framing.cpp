#include "core/engine/Framing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace fuselage {

bool FrameReader::fill() {
  pollfd wanted[] = {{.fd = fd_, .events = POLLIN, .revents = 0},
                     {.fd = stopFd_, .events = POLLIN, .revents = 0}};
  while (::poll(wanted, 2, -1) < 0 && errno == EINTR)
    ;
  if (wanted[1].revents)
    return false;
  char chunk[64 << 10];
  ssize_t count;
  do
    count = ::read(fd_, chunk, sizeof chunk);
  while (count < 0 && errno == EINTR);
  if (count < 0)
    error_ = std::string("cannot read: ") + std::strerror(errno);
  if (count <= 0)
    return false;
  buffer_.append(chunk, count);
  return true;
}

/// Consumes the header lines up to the empty one; the body's length.
std::optional<size_t> FrameReader::readHeader() {
  std::optional<size_t> length;
  size_t consumed = 0;
  while (true) {
    size_t end;
    while ((end = buffer_.find('\n')) == std::string::npos) {
      if (consumed + buffer_.size() > maxHeaderBytes) {
        error_ = "a header line is too long";
        return std::nullopt;
      }
      if (!fill()) {
        if (error_.empty() && (consumed || !buffer_.empty()))
          error_ = "the input ends inside a header";
        return std::nullopt;
      }
    }
    llvm::StringRef line = llvm::StringRef(buffer_).take_front(end).trim();
    auto [name, value] = line.split(':');
    bool empty = line.empty();
    if (name.trim().equals_insensitive("content-length")) {
      size_t number = 0;
      if (value.trim().getAsInteger(10, number) || number > maxFrameBytes) {
        error_ = "bad Content-Length '" + value.trim().take_front(40).str() + "'; it is a number up to " +
                 std::to_string(maxFrameBytes);
        return std::nullopt;
      }
      length = number;
    }
    consumed += end + 1;
    buffer_.erase(0, end + 1);
    if (consumed > maxHeaderBytes) {
      error_ = "a header is too long";
      return std::nullopt;
    }
    if (!empty)
      continue;
    if (!length)
      error_ = "a header without Content-Length";
    return length;
  }
}

std::optional<std::string> FrameReader::read() {
  std::optional<size_t> length = readHeader();
  if (!length)
    return std::nullopt;
  while (buffer_.size() < *length)
    if (!fill()) {
      if (error_.empty())
        error_ = "the input ends inside a frame";
      return std::nullopt;
    }
  std::string body = buffer_.substr(0, *length);
  buffer_.erase(0, *length);
  return body;
}

bool FrameWriter::write(const llvm::json::Value &message) {
  std::string body;
  llvm::raw_string_ostream(body) << message;
  std::lock_guard lock(mutex_);
  // A large body is not copied behind its header.
  writeAll(llvm::formatv("Content-Length: {0}\r\n\r\n", body.size()).str());
  writeAll(body);
  return !broken_;
}

void FrameWriter::writeAll(llvm::StringRef rest) {
  while (!broken_ && !rest.empty()) {
    ssize_t count = ::write(fd_, rest.data(), rest.size());
    if (count >= 0)
      rest = rest.drop_front(count);
    else if (errno != EINTR)
      broken_ = true;
  }
}

} // namespace fuselage
