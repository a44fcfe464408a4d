#include "app/bridge/MessageFramer.h"

namespace fuselage {

void MessageFramer::append(const QByteArray &bytes) {
  if (position_ > 0 && position_ == buffer_.size()) {
    buffer_.clear();
    position_ = 0;
  }
  buffer_.append(bytes);
}

/// Reads lines up to the empty one after a Content-Length; false while it is incomplete.
bool MessageFramer::readHeader() {
  qsizetype at = position_;
  qsizetype length = -1;
  for (;;) {
    const qsizetype end = buffer_.indexOf('\n', at);
    if (end < 0)
      return false;
    const QByteArray line = buffer_.mid(at, end - at).trimmed();
    at = end + 1;
    if (line.toLower().startsWith("content-length:")) {
      bool isNumber = false;
      const qlonglong value = line.mid(15).trimmed().toLongLong(&isNumber);
      length = isNumber && value >= 0 ? qsizetype(value) : -1;
    } else if (line.isEmpty() && length >= 0) {
      position_ = at;
      length_ = length;
      return true;
    } else if (length < 0) {
      if (!line.isEmpty())
        noise_ += line + '\n';
      position_ = at;
    }
  }
}

std::optional<QByteArray> MessageFramer::next() {
  if (length_ < 0 && !readHeader())
    return std::nullopt;
  if (buffer_.size() - position_ < length_)
    return std::nullopt;
  QByteArray message = buffer_.mid(position_, length_);
  position_ += length_;
  length_ = -1;
  // Give memory back in large steps only: a shift a message would be quadratic.
  if (position_ > (1 << 20) || position_ == buffer_.size()) {
    buffer_.remove(0, position_);
    position_ = 0;
  }
  return message;
}

QByteArray MessageFramer::takeNoise() { return std::exchange(noise_, {}); }

void MessageFramer::clear() {
  buffer_.clear();
  noise_.clear();
  position_ = 0;
  length_ = -1;
}

QByteArray MessageFramer::frame(const QByteArray &payload) {
  return "Content-Length: " + QByteArray::number(payload.size()) + "\r\n\r\n" + payload;
}

} // namespace fuselage
