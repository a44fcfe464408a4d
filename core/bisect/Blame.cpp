#include "core/bisect/Blame.h"
#include "core/bisect/FusionJudge.h"
#include "core/bisect/Judges.h"
#include "core/bisect/LongRuns.h"
#include "core/bisect/TimeJudge.h"
#include "core/stepping/record/Recording.h"

namespace fuselage {

llvm::Expected<CarefulRecording> recordCarefully(Session &session, mlir::ModuleOp input, RecordOptions options,
                                                 unsigned seconds) {
  auto death = tryRecording(session, input, options, seconds);
  if (!death)
    return death.takeError();
  if (*death) {
    options.limit = std::min(options.limit, (*death)->step + 1);
    options.deadly = DeadlyStep{.index = (*death)->step, .message = "it " + (*death)->how};
  }
  auto recording = record(session, input, options);
  if (!recording)
    return recording.takeError();
  return CarefulRecording{.recording = std::move(*recording), .death = std::move(*death)};
}

/// Who judges; `firstStep` is that of the search.
static llvm::Expected<Judge> judgeFor(const Recording &recording, mlir::ModuleOp input, const BlameOptions &options,
                                      unsigned &firstStep) {
  if (!options.predicate.empty())
    return judgeByCommand(options.predicate, options.search.cancelled);
  if (!options.producer.empty())
    return judgeByFusion(input, options.producer, options.consumer);
  HostCheckOptions check = options.check;
  check.cancelled = options.search.cancelled;
  if (options.worse == Worse::Time)
    return judgeByTime(input, check);
  if (options.worse == Worse::No)
    return judgeByResults(input, check, options.draws);
  auto more = findMoreBytes(recording);
  firstStep = more ? more->step : unsigned(recording.steps.size());
  return judgeByBytes(more ? more->before : std::numeric_limits<int64_t>::max());
}

llvm::Expected<Culprit> findCulprit(const Recording &recording, BlameOptions options) {
  const bool looksForFault = options.predicate.empty() && options.producer.empty() && options.worse == Worse::No;
  const bool hasFailed = !recording.steps.empty() && recording.steps.back().failed;
  if (hasFailed && looksForFault)
    return bisectFailure(recording, std::move(options.search));
  const unsigned first = options.search.firstStep;
  const int start = first < recording.steps.size() ? recording.steps[first].before : 0;
  auto input = recording.snapshots[std::max(start, 0)]->parsed();
  if (!input)
    return input.takeError();
  if (options.search.progress) {
    const std::string note = looksForFault ? noteOfLongRuns(*input, options.check.function) : "";
    options.search.progress("the input" + (note.empty() ? "" : ": " + note));
  }
  auto judge = judgeFor(recording, *input, options, options.search.firstStep);
  if (!judge && looksForFault && !(options.search.cancelled && *options.search.cancelled)) {
    Culprit culprit;
    culprit.undecided = takeFailure(judge.takeError()).message;
    return culprit;
  }
  if (!judge)
    return judge.takeError();
  if (options.search.firstStep >= recording.steps.size() && options.worse == Worse::Bytes)
    return Culprit();
  options.search.judge = std::move(*judge);
  if (!options.predicate.empty())
    options.search.confirmations = 3;
  return bisect(recording, options.search);
}

} // namespace fuselage
