// Messages as JSON of nlohmann::json, for programs without LLVM; as core/protocol/json/JsonWriter.h otherwise.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>

namespace fuselage::bundle {

/// A visitor that collects a message's members; see core/protocol/Fields.h for what becomes of unknown ones.
class ResultsWriter {
public:
  using Json = nlohmann::json;
  using Absent = message::Absent;

  template <class T> void operator()(const char *key, const T &member, Absent absent = Absent::Written) {
    if (absent != Absent::LeftOut)
      object_[key] = absent == Absent::Null ? Json(nullptr) : valueOf(member);
  }
  template <class Choice, size_t count>
  void choice(const char *key, const Choice &member, const char *const (&names)[count]) {
    object_[key] = names[static_cast<size_t>(member)];
  }
  template <class Fields> void group(const char *key, const Fields &fields) {
    ResultsWriter inner;
    fields(inner);
    object_[key] = inner.take();
  }
  void element(const char *key, const message::StdTypes::Element &member) { object_[key] = valueOf(member); }
  void elements(const char *key, const std::vector<message::StdTypes::Element> &members) {
    object_[key] = valueOf(members);
  }
  void rounded(const char *key, double member, double unit, Absent absent = Absent::Written) {
    (*this)(key, std::round(member / unit) * unit, absent);
  }
  /// `value` may be a function that makes it.
  template <class T> void derived(const char *key, const T &value, Absent absent = Absent::Written) {
    if constexpr (std::invocable<T>)
      object_[key] = absent == Absent::Null ? Json(nullptr) : valueOf(value());
    else
      (*this)(key, value, absent);
  }
  Json take() { return std::move(object_); }

private:
  static Json valueOf(double value) {
    if (std::isnan(value))
      return "nan";
    if (std::isinf(value))
      return value < 0 ? "-inf" : "inf";
    return value;
  }
  static Json valueOf(const message::StdTypes::Element &element) {
    return std::visit([](const auto &value) { return valueOf(value); }, element);
  }
  static Json valueOf(const std::complex<double> &value) {
    return Json::array({valueOf(value.real()), valueOf(value.imag())});
  }
  template <class T> static Json valueOf(const std::optional<T> &value) {
    return value ? valueOf(*value) : Json(nullptr);
  }
  template <class T> static Json valueOf(const std::vector<T> &list) {
    Json array = Json::array();
    for (const T &each : list)
      array.push_back(valueOf(each));
    return array;
  }
  template <class T> static Json valueOf(const T &value) {
    if constexpr (message::Message<T>) {
      ResultsWriter inner;
      const_cast<T &>(value).fields(inner); // one fields() for readers and writers; these only look
      return inner.take();
    } else {
      return value;
    }
  }
  Json object_ = Json::object();
};

/// Bytes that are no UTF-8 are replaced.
template <message::Message T> std::string resultsJson(const T &message) {
  ResultsWriter writer;
  const_cast<T &>(message).fields(writer);
  return writer.take().dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace fuselage::bundle
