// The first value of a function that is not finite.
#pragma once
#include "core/run/inspect/ValueRun.h"

namespace fuselage {

struct NonFiniteFinding {
  mlir::Value value{}; ///< of the module that was given; null: all are finite
  int64_t nan = 0, infinite = 0;
  unsigned checked = 0; ///< values that were looked at
  std::string function{};
};

/// Runs the function on the host and counts, in each tensor of floats, what is not finite: in its arguments, and in
/// what its ops give, in program order and those in dispatch regions among them; constants, fills and what is in loops
/// are left out. The first value with a NaN is found, or else the first with an infinity. Failure: as of
/// computeValue().
llvm::Expected<NonFiniteFinding> findNonFinite(mlir::ModuleOp module, const ValueOptions &options);

} // namespace fuselage
