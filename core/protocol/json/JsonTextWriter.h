// Writes messages as the text of JSON, without a tree of values in between: of large reports that took most of the
// time.
#pragma once
#include "core/protocol/json/JsonWriter.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace fuselage::message {

/// A visitor that writes a message at the end of a text, indented by two for each level. The text is that of
/// JsonWriter's value: members are sorted by their keys.
class JsonTextWriter {
public:
  /// `depth`: how many objects and arrays are around the message.
  explicit JsonTextWriter(std::string &out, unsigned depth = 0) : out_(out), depth_(depth) { out_ += '{'; }

  template <class T> void operator()(llvm::StringRef key, const T &member, Absent absent = Absent::Written) {
    if (absent == Absent::LeftOut)
      return;
    begin(key);
    if (absent == Absent::Null)
      out_ += "null";
    else
      write(out_, member, depth_ + 1);
  }

  template <class Choice, size_t count>
  void choice(llvm::StringRef key, const Choice &member, const char *const (&names)[count]) {
    begin(key);
    write(out_, std::string_view(names[static_cast<size_t>(member)]), depth_ + 1);
  }

  template <class Fields> void group(llvm::StringRef key, const Fields &fields) {
    begin(key);
    JsonTextWriter inner(out_, depth_ + 1);
    fields(inner);
    inner.end();
  }

  void element(llvm::StringRef key, const StdTypes::Element &member) {
    begin(key);
    print(out_, encode(member), depth_ + 1);
  }
  void elements(llvm::StringRef key, const std::vector<StdTypes::Element> &members) {
    begin(key);
    list(out_, members, depth_ + 1, [&](const auto &member) { print(out_, encode(member), depth_ + 2); });
  }

  void rounded(llvm::StringRef key, double member, double unit, Absent absent = Absent::Written) {
    (*this)(key, std::round(member / unit) * unit, absent);
  }

  template <class T> void derived(llvm::StringRef key, const T &value, Absent absent = Absent::Written) {
    if constexpr (std::invocable<T>) {
      begin(key);
      if (absent == Absent::Null)
        out_ += "null";
      else
        write(out_, value(), depth_ + 1);
    } else {
      (*this)(key, value, absent);
    }
  }

  /// Sorts the members and closes the object.
  void end() {
    auto byKey = [](const Member &a, const Member &b) { return a.key < b.key; };
    if (!std::is_sorted(members_.begin(), members_.end(), byKey)) {
      const size_t first = members_.front().begin;
      const std::string unsorted = out_.substr(first);
      std::stable_sort(members_.begin(), members_.end(), byKey);
      out_.resize(first);
      for (const Member &member : members_) {
        if (out_.size() > first)
          out_ += separator;
        out_.append(unsorted, member.begin - first, endOf(member, first + unsorted.size()) - member.begin);
      }
    }
    if (!members_.empty())
      breakLine(out_, depth_);
    out_ += '}';
  }

private:
  struct Member {
    llvm::StringRef key;
    size_t begin; ///< in the text, after the end of the line before
    size_t next;  ///< where the one that was written after it begins; 0: it is the last
  };
  static constexpr std::string_view separator = ",\n";

  void begin(llvm::StringRef key) {
    out_ += members_.empty() ? "\n" : separator;
    if (!members_.empty())
      members_.back().next = out_.size();
    members_.push_back({.key = key, .begin = out_.size(), .next = 0});
    out_.append(2 * depth_ + 2, ' ');
    out_ += '"';
    out_ += key;
    out_ += "\": ";
  }
  static size_t endOf(const Member &member, size_t end) { return member.next ? member.next - separator.size() : end; }

  static void breakLine(std::string &out, unsigned depth) {
    out += '\n';
    out.append(2 * depth, ' ');
  }

  static void print(std::string &out, const llvm::json::Value &value, unsigned depth) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::json::OStream json(os, /*IndentSize=*/2);
    json.value(value);
    json.flush();
    // Lines of a value that has several stand below those around it.
    std::string indent(2 * depth, ' ');
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      text.insert(at + 1, indent);
    out += text;
  }

  template <class List, class Write>
  static void list(std::string &out, const List &entries, unsigned depth, const Write &write) {
    out += '[';
    bool isFirst = true;
    for (const auto &entry : entries) {
      if (!isFirst)
        out += ',';
      isFirst = false;
      breakLine(out, depth + 1);
      write(entry);
    }
    if (!isFirst)
      breakLine(out, depth);
    out += ']';
  }

  static void write(std::string &out, bool value, unsigned) { out += value ? "true" : "false"; }
  static void write(std::string &out, double value, unsigned depth) { print(out, jsonNumber(value), depth); }
  static void write(std::string &out, std::string_view text, unsigned depth) {
    bool isPlain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
    if (!isPlain)
      return print(out, llvm::json::fixUTF8(text), depth);
    out += '"';
    out += text;
    out += '"';
  }
  static void write(std::string &out, const std::string &text, unsigned depth) {
    write(out, std::string_view(text), depth);
  }
  template <std::integral Integer> static void write(std::string &out, Integer value, unsigned) {
    char digits[24];
    out.append(digits, std::to_chars(std::begin(digits), std::end(digits), value).ptr);
  }
  template <class T> static void write(std::string &out, const std::optional<T> &value, unsigned depth) {
    if (value)
      write(out, *value, depth);
    else
      out += "null";
  }
  template <class T> static void write(std::string &out, const std::map<std::string, T> &map, unsigned depth) {
    std::map<std::string, const T *> members;
    for (const auto &[key, value] : map)
      members[llvm::json::fixUTF8(key)] = &value;
    std::string_view before = "{";
    for (const auto &[key, value] : members) {
      out += before;
      breakLine(out, depth + 1);
      write(out, key, 0);
      out += ": ";
      write(out, *value, depth + 1);
      before = ",";
    }
    if (members.empty())
      out += '{';
    else
      breakLine(out, depth);
    out += '}';
  }
  template <class T> static void write(std::string &out, const std::vector<T> &entries, unsigned depth) {
    list(out, entries, depth, [&](const T &entry) { write(out, entry, depth + 1); });
  }
  template <Message T> static void write(std::string &out, const T &message, unsigned depth) {
    JsonTextWriter writer(out, depth);
    const_cast<T &>(message).fields(writer); // see encode()
    writer.end();
  }

  std::string &out_;
  unsigned depth_;
  llvm::SmallVector<Member, 24> members_;
};

/// What jsonText(encode(message)) is, in a fraction of the time.
template <Message T> std::string jsonText(const T &message) {
  std::string text;
  JsonTextWriter writer(text);
  const_cast<T &>(message).fields(writer);
  writer.end();
  text += '\n';
  return madePrintable(std::move(text), Spelling::Json);
}

} // namespace fuselage::message
