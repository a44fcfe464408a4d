// Messages that arrive once and in order, whatever happens to the connections that carry them.
#pragma once
#include "core/remote/link/LinkFrame.h"
#include <deque>
#include <functional>
#include <vector>

namespace fuselage::remote {

/// Of the link: both sides must speak the same.
inline constexpr llvm::StringLiteral linkVersion = "1";

/// Says what a message is (LinkMessages.h).
using MessageKind = char;

struct LinkMessage {
  MessageKind kind = 0;
  std::string text{};
};

/// One side of the link. It numbers what it sends, keeps it until the other side has it, and sends it again over a new
/// connection. Knows no descriptors: its owner carries bytes.
class LinkChannel {
public:
  /// Sends a message, in parts where it is long.
  void send(MessageKind kind, llvm::StringRef text);
  void ping();

  /// A new connection: parts of frames that came over the last one are dropped. `isNew`: the other side has nothing
  /// yet, so that data need not wait for its hello.
  void connect(bool isNew);
  /// The connection is gone; nothing is given to takeOutput() until connect().
  void disconnect();
  bool isConnected() const { return isConnected_; }
  /// The other side has answered on this connection.
  bool hasHello() const { return hasHello_; }

  /// Takes bytes that came; messages that are whole are appended. False: they are damaged, or out of order, and the
  /// connection has to be given up.
  bool receive(llvm::StringRef bytes, std::vector<LinkMessage> &messages);
  /// At most some `most` bytes to write next.
  std::string takeOutput(size_t most);
  bool hasOutput() const;

  /// Bytes that the other side has not confirmed.
  size_t unconfirmed() const { return unconfirmed_; }
  /// The two sides do not know the same messages: one of them is another process now, or of another version.
  const std::string &mismatch() const { return mismatch_; }

private:
  struct Part {
    uint64_t number;
    std::string payload;
  };
  bool take(const LinkFrame &frame, std::vector<LinkMessage> &messages);
  bool takeHello(const LinkFrame &frame);
  bool takePart(const LinkFrame &frame, std::vector<LinkMessage> &messages);
  bool confirm(uint64_t number);

  std::deque<Part> parts_; ///< sent or to be sent, not confirmed
  uint64_t lastNumber_ = 0, received_ = 0;
  size_t unconfirmed_ = 0;
  size_t next_ = 0;     ///< index into parts_ of what is sent next on this connection
  std::string control_; ///< frames without a number that go first
  LinkFrameParser parser_;
  std::string partial_; ///< parts of a message so far
  std::string mismatch_;
  bool isConnected_ = false, hasHello_ = false, maySend_ = false, owesAcknowledge_ = false;
};

} // namespace fuselage::remote
