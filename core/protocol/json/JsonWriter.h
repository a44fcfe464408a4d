// Writes messages as JSON.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include "core/support/JsonNumber.h"
#include <cmath>
#include <concepts>
#include <optional>

namespace fuselage::message {

template <Message T> llvm::json::Object encode(const T &message);
llvm::json::Value encode(const StdTypes::Element &element);

/// A visitor that collects a message's members; see Fields.h for what becomes of unknown ones. Texts are made valid
/// UTF-8.
class JsonWriter {
public:
  template <class T> void operator()(llvm::StringRef key, const T &member, Absent absent = Absent::Written) {
    if (absent != Absent::LeftOut)
      object_[key] = absent == Absent::Null ? llvm::json::Value(nullptr) : valueOf(member);
  }

  template <class Choice, size_t count>
  void choice(llvm::StringRef key, const Choice &member, const char *const (&names)[count]) {
    object_[key] = names[static_cast<size_t>(member)];
  }

  template <class Fields> void group(llvm::StringRef key, const Fields &fields) {
    JsonWriter inner;
    fields(inner);
    object_[key] = inner.take();
  }

  void element(llvm::StringRef key, const StdTypes::Element &member) { object_[key] = encode(member); }
  void elements(llvm::StringRef key, const std::vector<StdTypes::Element> &members) {
    llvm::json::Array array;
    for (const StdTypes::Element &member : members)
      array.push_back(encode(member));
    object_[key] = std::move(array);
  }

  void rounded(llvm::StringRef key, double member, double unit, Absent absent = Absent::Written) {
    (*this)(key, std::round(member / unit) * unit, absent);
  }

  /// `value` may be a function that makes it.
  template <class T> void derived(llvm::StringRef key, const T &value, Absent absent = Absent::Written) {
    if constexpr (std::invocable<T>)
      object_[key] = absent == Absent::Null ? llvm::json::Value(nullptr) : valueOf(value());
    else
      (*this)(key, value, absent);
  }

  llvm::json::Object take() { return std::move(object_); }

private:
  static llvm::json::Value valueOf(bool value) { return value; }
  static llvm::json::Value valueOf(double value) { return jsonNumber(value); }
  static llvm::json::Value valueOf(std::string_view text) { return llvm::json::fixUTF8(text); }
  static llvm::json::Value valueOf(const std::string &text) { return llvm::json::fixUTF8(text); }
  template <std::integral Integer> static llvm::json::Value valueOf(Integer value) { return value; }
  template <class T> static llvm::json::Value valueOf(const std::optional<T> &value) {
    return value ? valueOf(*value) : llvm::json::Value(nullptr);
  }
  template <class T> static llvm::json::Value valueOf(const std::map<std::string, T> &map) {
    llvm::json::Object object;
    for (const auto &[key, value] : map)
      object[llvm::json::fixUTF8(key)] = valueOf(value);
    return object;
  }
  template <class T> static llvm::json::Value valueOf(const std::vector<T> &list) {
    llvm::json::Array array;
    array.reserve(list.size());
    for (const T &entry : list)
      array.push_back(valueOf(entry));
    return array;
  }
  template <Message T> static llvm::json::Value valueOf(const T &message) { return encode(message); }

  llvm::json::Object object_;
};

template <Message T> llvm::json::Object encode(const T &message) {
  JsonWriter writer;
  const_cast<T &>(message).fields(writer); // one fields() for readers and writers; these only look
  return writer.take();
}

} // namespace fuselage::message
