// core/engine/PROTOCOL.md names exactly the members that messages have.
#include "tests/core/protocol/AllMessages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace fuselage::message::test {
namespace {

/// A member as the page has it: `key`, `key?` (it may be left out), `key: {members}`, `key: [Name]`.
struct Member {
  std::string key;
  bool mayMiss = false;
  std::string message;         ///< of a member that is, or holds, messages: their name
  std::vector<Member> members; ///< of one that is, or holds, objects
};

std::string shapeOf(const std::vector<Member> &members) {
  std::string text;
  for (const Member &member : members) {
    text += (text.empty() ? "" : ", ") + member.key + (member.mayMiss ? "?" : "");
    if (!member.message.empty())
      text += ": " + member.message;
    else if (!member.members.empty())
      text += ": " + shapeOf(member.members);
  }
  return "{" + text + "}";
}

/// Lists a message's members.
class Lister {
public:
  template <class T> void operator()(std::string_view key, const T &member, Absent absent = Absent::Written) {
    Member &added = add(key, absent);
    describe(member, added);
  }
  template <class Choice, size_t count>
  void choice(std::string_view key, const Choice &, const char *const (&)[count]) {
    add(key, Absent::Written);
  }
  template <class Element> void element(std::string_view key, const Element &) { add(key, Absent::Written); }
  template <class Elements> void elements(std::string_view key, const Elements &) { add(key, Absent::Written); }
  void rounded(std::string_view key, double, double, Absent absent = Absent::Written) { add(key, absent); }
  template <class Fields> void group(std::string_view key, const Fields &fields) {
    Lister inner;
    fields(inner);
    add(key, Absent::Written).members = std::move(inner.members);
  }
  template <class T> void derived(std::string_view key, const T &, Absent absent = Absent::Written) {
    add(key, absent);
  }

  std::vector<Member> members;

private:
  Member &add(std::string_view key, Absent absent) {
    return members.emplace_back(
        Member{.key = std::string(key), .mayMiss = absent == Absent::LeftOut, .message = {}, .members = {}});
  }
  template <class T> static void describe(const T &, Member &added) {
    if constexpr (Message<T>) {
      added.message = T::messageName;
      // Not of a message within itself.
      if constexpr (!std::is_same_v<T, Diagnostic<>>) {
        Lister inner;
        T().fields(inner);
        added.members = std::move(inner.members);
      }
    } else if constexpr (requires { typename T::mapped_type; }) {
      describe(typename T::mapped_type(), added.members.emplace_back(Member{.key = "*", .message = {}, .members = {}}));
    } else if constexpr (requires { typename T::value_type; }) {
      if constexpr (!std::is_same_v<T, std::string>)
        describe(typename T::value_type(), added);
    }
  }
};

/// Reads shapes out of the page.
class ShapeReader {
public:
  explicit ShapeReader(llvm::StringRef text) : rest_(text) {}
  /// Behind "{".
  std::vector<Member> readMembers() {
    std::vector<Member> members;
    while (!skip("}") && !rest_.empty()) {
      if (skip(","))
        continue;
      Member member;
      rest_ = rest_.ltrim(" \n");
      member.key = rest_.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '*'; }).str();
      rest_ = rest_.drop_front(std::max<size_t>(1, member.key.size()));
      member.mayMiss = skip("?");
      if (skip(":"))
        readValue(member);
      members.push_back(std::move(member));
    }
    return members;
  }

private:
  /// Up to the next member: an object in braces, the name of a message, or words and literals.
  void readValue(Member &member) {
    for (int depth = 0; !rest_.empty();) {
      if (skip("{")) {
        member.members = readMembers();
        continue;
      }
      char next = rest_.front();
      if (depth == 0 && (next == ',' || next == '}'))
        return;
      depth += next == '[' ? 1 : next == ']' ? -1 : 0;
      llvm::StringRef word = rest_.take_while([](char c) { return llvm::isAlpha(c) || c == '/'; });
      if (!word.empty())
        member.message = word.str();
      rest_ = rest_.drop_front(std::max<size_t>(1, word.size()));
    }
  }
  bool skip(llvm::StringRef text) {
    rest_ = rest_.ltrim(" \n");
    return rest_.consume_front(text);
  }
  llvm::StringRef rest_;
};

std::string page() {
  std::ifstream file(FUSELAGE_SOURCE_DIR "/core/engine/PROTOCOL.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Where the page describes a message: as the result in the row of its method (of a notification, as its parameters),
/// or behind "Name: `".
llvm::StringRef placeOf(llvm::StringRef text, const std::string &name) {
  size_t section = text.find("\n" + name + ": `{");
  if (section != llvm::StringRef::npos)
    return text.drop_front(text.find('{', section) + 1);
  size_t row = text.find("\n| `" + name + "`");
  if (row == llvm::StringRef::npos)
    return {};
  llvm::StringRef line = text.drop_front(row + 1).split('\n').first;
  llvm::SmallVector<llvm::StringRef> cells;
  line.split(cells, " | ");
  for (size_t cell : {2, 1})
    if (cell < cells.size() && cells[cell].starts_with("`{"))
      return cells[cell].drop_front(2);
  return {};
}

std::vector<Member> sorted(std::vector<Member> members) {
  llvm::sort(members, [](const Member &a, const Member &b) { return a.key < b.key; });
  return members;
}

void compare(const std::vector<Member> &described, const std::vector<Member> &written, const std::string &where) {
  auto keys = [](const std::vector<Member> &members) {
    std::string text;
    for (const Member &member : sorted(members))
      text += member.key + (member.mayMiss ? "? " : " ");
    return text;
  };
  ASSERT_EQ(keys(described), keys(written)) << where << ": core/protocol has " << shapeOf(described);
  const std::vector<Member> left = sorted(described), right = sorted(written);
  for (size_t i = 0; i < left.size(); ++i) {
    const std::string place = where + "." + left[i].key;
    if (!right[i].members.empty()) {
      compare(left[i].members, right[i].members, place);
    } else if (!left[i].message.empty() || !left[i].members.empty()) {
      EXPECT_EQ(left[i].message, right[i].message) << place << ": name the message, or its members in braces";
    }
  }
}

TEST(ProtocolPage, NamesTheMembersOfEveryMessage) {
  const std::string text = page();
  ASSERT_FALSE(text.empty());
  std::set<std::string> inlined;
  forEachMessage([&]<template <class> class M>() {
    const std::string name = M<StdTypes>::messageName;
    Lister lister;
    M<StdTypes>().fields(lister);
    llvm::StringRef place = placeOf(text, name);
    if (!place.empty())
      return compare(lister.members, ShapeReader(place).readMembers(), name);
    inlined.insert(name);
  });
  // What has no place of its own is written out where it is used: compare() went into the braces.
  for (const std::string &name : inlined)
    for (const std::string &use : {": " + name + ",", ": " + name + "}", "[" + name + "]"})
      EXPECT_EQ(text.find(use), std::string::npos) << name << " is named, but described nowhere";
}

} // namespace
} // namespace fuselage::message::test
