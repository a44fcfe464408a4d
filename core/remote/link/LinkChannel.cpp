#include "core/remote/link/LinkChannel.h"

namespace fuselage::remote {

/// Of a message in a frame: small enough that heartbeats and other messages get between them.
static constexpr size_t partBytes = size_t(64) << 10;
/// More than any message of the engine's protocol has (FrameParser), with its files.
static constexpr size_t longestMessage = size_t(320) << 20;
/// What precedes a part: the kind of the message, and whether more parts follow.
static constexpr char moreFollow = '+', isLast = '.';

void LinkChannel::send(MessageKind kind, llvm::StringRef text) {
  do {
    llvm::StringRef piece = text.take_front(partBytes);
    text = text.drop_front(piece.size());
    Part &part =
        parts_.emplace_back(Part{.number = ++lastNumber_, .payload = {kind, text.empty() ? isLast : moreFollow}});
    part.payload += piece;
    unconfirmed_ += part.payload.size();
  } while (!text.empty());
}

void LinkChannel::ping() { control_ += encodeFrame(FrameType::Ping, 0); }

void LinkChannel::connect(bool isNew) {
  parser_ = LinkFrameParser();
  next_ = 0;
  control_ = encodeFrame(FrameType::Hello, received_, linkVersion);
  isConnected_ = true;
  hasHello_ = false;
  maySend_ = isNew;
  owesAcknowledge_ = false;
}

void LinkChannel::disconnect() {
  isConnected_ = maySend_ = hasHello_ = false;
  control_.clear();
}

bool LinkChannel::receive(llvm::StringRef bytes, std::vector<LinkMessage> &messages) {
  parser_.feed(bytes);
  while (std::optional<LinkFrame> frame = parser_.next())
    if (!take(*frame, messages))
      return false;
  return !parser_.isDamaged();
}

bool LinkChannel::take(const LinkFrame &frame, std::vector<LinkMessage> &messages) {
  if (frame.type == FrameType::Hello)
    return takeHello(frame);
  if (!hasHello_)
    return false;
  switch (frame.type) {
  case FrameType::Data:
    return takePart(frame, messages);
  case FrameType::Acknowledge:
    return confirm(frame.number);
  case FrameType::Ping:
    control_ += encodeFrame(FrameType::Pong, 0);
    return true;
  default:
    return true;
  }
}

bool LinkChannel::takeHello(const LinkFrame &frame) {
  if (hasHello_)
    return false;
  if (frame.payload != linkVersion) {
    mismatch_ = "the other side speaks another version of the link";
    return false;
  }
  const uint64_t firstKept = parts_.empty() ? lastNumber_ + 1 : parts_.front().number;
  if (frame.number > lastNumber_ || frame.number + 1 < firstKept) {
    mismatch_ = "the other side has lost what it had";
    return false;
  }
  hasHello_ = maySend_ = true;
  return confirm(frame.number);
}

bool LinkChannel::confirm(uint64_t number) {
  if (number > lastNumber_)
    return false;
  while (!parts_.empty() && parts_.front().number <= number) {
    unconfirmed_ -= parts_.front().payload.size();
    parts_.pop_front();
    if (next_ > 0)
      --next_;
  }
  return true;
}

bool LinkChannel::takePart(const LinkFrame &frame, std::vector<LinkMessage> &messages) {
  owesAcknowledge_ = true;
  if (frame.number <= received_)
    return true; // it came over the last connection
  llvm::StringRef payload = frame.payload;
  if (frame.number != received_ + 1 || payload.size() < 2 || partial_.size() > longestMessage)
    return false;
  received_ = frame.number;
  partial_ += payload.drop_front(2);
  if (payload[1] == isLast)
    messages.push_back({.kind = payload[0], .text = std::exchange(partial_, {})});
  return true;
}

bool LinkChannel::hasOutput() const {
  return isConnected_ && (!control_.empty() || owesAcknowledge_ || (maySend_ && next_ < parts_.size()));
}

std::string LinkChannel::takeOutput(size_t most) {
  std::string bytes;
  if (!isConnected_)
    return bytes;
  bytes = std::exchange(control_, {});
  if (std::exchange(owesAcknowledge_, false))
    bytes += encodeFrame(FrameType::Acknowledge, received_);
  for (; maySend_ && next_ < parts_.size() && bytes.size() < most; ++next_)
    bytes += encodeFrame(FrameType::Data, parts_[next_].number, parts_[next_].payload);
  return bytes;
}

} // namespace fuselage::remote
