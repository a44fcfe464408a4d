// Frames of the link between `fuselage remote` and the keeper of its engine.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuselage::remote {

enum class FrameType : char {
  Hello = 'H',       ///< first in each direction of a connection; its number: received so far
  Data = 'D',        ///< a numbered part of a message
  Acknowledge = 'A', ///< its number: received so far
  Ping = 'P',
  Pong = 'p',
};

struct LinkFrame {
  FrameType type = FrameType::Ping;
  uint64_t number = 0;
  std::string payload{};
};

inline constexpr size_t maxLinkPayload = size_t(512) << 10;

/// 20 bytes of header, checksum included, and the payload.
std::string encodeFrame(FrameType type, uint64_t number, llvm::StringRef payload = {});

/// Finds frames in bytes as they come.
class LinkFrameParser {
public:
  void feed(llvm::StringRef bytes) { buffer_ += bytes; }
  /// Nullopt: the next one is not all there yet, or, where isDamaged(), nothing after it can be found.
  std::optional<LinkFrame> next();
  bool isDamaged() const { return isDamaged_; }

private:
  std::string buffer_;
  size_t begin_ = 0; ///< of what was not taken yet
  bool isDamaged_ = false;
};

} // namespace fuselage::remote
