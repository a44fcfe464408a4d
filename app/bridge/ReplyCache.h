// Replies of the engine that come again for the same request.
#pragma once
#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QList>

namespace fuselage {

/// Keeps replies until clear(), the oldest no longer than there is room.
class ReplyCache {
public:
  static constexpr qsizetype mostBytes = qsizetype(64) << 20; ///< of the texts of the replies

  void insert(const QByteArray &request, const QJsonObject &reply, qsizetype bytes);
  /// Null: there is none.
  const QJsonObject *find(const QByteArray &request) const;
  void clear();
  qsizetype bytes() const { return bytes_; }

private:
  struct Entry {
    QJsonObject reply;
    qsizetype bytes = 0;
  };
  QHash<QByteArray, Entry> entries_;
  QList<QByteArray> order_; ///< the oldest first
  qsizetype bytes_ = 0;
};

/// Whether a method's reply follows from its request and what is recorded: nothing else changes it.
bool isPure(const QString &method);
/// Whether a request of this method leaves the replies of the pure ones as they are.
bool keepsReplies(const QString &method);

} // namespace fuselage
