// Every message of the protocol, and what tests do with each: fill it, and spell what is in it.
#pragma once
#include "core/protocol/methods/AllMethods.h"
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <type_traits>

namespace fuselage::message::test {

/// Calls `visit.template operator()<M>()` for each message that it finds: those of methods, and those within them.
template <class Visit> class MessageFinder {
public:
  explicit MessageFinder(const Visit &visit) : visit_(visit) {}

  template <class T> void operator()(std::string_view, const T &) { find<T>(); }
  template <class T> void operator()(std::string_view, const T &, Absent) { find<T>(); }
  template <class T> void operator()(std::string_view, const T &, const method::Parameter &) { find<T>(); }
  template <class... Arguments> void choice(const Arguments &...) {}
  template <class... Arguments> void element(const Arguments &...) {}
  template <class... Arguments> void elements(const Arguments &...) {}
  template <class... Arguments> void rounded(const Arguments &...) {}
  template <class Fields> void group(std::string_view, const Fields &fields) { fields(*this); }
  template <class... Arguments> void derived(const Arguments &...) {}

  template <class T> void find() {
    if constexpr (requires { T::messageName; })
      add(std::type_identity<T>());
    else if constexpr (requires { typename T::mapped_type; })
      find<typename T::mapped_type>();
    else if constexpr (requires { typename T::value_type; })
      find<typename T::value_type>();
  }

private:
  template <template <class> class M> void add(std::type_identity<M<StdTypes>>) {
    if (!seen_.insert(M<StdTypes>::messageName).second)
      return;
    visit_.template operator()<M>();
    M<StdTypes>().fields(*this);
  }

  const Visit &visit_;
  std::set<std::string> seen_;
};

/// Calls `visit.template operator()<M>()` for each message of the protocol (core/protocol/methods/AllMethods.h).
template <class Visit> void forEachMessage(const Visit &visit) {
  MessageFinder<Visit> finder(visit);
  method::AllMethods::forEach([&]<class M>() {
    method::RequestOf<M>().fields(finder);
    finder.template find<method::ReplyOf<M>>();
    if constexpr (requires { typename M::template OtherReply<StdTypes>; })
      finder.template find<typename M::template OtherReply<StdTypes>>();
  });
  method::Notifications::forEach([&]<class T>() { finder.template find<T>(); });
  method::OtherMessages::forEach([&]<class T>() { finder.template find<T>(); });
}

/// Gives every member of a message of std types a value of its own, other than its default.
class Filler {
public:
  template <class T> void operator()(std::string_view, T &member, Absent = Absent::Written) { fill(member); }
  template <class Choice, size_t count> void choice(std::string_view, Choice &member, const char *const (&)[count]) {
    // Kernels on the host have fewer members.
    if constexpr (!std::is_same_v<Choice, bool>)
      member = static_cast<Choice>(++next_ % count);
  }
  void element(std::string_view, StdTypes::Element &member) {
    member = StdTypes::Element(std::complex<double>(++next_, -0.5));
  }
  void elements(std::string_view, std::vector<StdTypes::Element> &members) {
    members = {0.25, int64_t(-++next_), std::complex<double>(1, next_), "170141183460469231731687303715884105727"};
  }
  /// In whole units.
  void rounded(std::string_view, double &member, double unit, Absent = Absent::Written) {
    member = std::round(1 / unit) * unit * ++next_;
  }
  template <class Fields> void group(std::string_view, const Fields &fields) { fields(*this); }
  template <class T> void derived(std::string_view, const T &, Absent = Absent::Written) {}

private:
  void fill(bool &member) { member = !member; }
  void fill(double &member) { member = ++next_ + 0.5; }
  void fill(std::string &member) { member = "text " + std::to_string(++next_) + " \xc2\xb5"; }
  template <std::integral Integer> void fill(Integer &member) { member = ++next_; }
  template <class T> void fill(std::optional<T> &member) { fill(member.emplace()); }
  template <class T> void fill(std::map<std::string, T> &member) { fill(member["key " + std::to_string(++next_)]); }
  template <class T> void fill(std::vector<T> &member) {
    if (depth_ > 4) // diagnostics have notes, which are diagnostics
      return;
    ++depth_;
    member.resize(2);
    for (T &entry : member)
      fill(entry);
    --depth_;
  }
  template <Message T> void fill(T &member) {
    member.fields(*this);
    if constexpr (std::is_same_v<T, HeatSlice<>>) {
      member.rows = 1;
      member.columns = 2;
    }
  }

