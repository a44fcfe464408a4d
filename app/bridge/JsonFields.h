// Members of JSON objects as Qt values; what is missing keeps a default.
#pragma once
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

namespace fuselage::protocol {

inline QString text(const QJsonObject &json, QLatin1String name) { return json.value(name).toString(); }

inline qint64 integer(const QJsonObject &json, QLatin1String name, qint64 missing = 0) {
  return json.value(name).toInteger(missing);
}

inline int small(const QJsonObject &json, QLatin1String name, int missing = 0) {
  return int(integer(json, name, missing));
}

inline double real(const QJsonObject &json, QLatin1String name, double missing = 0) {
  return json.value(name).toDouble(missing);
}

inline QStringList texts(const QJsonObject &json, QLatin1String name) {
  QStringList list;
  for (const QJsonValue value : json.value(name).toArray())
    list.append(value.toString());
  return list;
}

inline QList<qint64> integers(const QJsonObject &json, QLatin1String name) {
  QList<qint64> list;
  for (const QJsonValue value : json.value(name).toArray())
    list.append(value.toInteger());
  return list;
}

/// A list of objects, each by its own decode().
template <class T> QList<T> objects(const QJsonObject &json, QLatin1String name) {
  const QJsonArray array = json.value(name).toArray();
  QList<T> list;
  list.reserve(array.size());
  for (const QJsonValue value : array)
    decode(value.toObject(), list.emplaceBack());
  return list;
}

} // namespace fuselage::protocol
