// Steps that take the process down: found in a copy of it, down to the rewrite.
#pragma once
#include "core/ir/Session.h"
#include "core/stepping/record/RecordedSteps.h"
#include "core/stepping/rewrites/StepRewrites.h"

namespace fuselage {

/// Which step a copy of the process did not survive.
struct StepDeath {
  unsigned step = 0;
  std::string how; ///< "crashes with signal 11 (Segmentation fault)", "takes more than 10 s"
};

/// Records in a copy of this process; nullopt: it came to its end, whether or not a step failed. `seconds` is of
/// processor time, for all steps. Failure: there can be no copy, or it was cancelled.
llvm::Expected<std::optional<StepDeath>> tryRecording(Session &session, mlir::ModuleOp input,
                                                      const RecordOptions &options, unsigned seconds);

/// Where within a step the copy died.
struct DeathPlace {
  unsigned rewrites = 0; ///< that the step had made
  std::string last;      ///< the last of them, "SomePattern on arith.addf in @main"; empty: there was none
  std::string going;     ///< what was going on, alike; empty: nothing that a driver tells
  int64_t op = -1;       ///< the op that this was at, or else that of `last`, in the IR before the step; -1: none of it
  std::string source;    ///< where that op came from, "model.mlir:35"; empty: nobody knows
  /// The IR where `going` began, or else after `last`, and the op that it was at there. Null: it could not be had.
  std::shared_ptr<const Snapshot> there{};
  int64_t opThere = -1;
  std::string function; ///< of a crash, the symbol that it happened in; may be empty
  std::string how;      ///< as StepDeath
};

/// Runs a step once more in a copy, watched, and then again up to the rewrite that it died in. Failure: it survives
/// there, or cannot be run again.
llvm::Expected<DeathPlace> findDeathPlace(mlir::MLIRContext &context, const Step &step, unsigned seconds,
                                          const std::atomic<bool> *cancelled = nullptr);

} // namespace fuselage
