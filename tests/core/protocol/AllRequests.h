// What tests do with requests: fill them.
#pragma once
#include "core/protocol/methods/AllMethods.h"
#include <algorithm>

namespace fuselage::method::test {

/// Gives every parameter of a request, of any types, a value of its own that is in its range. Of snapshots it is 0,
/// which each document has.
class RequestFiller {
public:
  template <class T> void operator()(const char *, T &member, const Parameter &parameter = optional) {
    fill(member, parameter);
  }
  template <class Choice, size_t count>
  void choice(const char *, Choice &member, const char *const (&)[count], const Parameter & = optional) {
    member = static_cast<Choice>(++next_ % count);
  }

private:
  void fill(SnapshotNumber &member, const Parameter &) { member = 0; }
  void fill(bool &member, const Parameter &) { member = !member; }
  void fill(double &member, const Parameter &parameter) { member = std::min(parameter.most, parameter.least + 0.5); }
  template <class T> void fill(T &member, const Parameter &parameter) {
    if constexpr (std::is_integral_v<T>) {
      member = std::clamp<T>(++next_, parameter.min, parameter.max);
    } else if constexpr (requires {
                           member.emplace();
                           member.has_value();
                         }) {
      fill(member.emplace(), parameter);
    } else if constexpr (requires { typename T::mapped_type; }) {
      fill(member[text<typename T::key_type>()], parameter);
    } else if constexpr (
        requires { member.toUpper(); } || requires { member.c_str(); }) {
      member = text<T>();
    } else if constexpr (message::Message<T>) { // as it is
    } else {
      member.resize(2);
      for (auto &entry : member)
        fill(entry, parameter);
    }
  }
  template <class T> T text() {
    const std::string text = "text " + std::to_string(++next_);
    if constexpr (requires { T::fromStdString(text); })
      return T::fromStdString(text);
    else
      return text;
  }

  int next_ = 2;
};

template <class Method, class Types> RequestOf<Method, Types> filledRequest() {
  RequestOf<Method, Types> request;
  RequestFiller filler;
  request.fields(filler);
  return request;
}

} // namespace fuselage::method::test
