#include "core/bisect/TimeJudge.h"
#include "core/bisect/LevelRun.h"
#include "core/run/reference/HostProgram.h"
#include "llvm/Support/Format.h"
#include <algorithm>

namespace fuselage {
namespace {

/// Medians of rounds, in microseconds.
using Rounds = std::vector<double>;

struct Baseline {
  HostReference reference;
  CompiledLevel code;
};

/// One round: the median of a few runs in a fresh copy of the process.
llvm::Error addRound(const CompiledLevel &level, const HostReference &reference, Rounds &rounds) {
  auto results = measureOnHost(*level.code, level.function, llvm::map_to_vector(reference.arguments(), hostValueOf),
                               RepeatPlan({.repeat = 9, .warmup = 2, .seconds = 2}),
                               {.fill = {}, .coldCaches = false, .cancelled = reference.options().cancelled});
  if (!results)
    return results.takeError();
  std::vector<double> &times = results->microseconds;
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  rounds.push_back(times[times.size() / 2]);
  return llvm::Error::success();
}

Judgement compareTimes(const Baseline &baseline, const CompiledLevel &level, double factor) {
  constexpr unsigned count = 5;
  Rounds before, after;
  for (unsigned i = 0; i < count; ++i)
    for (auto [code, rounds] : {std::pair(&baseline.code, &before), std::pair(&level, &after)})
      if (llvm::Error error = addRound(*code, baseline.reference, *rounds))
        return {IrVerdict::Unknown, takeFailure(std::move(error)).message};
  const double slowest = *std::max_element(before.begin(), before.end());
  const double fastest = *std::min_element(after.begin(), after.end());
  if (fastest <= slowest * factor)
    return {IrVerdict::Good, ""};
  std::string why;
  llvm::raw_string_ostream os(why);
  os << "it takes " << llvm::format("%.3g", fastest) << " us at least on the host, where "
     << llvm::format("%.3g", slowest) << " us at most were enough before (" << count << " rounds)";
  return {IrVerdict::Bad, why};
}

} // namespace

llvm::Expected<Judge> judgeByTime(mlir::ModuleOp input, const HostCheckOptions &options, double factor) {
  auto reference = HostReference::run(input, options);
  if (!reference)
    return reference.takeError();
  auto code = compileLevel(input, *reference);
  if (!code)
    return code.takeError();
  auto baseline = std::make_shared<Baseline>(Baseline{.reference = std::move(*reference), .code = std::move(*code)});
  return [baseline, factor](const Snapshot &snapshot) -> Judgement {
    auto module = snapshot.parsed();
    if (!module)
      return {IrVerdict::Unknown, takeFailure(module.takeError()).message};
    auto level = compileLevel(*module, baseline->reference);
    if (!level)
      return {IrVerdict::Unknown, takeFailure(level.takeError()).message};
    return compareTimes(*baseline, *level, factor);
  };
}

} // namespace fuselage