  int next_ = 0, depth_ = 0;
};

inline std::string spelled(const std::string &text) { return text; }
/// As the window shows it.
inline std::string spelled(const StdTypes::Element &element) {
  auto number = [](double value) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.7g", value);
    return std::string(text);
  };
  if (auto *value = std::get_if<double>(&element))
    return number(*value);
  if (auto *value = std::get_if<std::complex<double>>(&element))
    return number(value->real()) + " + " + number(value->imag()) + "i";
  if (auto *value = std::get_if<int64_t>(&element))
    return std::to_string(*value);
  if (auto *value = std::get_if<uint64_t>(&element))
    return std::to_string(*value);
  return std::get<std::string>(element);
}

/// Spells all members of a message of any types, a line each. Texts are spelled by spelled().
class Dump {
public:
  template <class T> void operator()(std::string_view key, const T &member, Absent = Absent::Written) {
    write(std::string(key), member);
  }
  template <class Choice, size_t count>
  void choice(std::string_view key, const Choice &member, const char *const (&)[count]) {
    line(std::string(key), std::to_string(int(member)));
  }
  template <class Element> void element(std::string_view key, const Element &member) {
    line(std::string(key), spelled(member));
  }
  template <class List> void elements(std::string_view key, const List &members) {
    for (const auto &member : members)
      line(std::string(key), spelled(member));
  }
  void rounded(std::string_view key, double member, double, Absent = Absent::Written) {
    write(std::string(key), member);
  }
  template <class Fields> void group(std::string_view, const Fields &fields) { fields(*this); }
  template <class T> void derived(std::string_view, const T &, Absent = Absent::Written) {}
  std::string text;

private:
  void line(const std::string &key, const std::string &value) { text += key + " = " + value + "\n"; }
  template <class T> void write(const std::string &key, const T &member) {
    if constexpr (std::is_floating_point_v<T>) {
      char number[40];
      std::snprintf(number, sizeof(number), "%.17g", std::isnan(member) ? std::abs(member) : member);
      line(key, number);
    } else if constexpr (std::is_integral_v<T>) {
      line(key, std::to_string(member));
    } else if constexpr (Message<T>) {
      line(key, "{");
      const_cast<T &>(member).fields(*this);
      line(key, "}");
    } else if constexpr (requires { member.has_value(); }) {
      line(key, member ? "set" : "none");
      if (member)
        write(key, *member);
    } else if constexpr (requires { spelled(member); }) {
      line(key, spelled(member));
    } else if constexpr (requires { typename T::mapped_type; }) {
      for (auto entry = member.begin(); entry != member.end(); ++entry)
        if constexpr (requires { entry->first; })
          write(key + "." + spelled(entry->first), entry->second);
        else
          write(key + "." + spelled(entry.key()), entry.value());
    } else {
      line(key, "[" + std::to_string(member.size()));
      for (const auto &entry : member)
        write(key, entry);
    }
  }
};

template <Message T> std::string dumpOf(const T &message) {
  Dump dump;
  const_cast<T &>(message).fields(dump);
  return dump.text;
}

template <class T> T filled() {
  T message;
  Filler filler;
  message.fields(filler);
  if constexpr (std::is_same_v<T, HeatSlice<>>) {
    message.rows = 1;
    message.columns = 2;
  }
  return message;
}

/// What may stand where something else is expected.
inline constexpr const char *strangeValues[] = {"null",
                                                "true",
                                                "1e300",
                                                "-1e300",
                                                "3000000000",
                                                "9223372036854775808",
                                                "-7",
                                                "1.5",
                                                "\"inf\"",
                                                "\"-inf\"",
                                                "\"nan\"",
                                                "\"some text\"",
                                                "[]",
                                                "[null, 1, \"x\", [], {}]",
                                                "{}",
                                                "{\"unknown\": {\"x\": [1]}, \"op\": \"x\", \"id\": []}",
                                                "[[[{\"offset\": \"x\", \"size\": 1e300}]], 5, {}]"};

} // namespace fuselage::message::test
