// Writes messages as the text of JSON, without a tree of values in between: of large reports that took most of the
// time.
#pragma once
#include "core/protocol/json/JsonWriter.h"
#include "core/text/PrintableText.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <string>
#include <vector>

namespace fuselage::message {

/// A visitor that collects a message's members as text, indented by two for each level. The text is that of
/// JsonWriter's value: members are sorted by their keys.
class JsonTextWriter {
public:
  /// `depth`: how many objects and arrays are around the message.
  explicit JsonTextWriter(unsigned depth = 0) : depth_(depth) {}

  template <class T> void operator()(llvm::StringRef key, const T &member, Absent absent = Absent::Written) {
    if (absent != Absent::LeftOut)
      members_.push_back({key, absent == Absent::Null ? "null" : textOf(member, depth_ + 1)});
  }

  template <class Choice, size_t count>
  void choice(llvm::StringRef key, const Choice &member, const char *const (&names)[count]) {
    members_.push_back({key, textOf(std::string_view(names[static_cast<size_t>(member)]), 0)});
  }

  template <class Fields> void group(llvm::StringRef key, const Fields &fields) {
    JsonTextWriter inner(depth_ + 1);
    fields(inner);
    members_.push_back({key, inner.take()});
  }

  void element(llvm::StringRef key, const StdTypes::Element &member) {
    members_.push_back({key, print(encode(member), depth_ + 1)});
  }
  void elements(llvm::StringRef key, const std::vector<StdTypes::Element> &members) {
    std::vector<std::string> texts;
    for (const StdTypes::Element &member : members)
      texts.push_back(print(encode(member), depth_ + 2));
    members_.push_back({key, listOf(texts, depth_ + 1)});
  }

  void rounded(llvm::StringRef key, double member, double unit, Absent absent = Absent::Written) {
    (*this)(key, std::round(member / unit) * unit, absent);
  }

  template <class T> void derived(llvm::StringRef key, const T &value, Absent absent = Absent::Written) {
    if constexpr (std::invocable<T>)
      members_.push_back({key, absent == Absent::Null ? "null" : textOf(value(), depth_ + 1)});
    else
      (*this)(key, value, absent);
  }

  std::string take() {
    std::stable_sort(members_.begin(), members_.end(), [](const Member &a, const Member &b) { return a.key < b.key; });
    std::vector<std::string> texts;
    texts.reserve(members_.size());
    for (Member &member : members_)
      texts.push_back("\"" + member.key.str() + "\": " + std::move(member.text));
    return enclose('{', '}', texts, depth_);
  }

private:
  struct Member {
    llvm::StringRef key;
    std::string text;
  };

  static std::string print(const llvm::json::Value &value, unsigned depth) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::json::OStream json(os, /*IndentSize=*/2);
    json.value(value);
    json.flush();
    // Lines of a value that has several stand below those around it.
    std::string indent(2 * depth, ' ');
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      text.insert(at + 1, indent);
    return text;
  }

  static std::string enclose(char open, char close, const std::vector<std::string> &texts, unsigned depth) {
    if (texts.empty())
      return {open, close};
    const std::string inner(2 * depth + 2, ' ');
    size_t size = 0;
    for (const std::string &text : texts)
      size += text.size() + inner.size() + 2;
    std::string all;
    all.reserve(size + inner.size() + 2);
    all += open;
    for (const std::string &text : texts) {
      all += all.size() == 1 ? "\n" : ",\n";
      all += inner;
      all += text;
    }
    all += '\n';
    all.append(2 * depth, ' ');
    return all += close;
  }
  static std::string listOf(const std::vector<std::string> &texts, unsigned depth) {
    return enclose('[', ']', texts, depth);
  }

  static std::string textOf(bool value, unsigned) { return value ? "true" : "false"; }
  static std::string textOf(double value, unsigned depth) { return print(jsonNumber(value), depth); }
  static std::string textOf(std::string_view text, unsigned depth) {
    bool isPlain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
    if (isPlain)
      return "\"" + std::string(text) + "\"";
    return print(llvm::json::fixUTF8(text), depth);
  }
  static std::string textOf(const std::string &text, unsigned depth) { return textOf(std::string_view(text), depth); }
  template <std::integral Integer> static std::string textOf(Integer value, unsigned) { return std::to_string(value); }
  template <class T> static std::string textOf(const std::optional<T> &value, unsigned depth) {
    return value ? textOf(*value, depth) : "null";
  }
  template <class T> static std::string textOf(const std::map<std::string, T> &map, unsigned depth) {
    std::map<std::string, std::string> members;
    for (const auto &[key, value] : map)
      members[llvm::json::fixUTF8(key)] = textOf(value, depth + 1);
    std::vector<std::string> texts;
    for (const auto &[key, text] : members)
      texts.push_back(textOf(key, 0) + ": " + text);
    return enclose('{', '}', texts, depth);
  }
  template <class T> static std::string textOf(const std::vector<T> &list, unsigned depth) {
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (const T &entry : list)
      texts.push_back(textOf(entry, depth + 1));
    return listOf(texts, depth);
  }
  template <Message T> static std::string textOf(const T &message, unsigned depth) {
    JsonTextWriter writer(depth);
    const_cast<T &>(message).fields(writer); // see encode()
    return writer.take();
  }

  unsigned depth_;
  std::vector<Member> members_;
};

/// What jsonText(encode(message)) is, in a fraction of the time.
template <Message T> std::string jsonText(const T &message) {
  JsonTextWriter writer;
  const_cast<T &>(message).fields(writer);
  return printable(writer.take() + "\n", Spelling::Json);
}

} // namespace fuselage::message
