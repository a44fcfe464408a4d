#include "core/reduce/JudgeTest.h"
#include "core/bisect/FusionJudge.h"
#include "core/bisect/Judges.h"
#include "core/bisect/TimeJudge.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace fuselage {
namespace {

class JudgeTest : public SymptomTest {
public:
  JudgeTest(Symptom symptom, const SymptomOptions &options) : options_(options) { symptom_ = std::move(symptom); }

  llvm::Expected<bool> shows(ModuleOp module, llvm::ArrayRef<PassUnit> passes) override {
    auto after = irAfter(module, passes, options_.limits);
    if (!after)
      return after.takeError();
    if (!*after)
      return false;
    auto before = irBeforeLast(module, passes, options_.limits);
    if (!before)
      return before.takeError();
    if (!*before)
      return false;
    std::optional<Judgement> judgement = judge(**before, **after, passes.empty());
    if (options_.limits.cancelled && *options_.limits.cancelled)
      return fail("it was cancelled");
    if (!judgement || judgement->verdict != IrVerdict::Bad || !isThis(judgement->why))
      return false;
    symptom_.why = judgement->why;
    return true;
  }

private:
  /// Of the IR after the last pass; nullopt: that before it is not good, or cannot be judged by.
  std::optional<Judgement> judge(ModuleOp before, ModuleOp after, bool isAlone) {
    DiagnosticCapture capture(*after.getContext());
    auto judge = judgeFor(before);
    if (!judge) {
      problem_ = takeFailure(judge.takeError()).message;
      return std::nullopt;
    }
    const Judgement judgement = (*judge)(Snapshot(OwningOpRef<ModuleOp>(after.clone())));
    const bool asksBefore = symptom_.kind == SymptomKind::Command && !isAlone;
    if (judgement.verdict == IrVerdict::Bad && asksBefore &&
        (*judge)(Snapshot(OwningOpRef<ModuleOp>(before.clone()))).verdict != IrVerdict::Good)
      return std::nullopt;
    return judgement;
  }

  llvm::Expected<Judge> judgeFor(ModuleOp before) {
    switch (symptom_.kind) {
    case SymptomKind::LostFusion:
      return judgeByFusion(before, symptom_.producer, symptom_.consumer);
    case SymptomKind::MoreTime:
      return judgeByTime(before, options_.check);
    case SymptomKind::MoreBytes:
      if (std::optional<int64_t> bytes = bytesMoved(before))
        return judgeByBytes(*bytes);
      return fail("nobody knows how many bytes the module moves");
    default:
      return judgeByCommand(symptom_.command, options_.limits.cancelled);
    }
  }

  /// Numbers of bytes and microseconds differ between sizes of a program, exit codes of a command do not.
  bool isThis(const std::string &why) const {
    if (symptom_.why.empty() || symptom_.kind == SymptomKind::MoreTime)
      return true;
    return symptom_.kind == SymptomKind::Command ? why == symptom_.why
                                                 : messageShape(why) == messageShape(symptom_.why);
  }

  SymptomOptions options_;
};

} // namespace

llvm::Expected<OwningOpRef<ModuleOp>> irAfter(ModuleOp module, llvm::ArrayRef<PassUnit> passes,
                                              const FaultLimits &limits) {
  auto end = tryPasses(module, passes, limits, /*wantsOutput=*/true);
  if (!end)
    return end.takeError();
  if (!end->verifies || end->fault)
    return OwningOpRef<ModuleOp>();
  DiagnosticCapture capture(*module.getContext());
  return parseSourceString<ModuleOp>(end->output, ParserConfig(module.getContext(), /*verifyAfterParse=*/false));
}

llvm::Expected<OwningOpRef<ModuleOp>> irBeforeLast(ModuleOp module, llvm::ArrayRef<PassUnit> passes,
                                                   const FaultLimits &limits) {
  if (passes.size() < 2)
    return OwningOpRef<ModuleOp>(module.clone());
  return irAfter(module, passes.drop_back(), limits);
}

llvm::Expected<std::unique_ptr<SymptomTest>> makeJudgeTest(const SymptomOptions &options) {
  Symptom symptom{.kind = SymptomKind::Command, .function = options.check.function, .check = options.check};
  if (!options.predicate.empty()) {
    auto judge = judgeByCommand(options.predicate, options.limits.cancelled);
    if (!judge)
      return judge.takeError();
    symptom.command = options.predicate;
  } else if (!options.producer.empty()) {
    symptom.kind = SymptomKind::LostFusion;
    symptom.producer = options.producer;
    symptom.consumer = options.consumer;
  } else {
    symptom.kind = options.worse == Worse::Bytes ? SymptomKind::MoreBytes : SymptomKind::MoreTime;
  }
  return std::make_unique<JudgeTest>(std::move(symptom), options);
}

} // namespace fuselage
