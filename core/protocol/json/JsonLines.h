// JSON written at the end of a text, over several lines, without a tree of values in between: of large reports that
// took most of the time.
#pragma once
#include "llvm/Support/JSON.h"
#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace fuselage {

//===-- Values, as llvm::json::OStream writes them -------------------------------===//

/// No pointer becomes one.
template <std::same_as<bool> Bool> void appendJson(std::string &out, Bool value) { out += value ? "true" : "false"; }

template <std::integral Integer>
requires(!std::same_as<Integer, bool>) void appendJson(std::string &out, Integer value) {
  char digits[24];
  out.append(digits, std::to_chars(std::begin(digits), std::end(digits), value).ptr);
}

inline void appendJson(std::string &out, std::string_view text) {
  bool isPlain = true; // looked at to the end, which the compiler does in vectors
  for (char c : text)
    isPlain &= c >= ' ' && c < 0x7f && c != '"' && c != '\\';
  if (!isPlain) {
    llvm::raw_string_ostream os(out);
    os << llvm::json::Value(llvm::json::fixUTF8(text));
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

/// A number that is not finite is a text, as jsonNumber() has it.
inline void appendJson(std::string &out, double value) {
  if (!std::isfinite(value))
    return appendJson(out, std::string_view(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf"));
  constexpr int digitsOfDouble = 17;
  char digits[32];
  out.append(
      digits,
      std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::general, digitsOfDouble).ptr);
}

/// Begins a line within `depth` objects and arrays.
inline void breakJson(std::string &out, unsigned depth) {
  out += '\n';
  out.append(2 * size_t(depth), ' ');
}

/// Has the functions of llvm::json::OStream that are needed, and writes what that would with an indent of two.
class JsonLines {
public:
  explicit JsonLines(std::string &out) : out_(out) {}
  /// Writes into another text what comes after what `before` writes in its object or array, which is not empty.
  JsonLines(std::string &out, const JsonLines &before) : out_(out), depth_(before.depth_), isFirst_(false) {}

  template <class Members> void object(const Members &members) {
    begin();
    nest('{', members, '}');
  }
  template <class Elements> void array(const Elements &elements) {
    begin();
    nest('[', elements, ']');
  }
  template <class T> void value(const T &value) {
    begin();
    appendJson(out_, value);
  }
  /// Keys are plain.
  template <class T> void attribute(std::string_view key, const T &value) {
    beginMember(key);
    appendJson(out_, value);
  }
  template <class Elements> void attributeArray(std::string_view key, const Elements &elements) {
    beginMember(key);
    nest('[', elements, ']');
  }

private:
  void begin() {
    if (!std::exchange(isFirst_, false))
      out_ += ',';
    if (depth_ > 0)
      breakJson(out_, depth_);
  }
  void beginMember(std::string_view key) {
    begin();
    out_ += '"';
    out_ += key;
    out_ += "\": ";
  }
  template <class Content> void nest(char open, const Content &content, char close) {
    out_ += open;
    ++depth_;
    isFirst_ = true;
    content();
    --depth_;
    if (!std::exchange(isFirst_, false))
      breakJson(out_, depth_);
    out_ += close;
  }

  std::string &out_;
  unsigned depth_ = 0;
  bool isFirst_ = true;
};

} // namespace fuselage
