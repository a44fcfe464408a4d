// How a message describes its members: each struct of core/protocol has one
//
//   template <class Visitor> void fields(Visitor &visit) {
//     visit("code", code);
//     visit("sub_reason", kind, leftOutIf(isEmpty(kind)));
//   }
//
// and whoever writes, reads or lists messages is a visitor of it: message::JsonWriter, message::Reader. Beside members
// a visitor takes choice() (an enum by its names), element() and elements() (of a tensor, of any type), rounded() (a
// cost, written in whole units of its precision), group() (an object whose members lie flat in the struct) and
// derived() (written for clients, and not read back).
//
// The conventions, for every message:
//  - What is missing, null or of another type keeps the member's default; keys that nobody knows are passed over.
//  - A whole number that does not fit into its member, or is no whole number, keeps the default, too.
//  - An unknown number is negative in whole numbers and costs, NaN in measured ones; members say which, and whether
//    it travels as null, is left out, or is written as it is.
//  - Numbers that are not finite are the texts "inf", "-inf" and "nan", since JSON has no numbers for them.
//  - A name that a choice does not have keeps the default.
#pragma once
#include <cstdint>
#include <limits>

namespace fuselage::message {

/// A measured number that nobody knows.
inline constexpr double unknownNumber = std::numeric_limits<double>::quiet_NaN();

/// What is written of a member without a value.
enum class Absent { Written, Null, LeftOut };
constexpr Absent nullIf(bool isUnknown) { return isUnknown ? Absent::Null : Absent::Written; }
constexpr Absent leftOutIf(bool isUnknown) { return isUnknown ? Absent::LeftOut : Absent::Written; }

template <class Container> bool isEmpty(const Container &container) { return container.size() == 0; }

/// Stands in for a visitor where only the question counts whether a type has fields().
struct AnyVisitor {
  template <class... Arguments> void operator()(const Arguments &...) {}
  template <class... Arguments> void choice(const Arguments &...) {}
  template <class... Arguments> void element(const Arguments &...) {}
  template <class... Arguments> void elements(const Arguments &...) {}
  template <class... Arguments> void rounded(const Arguments &...) {}
  template <class... Arguments> void group(const Arguments &...) {}
  template <class... Arguments> void derived(const Arguments &...) {}
};
template <class T>
concept Message = requires(T &value, AnyVisitor &visit) {
  value.fields(visit);
};

} // namespace fuselage::message
