// Writes the protocol's messages as Qt's JSON, for those that the window sends or keeps.
#pragma once
#include "core/protocol/Fields.h"
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <cmath>
#include <concepts>
#include <optional>

namespace fuselage {

template <message::Message T> QJsonObject toJson(const T &message);

/// A visitor that collects a message's members; what is unknown is null or left out (Fields.h).
class MessageWriter {
public:
  template <class T>
  void operator()(const char *key, const T &member, message::Absent absent = message::Absent::Written) {
    if (absent != message::Absent::LeftOut)
      object_[QLatin1StringView(key)] = absent == message::Absent::Null ? QJsonValue() : valueOf(member);
  }
  template <class Choice, size_t count>
  void choice(const char *key, const Choice &member, const char *const (&names)[count]) {
    object_[QLatin1StringView(key)] = QString::fromLatin1(names[size_t(member)]);
  }
  template <class Fields> void group(const char *key, const Fields &fields) {
    MessageWriter inner;
    fields(inner);
    object_[QLatin1StringView(key)] = inner.take();
  }
  /// As texts, which is what they are here.
  void element(const char *key, const QString &member) { (*this)(key, member); }
  void elements(const char *key, const QList<QString> &members) { (*this)(key, members); }
  void rounded(const char *key, double member, double, message::Absent absent = message::Absent::Written) {
    (*this)(key, member, absent);
  }
  /// Follows from the other members.
  template <class T> void derived(const char *, const T &, message::Absent = message::Absent::Written) {}

  QJsonObject take() { return std::move(object_); }

private:
  static QJsonValue valueOf(const QString &text) { return text; }
  static QJsonValue valueOf(bool value) { return value; }
  static QJsonValue valueOf(double value) {
    if (std::isnan(value))
      return QStringLiteral("nan");
    return std::isinf(value) ? QJsonValue(value < 0 ? QStringLiteral("-inf") : QStringLiteral("inf"))
                             : QJsonValue(value);
  }
  template <std::integral Integer> static QJsonValue valueOf(Integer value) { return qint64(value); }
  template <class T> static QJsonValue valueOf(const std::optional<T> &value) {
    return value ? valueOf(*value) : QJsonValue();
  }
  template <class T> static QJsonValue valueOf(const QList<T> &list) {
    QJsonArray array;
    for (const T &entry : list)
      array.append(valueOf(entry));
    return array;
  }
  template <class T> static QJsonValue valueOf(const QMap<QString, T> &map) {
    QJsonObject object;
    for (auto entry = map.begin(); entry != map.end(); ++entry)
      object.insert(entry.key(), valueOf(entry.value()));
    return object;
  }
  template <message::Message T> static QJsonValue valueOf(const T &message) { return toJson(message); }

  QJsonObject object_;
};

template <message::Message T> QJsonObject toJson(const T &message) {
  MessageWriter writer;
  const_cast<T &>(message).fields(writer); // fields() serves readers, too
  return writer.take();
}

} // namespace fuselage
