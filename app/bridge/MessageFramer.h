// Takes a byte stream apart into the messages of the engine's protocol.
#pragma once
#include <QByteArray>
#include <optional>

namespace fuselage {

/// `Content-Length: N\r\n\r\n` followed by N bytes, over and over. Lines before a header that
/// are no header (the banner of an ssh login, say) are skipped and kept in `takeNoise`.
class MessageFramer {
public:
  void append(const QByteArray &bytes);
  /// The next complete message, if all of it has arrived.
  std::optional<QByteArray> next();
  /// What was skipped since the last call.
  QByteArray takeNoise();
  void clear();

  /// A message with its header in front.
  static QByteArray frame(const QByteArray &payload);

private:
  bool readHeader();
  QByteArray buffer_;
  QByteArray noise_;
  qsizetype position_ = 0;
  qsizetype length_ = -1;
};

} // namespace fuselage
