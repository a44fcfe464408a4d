// Dispatches of many kinds as text, with sizes to be drawn: what tiling and code generation are
// tested on.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace fuselage::test {

/// A dispatch body with sizes left open: `$M` is a size, `$(H+2)` a sum, difference or product of
/// sizes and numbers, from left to right.
struct DispatchCase {
  std::string name;
  std::string arguments;                      ///< "%a: tensor<$Mx$Kxf32>, %b: ..."
  std::string results;                        ///< "tensor<$Mx$Nxf32>, ..."
  std::string body;                           ///< ops; the values that leave it are `returns`
  std::string returns;                        ///< "%r, %s"
  std::map<char, std::vector<int64_t>> sizes; ///< what to draw from; others: usualSizes()
};

/// How GoogleTest names a case in its messages.
inline void PrintTo(const DispatchCase &dispatch, std::ostream *out) { *out << dispatch.name; }

/// All cases, the same on every call.
std::vector<DispatchCase> dispatchCases();

/// Small, odd, prime and round sizes.
llvm::ArrayRef<int64_t> usualSizes();

/// How the dispatch stands in the module.
enum class DispatchForm {
  Function, ///< a func.func with the attribute fuselage.dispatch
  Region    ///< a flow.dispatch.region inside a func.func
};

/// A module with one function @dispatch, sizes drawn from `random`.
std::string instantiate(const DispatchCase &dispatch, DispatchForm form, std::mt19937 &random);

/// The same with given sizes.
std::string instantiate(const DispatchCase &dispatch, DispatchForm form, const std::map<char, int64_t> &sizes);

} // namespace fuselage::test
