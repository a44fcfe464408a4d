// Reads the protocol's messages out of Qt's JSON.
#pragma once
#include "core/protocol/Reader.h"
#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QString>

namespace fuselage {

/// How message::Reader looks into Qt's JSON.
class QtJson {
public:
  using Text = QString;
  using Object = QJsonObject;
  using Value = QJsonValue;
  /// `sharesTexts`: equal texts are kept once, for messages that repeat them.
  explicit QtJson(bool sharesTexts = false) : sharesTexts_(sharesTexts) {}

  static Value find(const Object &object, std::string_view key) { return object.value(latin(key)); }
  static bool isEqual(const Text &text, std::string_view name) { return text == latin(name); }
  static std::optional<bool> boolean(const Value &value) {
    return value.isBool() ? std::optional(value.toBool()) : std::nullopt;
  }
  static std::optional<int64_t> integer(const Value &value);
  static std::optional<double> real(const Value &value);
  std::optional<Text> text(const Value &value);
  /// As people read it.
  static std::optional<Text> element(const Value &value);
  static std::optional<Object> object(const Value &value) {
    return value.isObject() ? std::optional(value.toObject()) : std::nullopt;
  }

  template <class See> static bool eachElement(const Value &value, const See &see) {
    const QJsonArray array = value.toArray();
    for (const QJsonValue element : array)
      see(element);
    return value.isArray();
  }
  template <class See> static bool eachMember(const Value &value, const See &see) {
    const QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member)
      see(member.key(), member.value());
    return value.isObject();
  }

private:
  static QLatin1StringView latin(std::string_view text) { return {text.data(), qsizetype(text.size())}; }
  bool sharesTexts_;
  QSet<QString> known_;
};

} // namespace fuselage

/// In the messages' own namespace, where calls of decode() find it.
namespace fuselage::message {

template <Message T> void decode(const QJsonObject &json, T &out) {
  QtJson library(requires { T::repeatsTexts; });
  Reader<QtJson> reader(library, json);
  out.fields(reader);
}

} // namespace fuselage::message
