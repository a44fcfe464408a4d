// Computes a value inside of a program, on the arguments of a run.
#pragma once
#include "core/protocol/Run.h"
#include "core/run/inspect/ValueOptions.h"
#include "core/run/inspect/ValueProgram.h"
#include "core/run/values/HostTensor.h"

namespace fuselage {

struct ComputedValue {
  HostTensor tensor{};                       ///< empty: it was not computed, as it takes more than `mostFlops`
  std::string function{};                    ///< that was called
  std::string which{};                       ///< see ValueProgram
  std::vector<message::RunInput<>> inputs{}; ///< arguments that it depends on
  int64_t flops = -1;                        ///< of what it depends on; -1: unknown
  unsigned ops = 0;                          ///< that it depends on
  double milliseconds = 0;                   ///< to compile and compute it
};

/// The value as the reference of a run has it: computed on the host, op by op, on the arguments that the run has, from
/// those ops alone that it depends on. Failure: a sentence why it cannot be shown, such as memory that nobody wrote;
/// "cancelled".
llvm::Expected<ComputedValue> computeValue(mlir::ModuleOp module, ValueUse use, const ValueOptions &options);

} // namespace fuselage
