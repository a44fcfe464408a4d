// Which step, and which rewrite inside of it, made a program wrong: binary searches over a recording.
#pragma once
#include "core/bisect/StepTrial.h"
#include "core/stepping/record/RecordedSteps.h"
#include "core/stepping/rewrites/StepRewrites.h"

namespace fuselage {

enum class IrVerdict { Good, Bad, Unknown };

/// What is found of the IR at one place.
struct Judgement {
  IrVerdict verdict = IrVerdict::Unknown;
  std::string why{}; ///< "result 0 differs by 0.31", or why nothing is known, or of good IR what it does
  std::string gap{}; ///< what was left out of a good verdict, and why: "2 of 3 draws of inputs, as .."
};

/// Judges the IR of a snapshot: of a step, or in the middle of one.
using Judge = std::function<Judgement(const Snapshot &snapshot)>;

struct BisectOptions {
  Judge judge;
  /// How often the input and what was found are judged once more, as the judge may answer by chance.
  unsigned confirmations = 0;
  /// The IR before this step counts as the input; steps before it are not looked at.
  unsigned firstStep = 0;
  const std::atomic<bool> *cancelled = nullptr;
  /// Before each judgement: "after step 3, canonicalize".
  std::function<void(llvm::StringRef where)> progress{};
  /// What an earlier search found out, by the same names of places; nullopt: nothing.
  std::function<std::optional<Judgement>(llvm::StringRef where)> known{};
  /// After each judgement. An error ends the search.
  std::function<llvm::Error(llvm::StringRef where, const Judgement &judgement)> judged{};
};

/// What is to blame, as far as it was found.
struct Culprit {
  std::optional<unsigned> step;     ///< the first after which the IR is bad; none: all that could be judged is good
  unsigned firstSuspect = 0;        ///< steps from here to `step` are as suspect: what lies between was not judged
  std::optional<unsigned> rewrite;  ///< of that step, the first after which it is bad
  unsigned firstRewriteSuspect = 0; ///< as firstSuspect
  std::shared_ptr<const RewriteLog> log{}; ///< of that step
  std::string why;                         ///< what the judge said of the IR after it
  std::string note; ///< why no rewrite is named; if nothing is to blame, what the judge said of the last IR
  /// What was not judged, or not in full, and why: "after step 11, Lower to SPIR-V: SPIR-V is not run: ..".
  std::vector<std::string> notJudged{};
  /// Where the step crashes, or does not come to its end.
  std::optional<DeathPlace> death{};
  /// Why nothing can be told: the input cannot be judged, or not twice alike. No step is named then.
  std::string undecided;
  unsigned stepRuns = 0, rewriteRuns = 0; ///< judgements that were asked for
};

/// Finds the first step after which the judge finds the IR bad, and the first such rewrite in it. Supposes that what is
/// bad stays so. IR of which nothing is known is passed over. Failure: the input itself is bad, or it was
/// cancelled.
llvm::Expected<Culprit> bisect(const Recording &recording, const BisectOptions &options);

/// The rewrite of the last step, which failed, after which the IR does not verify any more; none where it verifies
/// throughout. `options.judge` is not asked.
llvm::Expected<Culprit> bisectFailure(const Recording &recording, BisectOptions options);

/// Where within a step the process dies (tryRecording()). The recording ends with that step, as failed.
llvm::Expected<Culprit> bisectDeath(const Recording &recording, const StepDeath &death, unsigned seconds,
                                    const std::atomic<bool> *cancelled = nullptr);

} // namespace fuselage
