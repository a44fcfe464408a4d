// What is made of the protocol's description is as that is now: core/engine/PROTOCOL.md, of the prose in PROTOCOL.md.in
// with the shapes of requests and messages, and the methods of the Python client. With FUSELAGE_UPDATE in the
// environment, the files are written.
#include "tests/core/protocol/AllMessages.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <concepts>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <vector>

namespace fuselage::message::test {
namespace {

const std::string kFolder = FUSELAGE_SOURCE_DIR "/";

std::string contentsOf(const std::string &path) {
  std::ifstream file(kFolder + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expectUpToDate(const std::string &path, const std::string &text) {
  if (std::getenv("FUSELAGE_UPDATE"))
    std::ofstream(kFolder + path) << text;
  EXPECT_TRUE(contentsOf(path) == text)
      << path << " is not what core/protocol and its template make. To write it: FUSELAGE_UPDATE=1 build/ci/bin/"
      << "protocol_test --gtest_filter='GeneratedFiles.*'";
}

/// A member of a message, or a parameter.
struct Member {
  std::string key;
  bool mayMiss = false;
  std::string message;         ///< of a member that is, or holds, messages: their name
  std::vector<Member> members; ///< of one that is, or holds, objects
  std::string type;            ///< of another one that holds several: "n" or "string"
  int lists = 0;               ///< around it
  std::string about;
};

/// Lists the members of a message, or the parameters of a request.
class Lister {
public:
  explicit Lister(bool isRequest = false) : isRequest_(isRequest) {}
  template <class T> void operator()(std::string_view key, const T &member) { describe(member, add(key, isRequest_)); }
  template <class T> void operator()(std::string_view key, const T &member, Absent absent) {
    describe(member, add(key, absent == Absent::LeftOut));
  }
  template <class T> void operator()(std::string_view key, const T &member, const method::Parameter &parameter) {
    Member &added = add(key, !parameter.isRequired);
    describe(member, added);
    added.about = parameter.about;
    if (const std::string use = wordsFor(parameter.use); !use.empty())
      added.about += (added.about.empty() ? "" : " ") + ("(" + use + ")");
  }
  template <class Choice, size_t count>
  void choice(std::string_view key, const Choice &, const char *const (&names)[count]) {
    Member &added = add(key, isRequest_);
    if (isRequest_)
      added.about = quoted(names);
  }
  template <class Choice, size_t count>
  void choice(std::string_view key, const Choice &, const char *const (&names)[count],
              const method::Parameter &parameter) {
    add(key, !parameter.isRequired).about = *parameter.about ? parameter.about : quoted(names);
  }
  template <class Element> void element(std::string_view key, const Element &) { add(key, false); }
  template <class Elements> void elements(std::string_view key, const Elements &) { add(key, false).type = ".."; }
  void rounded(std::string_view key, double, double, Absent absent = Absent::Written) {
    add(key, absent == Absent::LeftOut);
  }
  template <class Fields> void group(std::string_view key, const Fields &fields) {
    Lister inner;
    fields(inner);
    add(key, false).members = std::move(inner.members);
  }
  template <class T> void derived(std::string_view key, const T &value, Absent absent = Absent::Written) {
    Member &added = add(key, absent == Absent::LeftOut);
    if constexpr (std::invocable<T>)
      describe(std::invoke_result_t<T>(), added);
    else
      describe(value, added);
  }

  std::vector<Member> members;

private:
  /// What happens to files that a parameter names.
  static std::string wordsFor(method::FileUse use) {
    using enum method::FileUse;
    switch (use) {
    case None:
    case Lessons:
    case Pipeline:
      return "";
    case Reads:
      return "file: read";
    case ReadsAlone:
      return "file: read, without `text`";
    case Writes:
      return "file: written";
    case Updates:
      return "file: read and written";
    case Arrays:
      return "folder: read";
    case Inputs:
      return "files after \"@\": read";
    case Weights:
      return "files: read";
    case Device:
      return "file, unless it is an id: read";
    case Library:
      return "file: read";
    }
    return "";
  }
  /// "ops" (default) or "dispatches"
  static std::string quoted(llvm::ArrayRef<const char *> names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
      text += (i == 0                  ? ""
               : i + 1 == names.size() ? " or "
                                       : ", ") +
              ('"' + std::string(names[i]) + '"') + (i == 0 ? " (default)" : "");
    return text;
  }

  bool isRequest_;
  Member &add(std::string_view key, bool mayMiss) {
    Member &added = members.emplace_back();
    added.key = key;
    added.mayMiss = mayMiss;
    return added;
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
      Member &entry = added.members.emplace_back();
      entry.key = "*";
      describe(typename T::mapped_type(), entry);
      entry.type = std::is_same_v<typename T::mapped_type, std::string> ? "string" : "n";
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      added.type = "string";
    } else if constexpr (requires { typename T::iterator; }) {
      ++added.lists;
      describe(typename T::value_type(), added);
    } else if constexpr (requires { typename T::value_type; }) {
      describe(typename T::value_type(), added);
    } else {
      added.type = "n";
    }
  }
};

/// Writes shapes: messages that the page describes by themselves are named in others.
class Shapes {
public:
  explicit Shapes(llvm::StringRef page) : page_(page) {}

  std::string of(const std::vector<Member> &members) const {
    std::string text;
    for (const Member &member : members)
      text += (text.empty() ? "" : ", ") + member.key + (member.mayMiss ? "?" : "") + valueOf(member);
    return "{" + text + "}";
  }

private:
  std::string valueOf(const Member &member) const {
    std::string inner;
    if (isNamed(member.message))
      inner = member.message;
    else if (!member.members.empty())
      inner = of(member.members);
    else if (member.lists > 0 || member.key == "*")
      inner = member.type;
    else
      return "";
    return ": " + std::string(member.lists, '[') + inner + std::string(member.lists, ']');
  }
  bool isNamed(const std::string &message) const {
    return !message.empty() && page_.contains("\n" + message + ": `${" + message + "}`");
  }

  llvm::StringRef page_;
};

/// What has to be given comes first.
std::vector<Member> parametersOf(llvm::StringRef name) {
  Lister lister(/*isRequest=*/true);
  method::AllMethods::forEach([&]<class M>() {
    if (name == M::name)
      method::RequestOf<M>().fields(lister);
  });
  llvm::stable_sort(lister.members, [](const Member &a, const Member &b) { return !a.mayMiss && b.mayMiss; });
  return std::move(lister.members);
}

std::vector<Member> membersOf(llvm::StringRef name) {
  Lister lister;
  forEachMessage([&]<template <class> class M>() {
    if (name == M<StdTypes>::messageName)
      M<StdTypes>().fields(lister);
  });
  return std::move(lister.members);
}

/// What a cell says of a request: its shape, and each parameter's words.
std::string cellOf(const std::vector<Member> &parameters, const Shapes &shapes) {
  std::string text = "`" + shapes.of(parameters) + "`";
  for (const Member &parameter : parameters)
    if (!parameter.about.empty())
      text += "; `" + parameter.key + "`: " + parameter.about;
  return text;
}

/// What a method takes beside what another one does.
std::string cellBeside(llvm::StringRef name, llvm::StringRef other, const Shapes &shapes) {
  std::vector<Member> own = parametersOf(name);
  const std::vector<Member> others = parametersOf(other);
  llvm::erase_if(own, [&](const Member &member) {
    return llvm::any_of(others, [&](const Member &known) { return known.key == member.key; });
  });
  return "as " + other.str() + (own.empty() ? "" : ", and " + cellOf(own, shapes));
}

/// `${name}` is the shape of a message, `${request name}` what there is to say of a method's parameters, and `${request
/// name beside other}` what it takes more than another one.
std::string filledPage(llvm::StringRef page) {
  Shapes shapes(page);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [before, rest] = page.split("${");; std::tie(before, rest) = rest.split("${")) {
    os << before;
    if (rest.empty())
      return text;
    auto [name, after] = rest.split('}');
    rest = after;
    if (!name.consume_front("request "))
      os << shapes.of(membersOf(name));
    else if (auto [own, other] = name.split(" beside "); !other.empty())
      os << cellBeside(own, other, shapes);
    else
      os << cellOf(parametersOf(name), shapes);
  }
}

TEST(GeneratedFiles, TheProtocolsPage) {
  const std::string page = contentsOf("core/engine/PROTOCOL.md.in");
  expectUpToDate("core/engine/PROTOCOL.md", filledPage(page));
}

/// The page names every method, and every message or its members.
TEST(GeneratedFiles, ThePageIsWhole) {
  const std::string page = contentsOf("core/engine/PROTOCOL.md.in");
  std::set<std::string> known{"{}"};
  method::AllMethods::forEach([&]<class M>() {
    EXPECT_NE(page.find(std::string("`") + M::name + "`"), std::string::npos) << M::name;
    const std::string request = std::string("${request ") + M::name;
    const bool isListed = parametersOf(M::name).empty() || page.find(request + "}") != std::string::npos ||
                          page.find(request + " beside ") != std::string::npos;
    EXPECT_TRUE(isListed) << M::name << " has parameters that the page does not list";
    known.insert(std::string("request ") + M::name);
  });
  forEachMessage([&]<template <class> class M>() { known.insert(M<StdTypes>::messageName); });
  for (llvm::StringRef rest = llvm::StringRef(page).split("${").second; !rest.empty(); rest = rest.split("${").second)
    EXPECT_TRUE(known.count(rest.split('}').first.split(" beside ").first.str()))
        << rest.split('}').first.str() << " is nothing to fill in";
}

/// "text/opAt" as text_op_at, and `from` as from_, which is a word of Python's.
std::string pythonName(llvm::StringRef name) {
  std::string text;
  for (char c : name) {
    if (llvm::isUpper(c))
      text += '_';
    text += c == '/' ? '_' : llvm::toLower(c);
  }
  return text == "from" ? "from_" : text;
}

template <class Write> std::string joined(const std::vector<Member> &members, const Write &write) {
  std::string text;
  for (const Member &member : members)
    text += (text.empty() ? "" : ", ") + write(member);
  return text;
}

std::string pythonMethod(const char *name) {
  const std::vector<Member> parameters = parametersOf(name);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "\n    def " << pythonName(name) << "(self";
  if (!parameters.empty())
    os << ", *, " << joined(parameters, [](const Member &member) {
      return pythonName(member.key) + (member.mayMiss ? "=None" : "");
    });
  os << "):\n        \"\"\"`" << name << "`.";
  bool isDocumented = false;
  for (const Member &parameter : parameters)
    if (!parameter.about.empty()) {
      os << (isDocumented ? "" : "\n") << "\n        " << pythonName(parameter.key) << ": " << parameter.about << '.';
      isDocumented = true;
    }
  os << (isDocumented ? "\n        " : "") << "\"\"\"\n        return self._ask(\"" << name << "\", {"
     << joined(parameters, [](const Member &member) { return '"' + member.key + "\": " + pythonName(member.key); })
     << "})\n";
  return text;
}

TEST(GeneratedFiles, ThePythonClientsMethods) {
  std::string text =
      "\"\"\"The engine's methods, made of core/protocol/methods by GeneratedFilesTest. Their results are described in "
      "core/engine/PROTOCOL.md.\"\"\"\n\n\n"
      "class Methods:\n"
      "    \"\"\"A method of the engine each; what is None is left to the engine. A subclass has call(method, "
      "**params).\"\"\"\n\n"
      "    def _ask(self, method, params):\n"
      "        return self.call(method, **{name: value for name, value in params.items() if value is not None})\n";
  method::AllMethods::forEach([&]<class M>() { text += pythonMethod(M::name); });
  expectUpToDate("app/python/fuselage/methods.py", text);
}

} // namespace
} // namespace fuselage::message::test
