// Writes messages as the text of JSON: over several lines for people, compact for a client.
#pragma once
#include "core/protocol/json/JsonLines.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/support/TwoThreads.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace fuselage::message {

/// `Lines` is indented by two for each level, with members sorted by their keys, as JsonWriter's value is printed.
enum class JsonForm { Lines, Compact };

/// A visitor that writes a message at the end of a text.
template <JsonForm form> class JsonTextWriter {
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
    inner.template end<Fields>();
  }

  void element(llvm::StringRef key, const StdTypes::Element &member) {
    begin(key);
    print(out_, encode(member), depth_ + 1);
  }
  void elements(llvm::StringRef key, const std::vector<StdTypes::Element> &members) {
    begin(key);
    list(out_, members, depth_ + 1,
         [&](std::string &out, const auto &member) { print(out, encode(member), depth_ + 2); });
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

  /// Sorts the members and closes the object. `Shape` tells objects apart that have other members.
  template <class Shape> void end() {
    if constexpr (form == JsonForm::Lines) {
      static thread_local Order order;
      if (!members_.empty()) {
        sort(order);
        breakLine(out_, depth_);
      }
    }
    out_ += '}';
  }

private:
  struct Member {
    llvm::StringRef key;
    size_t begin; ///< in the text, after the end of the line before
    size_t next;  ///< where the one that was written after it begins; 0: it is the last
  };
  static constexpr std::string_view separator = ",\n";

  /// The members of the last object of a shape, by the places of their keys (literals) in memory, and how they are
  /// sorted: the next one mostly has the same.
  struct Order {
    std::vector<const char *> keys;
    std::vector<unsigned> sorted;
  };

  void learn(Order &order) const {
    auto isKnown = [](const Member &member, const char *key) { return member.key.data() == key; };
    if (std::equal(members_.begin(), members_.end(), order.keys.begin(), order.keys.end(), isKnown))
      return;
    order.keys.clear();
    for (const Member &member : members_)
      order.keys.push_back(member.key.data());
    order.sorted.resize(members_.size());
    std::iota(order.sorted.begin(), order.sorted.end(), 0);
    std::stable_sort(order.sorted.begin(), order.sorted.end(),
                     [&](unsigned a, unsigned b) { return members_[a].key < members_[b].key; });
  }

  /// Of a large report one member is nearly all of the text: the longest is moved, and only the others are copied.
  void sort(Order &order) {
    learn(order);
    if (std::is_sorted(order.sorted.begin(), order.sorted.end()))
      return;
    const size_t first = members_.front().begin, end = out_.size();
    auto lengthOf = [&](const Member &member) { return endOf(member, end) - member.begin; };
    const Member *longest = std::max_element(
        members_.begin(), members_.end(), [&](const Member &a, const Member &b) { return lengthOf(a) < lengthOf(b); });
    const size_t from = longest->begin, length = lengthOf(*longest);
    std::string others = out_.substr(first, from - first);
    others.append(out_, from + length);
    size_t at = first;
    for (unsigned number : order.sorted) {
      if (&members_[number] == longest)
        break;
      at += lengthOf(members_[number]) + separator.size();
    }
    std::char_traits<char>::move(&out_[at], &out_[from], length);
    at = first;
    for (unsigned number : order.sorted) {
      const Member &member = members_[number];
      if (at > first)
        at += separator.copy(&out_[at], separator.size());
      if (&member == longest)
        at += length;
      else
        at += others.copy(&out_[at], lengthOf(member), member.begin - first - (member.begin > from ? length : 0));
    }
  }

  void begin(llvm::StringRef key) {
    if constexpr (form == JsonForm::Compact) {
      if (out_.back() != '{')
        out_ += ',';
      out_ += '"';
      out_ += key;
      out_ += "\":";
      return;
    }
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
    if constexpr (form == JsonForm::Lines)
      breakJson(out, depth);
  }

  static void print(std::string &out, const llvm::json::Value &value, unsigned depth) {
    if constexpr (form == JsonForm::Compact) {
      llvm::raw_string_ostream(out) << value;
      return;
    }
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

  /// Half of many messages is written by another thread, into a text of its own.
  template <class List, class Write>
  static void list(std::string &out, const List &entries, unsigned depth, const Write &write) {
    constexpr size_t many = 1000;
    const size_t size = entries.size();
    // A text that grows is copied, and its pages are touched anew: the first entries tell how much room all will take.
    auto writeSome = [&](std::string &text, size_t begin, size_t end, size_t halves = 0) {
      constexpr size_t parts = 8;
      const size_t start = text.size();
      for (size_t at = begin; at < end; ++at) {
        if (halves > 0 && at - begin == (end - begin) / parts)
          text.reserve(start + (text.size() - start) * (parts + 1) * halves);
        if (at > 0)
          text += ',';
        breakLine(text, depth + 1);
        write(text, entries[at]);
      }
    };
    out += '[';
    if (Message<typename List::value_type> && size >= many) {
      std::string rest;
      runBoth([&] { writeSome(out, 0, size / 2, 2); }, [&] { writeSome(rest, size / 2, size, 1); });
      out += rest;
    } else {
      writeSome(out, 0, size);
    }
    if (size > 0)
      breakLine(out, depth);
    out += ']';
  }

  template <class T>
  requires requires(std::string &out, const T &value) { appendJson(out, value); }
  static void write(std::string &out, const T &value, unsigned) { appendJson(out, value); }
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
      out += form == JsonForm::Lines ? ": " : ":";
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
    list(out, entries, depth, [&](std::string &text, const T &entry) { write(text, entry, depth + 1); });
  }
  template <Message T> static void write(std::string &out, const T &message, unsigned depth) {
    JsonTextWriter writer(out, depth);
    const_cast<T &>(message).fields(writer); // see encode()
    writer.template end<T>();
  }

  std::string &out_;
  unsigned depth_;
  llvm::SmallVector<Member, 24> members_;
};

template <JsonForm form, Message T> void appendMessage(std::string &out, const T &message) {
  JsonTextWriter<form> writer(out);
  const_cast<T &>(message).fields(writer);
  writer.template end<T>();
}

/// What jsonText(encode(message)) is, in a fraction of the time.
template <Message T> std::string jsonText(const T &message) {
  std::string text;
  appendMessage<JsonForm::Lines>(text, message);
  text += '\n';
  return madePrintable(std::move(text), Spelling::Json);
}

} // namespace fuselage::message
