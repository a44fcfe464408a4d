#include "app/bridge/RequestWriter.h"
#include "app/bridge/MessageWriter.h"

namespace fuselage {

template <class T> static QJsonArray arrayOf(const QList<T> &list) {
  QJsonArray array;
  for (const T &entry : list)
    array.append(entry);
  return array;
}

template <class T> static QJsonObject objectOf(const QMap<QString, T> &map) {
  QJsonObject object;
  for (auto entry = map.begin(); entry != map.end(); ++entry)
    object.insert(entry.key(), entry.value());
  return object;
}

void RequestWriter::put(const char *key, const QJsonValue &value, const Parameter &parameter) {
  const QLatin1StringView name(key);
  if (parameter.isRequired || !unset_.contains(name) || unset_.value(name) != value)
    object_.insert(name, value);
}

void RequestWriter::operator()(const char *key, bool member, const Parameter &parameter) {
  put(key, member, parameter);
}

void RequestWriter::operator()(const char *key, qint64 member, const Parameter &parameter) {
  put(key, member, parameter);
}

void RequestWriter::operator()(const char *key, double member, const Parameter &parameter) {
  put(key, member, parameter);
}

void RequestWriter::operator()(const char *key, const QString &member, const Parameter &parameter) {
  put(key, member, parameter);
}

void RequestWriter::operator()(const char *key, const QList<qint64> &member, const Parameter &parameter) {
  put(key, arrayOf(member), parameter);
}

void RequestWriter::operator()(const char *key, const QList<QString> &member, const Parameter &parameter) {
  put(key, arrayOf(member), parameter);
}

void RequestWriter::operator()(const char *key, const QMap<QString, qint64> &member, const Parameter &parameter) {
  put(key, objectOf(member), parameter);
}

void RequestWriter::operator()(const char *key, const QMap<QString, QString> &member, const Parameter &parameter) {
  put(key, objectOf(member), parameter);
}

void RequestWriter::operator()(const char *key, const QList<protocol::Note> &member, const Parameter &parameter) {
  QJsonArray array;
  for (const protocol::Note &note : member)
    array.append(toJson(note));
  put(key, array, parameter);
}

} // namespace fuselage
