// What messages are made of. They are templates over it, so that core has them with std types and the window with
// Qt's, whose texts are shared.
#pragma once
#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace fuselage::message {

struct StdTypes {
  using Text = std::string;
  using Int64 = int64_t; ///< Qt has another type of that size
  template <class T> using List = std::vector<T>;
  template <class T> using Map = std::map<std::string, T>;
  /// An element of a tensor: JSON has [re, im] for complex ones, and a string of digits for integers beyond 64 bits.
  using Element = std::variant<double, int64_t, uint64_t, std::complex<double>, std::string>;
};

template <class Types> using Text = typename Types::Text;
template <class Types, class T> using List = typename Types::template List<T>;
template <class Types> using Texts = List<Types, Text<Types>>;
template <class Types> using Int64 = typename Types::Int64;
template <class Types> using Numbers = List<Types, Int64<Types>>;
template <class Types, class T> using Map = typename Types::template Map<T>;

} // namespace fuselage::message
