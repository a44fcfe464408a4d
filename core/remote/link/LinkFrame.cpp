#include "core/remote/link/LinkFrame.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

namespace fuselage::remote {

namespace endian = llvm::support::endian;

/// "FL", the type, a zero; the length; the number; the checksum of all that and the payload.
static constexpr size_t headerBytes = 20, checksumAt = 16;

static uint32_t checksumOf(llvm::StringRef header, llvm::StringRef payload) {
  const uint32_t checksum = llvm::crc32(llvm::arrayRefFromStringRef(header.take_front(checksumAt)));
  // zlib begins anew where there is no payload.
  return payload.empty() ? checksum : llvm::crc32(checksum, llvm::arrayRefFromStringRef(payload));
}

std::string encodeFrame(FrameType type, uint64_t number, llvm::StringRef payload) {
  std::string frame(headerBytes, '\0');
  frame[0] = 'F';
  frame[1] = 'L';
  frame[2] = static_cast<char>(type);
  endian::write32le(&frame[4], static_cast<uint32_t>(payload.size()));
  endian::write64le(&frame[8], number);
  endian::write32le(&frame[checksumAt], checksumOf(frame, payload));
  frame += payload;
  return frame;
}

static bool isFrameType(char type) { return llvm::StringRef("HDAPp").contains(type); }

std::optional<LinkFrame> LinkFrameParser::next() {
  llvm::StringRef rest = llvm::StringRef(buffer_).drop_front(begin_);
  if (isDamaged_ || rest.size() < headerBytes)
    return std::nullopt;
  const size_t length = endian::read32le(rest.data() + 4);
  isDamaged_ = !rest.starts_with("FL") || !isFrameType(rest[2]) || length > maxLinkPayload;
  if (isDamaged_ || rest.size() < headerBytes + length)
    return std::nullopt;
  llvm::StringRef payload = rest.substr(headerBytes, length);
  isDamaged_ = endian::read32le(rest.data() + checksumAt) != checksumOf(rest, payload);
  if (isDamaged_)
    return std::nullopt;
  LinkFrame frame{
      .type = static_cast<FrameType>(rest[2]), .number = endian::read64le(rest.data() + 8), .payload = payload.str()};
  begin_ += headerBytes + length;
  // What was taken goes when it is most of the buffer: erasing after each frame would move the rest each time.
  if (begin_ > buffer_.size() / 2) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  return frame;
}

} // namespace fuselage::remote
