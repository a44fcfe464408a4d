// Which values of an argument mean something to the ops that read it.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <limits>
#include <string>
#include <vector>

namespace fuselage {

/// Bounds on what is made up for an argument. Conditions of all readers hold together where they can.
struct InputDomain {
  // Of floats: [least, most], away from 0 where it is a divisor, of this standard deviation.
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool awayFromZero = false;
  double deviation = 1, mean = 0;
  // Of integers and index: [first, last] where `bounded`, else whatever the type holds.
  bool bounded = false;
  int64_t first = std::numeric_limits<int64_t>::min(), last = std::numeric_limits<int64_t>::max();
  bool countsUp = false;  ///< from `first` along the last dimension, as positions do
  bool isDivisor = false; ///< neither 0 nor -1, by which the least integer cannot be divided
  std::string note{};     ///< in words, "positive since math.sqrt reads it"; empty: any value does
};

/// One for each argument. Found are the readers that take an element of the argument as it is:
/// through slices, reshapes, casts, the payload of linalg ops, calls and regions. A root or a
/// logarithm wants a positive value, also of what is computed from it by sums and products
/// (SignDemands.h), a divisor none near 0, what becomes an index one within what it indexes, a
/// shift one below the width, what becomes an angle or is compared with positions counts up, the
/// weights of a contraction the scale that keeps its sums near 1. Parameters (Parameters.h) are
/// what a framework starts with: scaled by 1/sqrt(fan-in) where they have two dimensions or more,
/// near 1 where they only scale, small where they are added, and variances around 1.
std::vector<InputDomain> inputDomainsOf(mlir::func::FuncOp function);

} // namespace fuselage
