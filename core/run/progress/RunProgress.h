// What a run says while it goes on.
#pragma once
#include "core/run/values/RunReport.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>

namespace fuselage {

/// How far a run is. `rows` are those from `firstRow` on of the report to come that have finished, or were compared,
/// since the last call.
struct RunProgress {
  message::RunPhase phase = message::RunPhase::Read;
  std::array<double, message::runPhaseCount> phaseMs{}; ///< spent in each so far
  unsigned done = 0, total = 1;                         ///< of all work: compiling, launching and checking
  std::string what{};
  unsigned dispatchesDone = 0, dispatches = 0; ///< launched and timed, of the program's; 0: not known yet
  double leftMs = -1; ///< until all are launched, by the times of those that finished; negative: unknown
  size_t firstRow = 0;
  llvm::ArrayRef<KernelReport> rows{};
};

} // namespace fuselage
