// Reads messages out of JSON, of any library: what decides is the same on both sides of the protocol.
#pragma once
#include "core/protocol/Fields.h"
#include <concepts>
#include <optional>
#include <string_view>
#include <utility>

namespace fuselage::message {

/// A visitor that fills a message's members; those that the object does not give a value for stay as they are (see
/// Fields.h). `Json` says how to look into values of a library:
///   types   Text, Object, Value
///   Value find(const Object &, std::string_view key)       of a key that is not there, a value that is nothing
///   std::optional<..> boolean, integer, real, text, element, object (const Value &)
///   bool eachElement(const Value &, f(Value))              false: it is no array
///   bool eachMember(const Value &, f(Text key, Value))     false: it is no object
/// `real` takes the texts of numbers that are not finite, too; `integer` only whole numbers of 64 bits.
template <class Json> class Reader {
public:
  using Value = typename Json::Value;
  Reader(Json &json, typename Json::Object object) : json_(json), object_(std::move(object)) {}

  template <class T> void operator()(std::string_view key, T &member, Absent = Absent::Written) {
    read(json_.find(object_, key), member);
  }

  template <class Choice, size_t count>
  void choice(std::string_view key, Choice &member, const char *const (&names)[count]) {
    const std::optional<typename Json::Text> name = json_.text(json_.find(object_, key));
    for (size_t i = 0; name && i < count; ++i)
      if (json_.isEqual(*name, names[i]))
        member = static_cast<Choice>(i);
  }

  template <class Fields> void group(std::string_view key, const Fields &fields) {
    if (std::optional<typename Json::Object> object = json_.object(json_.find(object_, key))) {
      Reader inner(json_, std::move(*object));
      fields(inner);
    }
  }

  template <class Element> void element(std::string_view key, Element &member) {
    take(json_.element(json_.find(object_, key)), member);
  }
  template <class List> void elements(std::string_view key, List &member) {
    List list;
    const bool isList = json_.eachElement(json_.find(object_, key), [&](const Value &value) {
      if (auto element = json_.element(value))
        list.push_back(std::move(*element));
    });
    if (isList)
      member = std::move(list);
  }

  void rounded(std::string_view key, double &member, double, Absent = Absent::Written) { (*this)(key, member); }

  template <class T> void derived(std::string_view, const T &, Absent = Absent::Written) {}

private:
  void read(const Value &value, bool &member) { take(json_.boolean(value), member); }
  void read(const Value &value, double &member) { take(json_.real(value), member); }
  void read(const Value &value, typename Json::Text &member) { take(json_.text(value), member); }
  template <std::integral Integer> void read(const Value &value, Integer &member) {
    const std::optional<int64_t> number = json_.integer(value);
    if (number && std::in_range<Integer>(*number))
      member = static_cast<Integer>(*number);
  }
  /// Only a value of the right type makes it one.
  void read(const Value &value, std::optional<bool> &member) { take(json_.boolean(value), member); }
  template <std::integral Integer> void read(const Value &value, std::optional<Integer> &member) {
    const std::optional<int64_t> number = json_.integer(value);
    if (number && std::in_range<Integer>(*number))
      member = static_cast<Integer>(*number);
  }

  template <class T> void read(const Value &value, T &member) {
    if constexpr (Message<T>) {
      if (std::optional<typename Json::Object> object = json_.object(value)) {
        Reader inner(json_, std::move(*object));
        member.fields(inner);
      }
    } else if constexpr (requires { typename T::mapped_type; }) {
      json_.eachMember(value, [&](typename Json::Text key, const Value &entry) {
        typename T::mapped_type mapped{};
        read(entry, mapped);
        member[std::move(key)] = std::move(mapped);
      });
    } else {
      readList(value, member);
    }
  }

  template <class T> void read(const Value &value, std::optional<T> &member) {
    T inner{};
    if constexpr (Message<T>) {
      if (!json_.object(value))
        return;
      read(value, inner);
      if constexpr (requires { inner.isWhole(); })
        if (!inner.isWhole())
          return;
    } else if (!readList(value, inner)) {
      return;
    }
    member = std::move(inner);
  }

  template <class List> bool readList(const Value &value, List &member) {
    using Entry = typename List::value_type;
    List list;
    const bool isList = json_.eachElement(value, [&](const Value &element) {
      Entry entry{};
      if constexpr (std::same_as<Entry, double>)
        entry = unknownNumber;
      read(element, entry);
      list.push_back(std::move(entry));
    });
    if (isList)
      member = std::move(list);
    return isList;
  }

  template <class From, class To> static void take(std::optional<From> value, To &member) {
    if (value)
      member = std::move(*value);
  }

  Json &json_;
  typename Json::Object object_;
};

} // namespace fuselage::message
