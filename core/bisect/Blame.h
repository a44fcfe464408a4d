// What is to blame for a recording's fault, whichever it is: for command line and engine.
#pragma once
#include "core/bisect/Bisect.h"
#include "core/run/HostCheck.h"
#include <limits>

namespace fuselage {

/// What counts as worse.
enum class Worse { No, Bytes, Time };

struct BlameOptions {
  HostCheckOptions check{};
  unsigned draws = 3;
  std::string predicate{};            ///< judges instead of the results, see judgeByCommand()
  std::string producer{}, consumer{}; ///< of an edge, whose lost fusion is looked for instead
  Worse worse = Worse::No;            ///< looked for instead
  /// Cancel, progress and what is known; its judge and first step are filled in here.
  BisectOptions search{};
};

/// Finds the step and the rewrite. Without anything else to look for, a last step that failed is the fault, and if none
/// did, results that differ from those of the first snapshot.
llvm::Expected<Culprit> findCulprit(const Recording &recording, BlameOptions options);

/// Records what a pipeline does even where it takes the process down: that step is the last then, and failed.
struct CarefulRecording {
  Recording recording;
  std::optional<StepDeath> death{};
};
/// `seconds`: processor time for all steps together.
llvm::Expected<CarefulRecording> recordCarefully(Session &session, mlir::ModuleOp input, RecordOptions options,
                                                 unsigned seconds);

} // namespace fuselage
