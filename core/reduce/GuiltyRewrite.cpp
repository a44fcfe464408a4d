#include "core/reduce/GuiltyRewrite.h"
#include "core/bisect/Judges.h"
#include "core/reduce/JudgeTest.h"
#include "core/stepping/record/StepReplay.h"
#include <map>

using namespace mlir;

namespace fuselage {

/// The last pass as the only step of a recording; nullopt: a pass before it fails.
static std::optional<Recording> recordingOf(ModuleOp module, llvm::ArrayRef<PassUnit> passes, bool fails,
                                            const FaultLimits &limits) {
  auto irOf = [&](llvm::ArrayRef<PassUnit> some) {
    auto ir = irAfter(module, some, limits);
    if (!ir)
      llvm::consumeError(ir.takeError());
    return ir ? std::move(*ir) : OwningOpRef<ModuleOp>();
  };
  OwningOpRef<ModuleOp> before = irOf(passes.drop_back()), after = fails ? OwningOpRef<ModuleOp>() : irOf(passes);
  if (!before || (!after && !fails))
    return std::nullopt;
  Recording recording;
  recording.snapshots.push_back(std::make_shared<Snapshot>(std::move(before)));
  Step step;
  step.name = step.pass = passes.back().pass;
  step.pipeline = passes.back().pipeline;
  step.before = 0;
  step.failed = fails;
  step.changed = true;
  step.replay = replayOf(recording.snapshots.front(), {.pipeline = step.pipeline});
  if (after) {
    step.after = 1;
    recording.snapshots.push_back(std::make_shared<Snapshot>(std::move(after)));
  }
  recording.steps.push_back(std::move(step));
  return recording;
}

static std::string textOf(const RewriteLog &log, const Rewrite &rewrite) {
  std::string text =
      rewrite.kind == RewriteKind::Pattern ? log.patterns[rewrite.pattern].name : nameOf(rewrite.kind).str();
  if (rewrite.root >= 0)
    text += " on " + log.ops[rewrite.root].name.getStringRef().str();
  text += ":";
  for (auto [sign, ops] : {std::pair("+", &rewrite.inserted), {"-", &rewrite.erased}, {"~", &rewrite.modified}}) {
    std::map<std::string, unsigned> counts;
    for (unsigned op : *ops)
      ++counts[log.ops[op].name.getStringRef().str()];
    for (const auto &[name, count] : counts)
      text += std::string(" ") + sign + " " + std::to_string(count) + " " + name;
  }
  return text;
}

std::string guiltyRewrite(ModuleOp module, llvm::ArrayRef<PassUnit> passes, const Symptom &symptom,
                          const SymptomOptions &options) {
  const bool fails = symptom.kind == SymptomKind::Fault &&
                     (symptom.fault.kind == FaultKind::DoesNotVerify || symptom.fault.kind == FaultKind::PassFails);
  if (passes.empty() || (!fails && symptom.kind != SymptomKind::WrongResults))
    return "";
  DiagnosticCapture capture(*module.getContext());
  std::optional<Recording> recording = recordingOf(module, passes, fails, options.limits);
  if (!recording)
    return "";
  BisectOptions search{.judge = {}, .cancelled = options.limits.cancelled};
  auto judge = fails ? llvm::Expected<Judge>(Judge()) : judgeByResults(module, symptom.check, options.draws);
  if (judge)
    search.judge = std::move(*judge);
  auto culprit = !judge  ? llvm::Expected<Culprit>(judge.takeError())
                 : fails ? bisectFailure(*recording, search)
                         : bisect(*recording, search);
  if (!culprit) {
    llvm::consumeError(culprit.takeError());
    return "";
  }
  return culprit->rewrite ? textOf(*culprit->log, culprit->log->rewrites[*culprit->rewrite]) : "";
}

} // namespace fuselage
