// What a reduction looks for, and how it is told how far it is.
#pragma once
#include "core/reduce/Symptom.h"

namespace fuselage {

/// How far a reduction is.
struct ReduceProgress {
  llvm::StringRef cut; ///< what is tried: "ops become arguments"
  unsigned ops = 0;    ///< that the module has
  unsigned opsBefore = 0;
  unsigned tried = 0, taken = 0; ///< cuts
};

struct ReduceOptions {
  SymptomOptions symptom{}; ///< its `cancelled` ends the search for cuts; the best so far is the result then
  unsigned mostCuts = 5000; ///< to try
  std::function<void(const ReduceProgress &)> progress{};
};

} // namespace fuselage
