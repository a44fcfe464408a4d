#include "core/support/rpc/Framing.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace fuselage {

static std::string headerOf(size_t bytes) { return llvm::formatv("Content-Length: {0}\r\n\r\n", bytes).str(); }

/// Consumes the header's lines up to the empty one; false: they are not all there yet, or error_ says what is wrong
/// with them.
bool FrameParser::readHeader() {
  while (true) {
    size_t end = buffer_.find('\n');
    if (end == std::string::npos) {
      if (headerBytes_ + buffer_.size() > maxHeaderBytes)
        error_ = "a header line is too long";
      return false;
    }
    llvm::StringRef line = llvm::StringRef(buffer_).take_front(end).trim();
    auto [name, value] = line.split(':');
    bool isEmpty = line.empty();
    if (name.trim().equals_insensitive("content-length")) {
      size_t number = 0;
      if (value.trim().getAsInteger(10, number) || number > maxFrameBytes) {
        error_ = "bad Content-Length '" + value.trim().take_front(40).str() + "'; it is a number up to " +
                 std::to_string(maxFrameBytes);
        return false;
      }
      length_ = number;
    }
    headerBytes_ += end + 1;
    buffer_.erase(0, end + 1);
    if (headerBytes_ > maxHeaderBytes)
      error_ = "a header is too long";
    else if (isEmpty && !length_)
      error_ = "a header without Content-Length";
    if (isEmpty || !error_.empty())
      return error_.empty();
  }
}

std::optional<std::string> FrameParser::next() {
  if (!error_.empty())
    return std::nullopt;
  isInBody_ = isInBody_ || readHeader();
  if (!isInBody_ || buffer_.size() < *length_)
    return std::nullopt;
  std::string body = buffer_.substr(0, *length_);
  buffer_.erase(0, *length_);
  isInBody_ = false;
  headerBytes_ = 0;
  length_.reset();
  return body;
}

llvm::StringRef FrameParser::unfinished() const {
  if (isInBody_)
    return "inside a frame";
  return headerBytes_ > 0 || !buffer_.empty() ? "inside a header" : "";
}

bool FrameReader::fill() {
  pollfd wanted[] = {{.fd = fd_, .events = POLLIN, .revents = 0}, {.fd = stopFd_, .events = POLLIN, .revents = 0}};
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
  parser_.feed(llvm::StringRef(chunk, count));
  return true;
}

std::optional<std::string> FrameReader::read() {
  while (error_.empty()) {
    if (std::optional<std::string> body = parser_.next())
      return body;
    error_ = parser_.error();
    if (!error_.empty() || fill())
      continue;
    if (error_.empty() && !parser_.unfinished().empty())
      error_ = "the input ends " + parser_.unfinished().str();
    return std::nullopt;
  }
  return std::nullopt;
}

std::string frameOf(llvm::StringRef body) { return headerOf(body.size()) + body.str(); }

bool FrameWriter::write(const llvm::json::Value &message) { return writeText(compactJson(message)); }

bool FrameWriter::writeText(llvm::StringRef body) {
  std::lock_guard lock(mutex_);
  // A large body is not copied after its header.
  writeAll(headerOf(body.size()));
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
