#include "app/bridge/MessageReader.h"
#include <limits>

using namespace Qt::StringLiterals;

namespace fuselage {

std::optional<int64_t> QtJson::integer(const Value &value) {
  // What is no whole number of 64 bits comes back as either default.
  const qint64 number = value.toInteger(0);
  return number == value.toInteger(1) ? std::optional<int64_t>(number) : std::nullopt;
}

std::optional<double> QtJson::real(const Value &value) {
  if (value.isDouble())
    return value.toDouble();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const QString text = value.toString();
  if (text == "inf"_L1)
    return infinity;
  if (text == "-inf"_L1)
    return -infinity;
  return text == "nan"_L1 ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
}

std::optional<QString> QtJson::text(const Value &value) {
  if (!value.isString())
    return std::nullopt;
  const QString text = value.toString();
  return sharesTexts_ && !text.isEmpty() ? *known_.insert(text) : text;
}

std::optional<QString> QtJson::element(const Value &value) {
  if (const QJsonArray parts = value.toArray(); parts.size() == 2) {
    const std::optional<QString> re = element(parts[0]), im = element(parts[1]);
    return re && im ? std::optional(u"%1 + %2i"_s.arg(*re, *im)) : std::nullopt;
  }
  if (value.isString())
    return value.toString();
  if (!value.isDouble())
    return std::nullopt;
  const bool isWhole = value.toVariant().typeId() == QMetaType::LongLong;
  return isWhole ? QString::number(value.toInteger()) : QString::number(value.toDouble(), 'g', 7);
}

} // namespace fuselage
