#include "core/bisect/TimeJudge.h"
#include "core/bisect/LevelRun.h"
#include "core/bisect/TimeComparison.h"
#include "core/run/reference/HostProgram.h"
#include "llvm/Support/Format.h"

namespace fuselage {
namespace {

struct Baseline {
  HostReference reference;
  CompiledLevel code;
};

/// The least of a few runs in a fresh copy of the process: what disturbs a run makes it slower only.
llvm::Expected<double> sample(const CompiledLevel &level, const HostReference &reference) {
  auto results = measureOnHost(*level.code, level.function, llvm::map_to_vector(reference.arguments(), hostValueOf),
                               RepeatPlan({.repeat = 5, .warmup = 2, .seconds = 2}),
                               {.fill = {}, .coldCaches = false, .cancelled = reference.options().cancelled});
  if (!results)
    return results.takeError();
  return *llvm::min_element(results->microseconds);
}

Judgement judgeTimes(const Baseline &baseline, const CompiledLevel &level, double factor) {
  auto comparison = compareTimes([&] { return sample(baseline.code, baseline.reference); },
                                 [&] { return sample(level, baseline.reference); }, {.factor = factor});
  if (!comparison)
    return {IrVerdict::Unknown, takeFailure(comparison.takeError()).message};
  if (comparison->verdict == TimeVerdict::NotSlower)
    return {IrVerdict::Good, ""};
  std::string why;
  llvm::raw_string_ostream os(why);
  if (comparison->verdict == TimeVerdict::CannotTell)
    os << "cannot tell, as times differ by less than the noise: ";
  os << "on the host, it " << describe(*comparison) << " as the input: " << llvm::format("%.3g", comparison->after)
     << " us after " << llvm::format("%.3g", comparison->before) << " us";
  return {comparison->verdict == TimeVerdict::Slower ? IrVerdict::Bad : IrVerdict::Unknown, why};
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
    return judgeTimes(*baseline, *level, factor);
  };
}

} // namespace fuselage
