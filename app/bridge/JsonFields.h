// Members of JSON objects as Qt values; what is missing or null keeps a default.
#pragma once
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>
#include <limits>

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

/// A number that may be unknown (null or missing: NaN) or without bounds, which JSON has no number for ("inf", "-inf").
inline double measured(const QJsonObject &json, QLatin1String name) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const QJsonValue value = json.value(name);
  if (value.toString() == QLatin1String("inf"))
    return unbounded;
  if (value.toString() == QLatin1String("-inf"))
    return -unbounded;
  return value.toDouble(std::numeric_limits<double>::quiet_NaN());
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
