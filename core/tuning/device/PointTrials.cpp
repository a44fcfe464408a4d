#include "core/tuning/device/PointTrials.h"
#include "core/runtime/device/Device.h"
#include "core/schedules/report/TraceReport.h"
#include "core/schedules/script/Knobs.h"
#include "core/support/ResultErrors.h"
#include "core/tuning/dispatch/DispatchSpace.h"
#include "core/tuning/space/Selection.h"
#include <chrono>

namespace fuselage::tune {

/// A failure as one sentence: what it says, and what it was first about.
static std::string sentenceOf(llvm::Error error) {
  Failure failure = takeFailure(std::move(error));
  for (const Diagnostic &diagnostic : failure.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::Error)
      return failure.message + ": " + formatDiagnostic(diagnostic);
  return failure.message;
}

llvm::Expected<Script> scriptOf(const TuneSubject &subject) {
  return subject.scheduleText ? parseScript(subject.session, *subject.scheduleText, subject.schedule, subject.script)
                              : openScript(subject.session, subject.schedule, subject.script);
}

llvm::Expected<DeviceInfo> PointTrials::device() {
  auto opened = openDevice(subject_.run.device);
  if (!opened)
    return opened.takeError();
  return (*opened)->info();
}

llvm::Expected<PointTrials::Candidate> PointTrials::compile(const Parameters &point) {
  return subject_.schedule.empty() ? compileDispatch(point) : compileScheduled(point);
}

llvm::Expected<PointTrials::Candidate> PointTrials::compileDispatch(const Parameters &point) {
  mlir::OwningOpRef<mlir::ModuleOp> asked(mlir::ModuleOp(subject_.payload).clone());
  RequestedSizes sizes;
  for (const auto &[name, text] : point)
    if (llvm::StringRef(text).getAsInteger(10, sizes[name]))
      return fail("'" + text + "' is no size for " + name);
  auto dispatch = asked->lookupSymbol<mlir::func::FuncOp>(bench_->function());
  if (!dispatch || !requestSizes(dispatch, sizes))
    return fail("@" + bench_->function() + " takes no such sizes");
  return bench_->prepare(*asked);
}

llvm::Expected<PointTrials::Candidate> PointTrials::compileScheduled(const Parameters &point) {
  auto script = scriptOf(subject_);
  if (!script)
    return script.takeError();
  if (llvm::Error error = setKnobs(*script, point))
    return error;
  if (llvm::Error error = resolveConstraints(*script))
    return error;
  TraceOptions options;
  options.last = 0;
  auto traced = trace(*script, subject_.payload, options);
  if (!traced)
    return traced.takeError();
  auto result = resultOf(*script, *traced);
  if (!result)
    return result.takeError();
  return bench_->prepare(*result);
}

llvm::Expected<PointTrials::Candidate> PointTrials::baselineFor(const std::optional<Parameters> &wanted) {
  if (!wanted)
    return Candidate();
  if (baselinePoint_ != wanted) {
    auto compiled = compile(*wanted);
    if (!compiled)
      return compiled.takeError();
    baseline_ = std::move(*compiled);
    baselinePoint_ = wanted;
  }
  return baseline_;
}

llvm::Expected<std::optional<Measurement>> PointTrials::prepare(const TrialRequest &request) {
  if (!bench_) {
    auto bench = FunctionBench::create(subject_.payload, subject_.run,
                                       subject_.schedule.empty() ? FunctionBench::Kernels::OfDispatch
                                                                 : FunctionBench::Kernels::OfSchedule);
    if (!bench)
      return bench.takeError();
    bench_ = std::move(*bench);
  }
  auto beside = baselineFor(request.baseline);
  if (!beside)
    return beside.takeError();
  auto candidate = compile(request.point);
  if (!candidate)
    return Measurement{.status = TrialStatus::Failed, .why = sentenceOf(candidate.takeError())};
  prepared_ = std::move(*candidate);
  preparedPoint_ = request.point;
  return std::nullopt;
}

llvm::Expected<Measurement> PointTrials::measure(const TrialRequest &request) {
  if (!prepared_ || preparedPoint_ != request.point || (request.baseline && baselinePoint_ != request.baseline)) {
    auto failed = prepare(request);
    if (!failed)
      return failed.takeError();
    if (*failed)
      return std::move(**failed);
  }
  Candidate candidate = std::exchange(prepared_, nullptr);
  std::string kernel = FunctionBench::fingerprintOf(*candidate);
  if (request.known.count(kernel))
    return Measurement{.status = TrialStatus::Duplicate, .kernel = kernel};
  Measurement measured = run(candidate, request.baseline ? baseline_ : nullptr, request.bounds, request.effort);
  measured.kernel = kernel;
  return measured;
}

Measurement PointTrials::run(Candidate candidate, Candidate baseline, const TrialBounds &bounds,
                             const TrialEffort &effort) {
  auto start = std::chrono::steady_clock::now();
  auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Measurement measured{.status = TrialStatus::Ok};
  auto guarded = [&](llvm::function_ref<llvm::Error()> launch) -> llvm::Error {
    isSpent_ = true; // until it came back
    if (llvm::Error error = launch())
      return error;
    isSpent_ = false;
    return llvm::Error::success();
  };
  // The first launch is for the result. What it took says nothing: drivers compile then, too.
  for (Candidate *each : {&baseline, &candidate})
    if (*each)
      if (llvm::Error error =
              guarded([&] { return bench_->launch(**each, {.repeat = 1, .warmup = 0, .seconds = 1e9}); }))
        return {.status = TrialStatus::Failed, .why = sentenceOf(std::move(error))};
  auto report = bench_->report(*candidate);
  if (!report)
    return {.status = TrialStatus::Failed, .why = sentenceOf(report.takeError())};
  if (!report->ok())
    return {.status = TrialStatus::Wrong, .why = report->why};
  measured.oneThread = report->kernels.empty() ? "" : report->kernels.front().oneThread;
  // Costs are by the baseline's time at the same time.
  size_t firstBeside = baseline ? FunctionBench::samplesOf(*baseline).size() - 1 : 0;
  auto take = [&] {
    std::vector<double> ours = FunctionBench::samplesOf(*candidate);
    measured.microseconds.assign(ours.begin() + 1, ours.end());
    if (!baseline)
      return;
    std::vector<double> theirs = FunctionBench::samplesOf(*baseline);
    measured.baseline.assign(theirs.begin() + static_cast<ptrdiff_t>(firstBeside + 1), theirs.end());
  };
  auto isSlow = [&](double allowance) {
    take();
    for (auto [ours, theirs] : llvm::zip(measured.microseconds, measured.baseline))
      if (ours <= allowance * bounds.cutAbove * theirs)
        return false;
    if (!baseline)
      return false;
    measured.status = TrialStatus::CutShort;
    measured.why =
        "slower than the best one by far in " +
        (measured.microseconds.size() == 1 ? std::string("the first launch that counts")
                                           : "each of " + std::to_string(measured.microseconds.size()) + " launches");
    return true;
  };
  constexpr double doubt = 1.5; // as one launch is not much to go by
  constexpr unsigned least = 3;
  unsigned rounds = effort.rounds;
  double seconds = effort.seconds;
  std::array<Candidate *, 2> order = {&baseline, &candidate};
  for (unsigned round = 0; round < rounds && (round < least || spent() < seconds); ++round) {
    std::swap(order[0], order[1]); // who is second finds another machine, with other clocks
    for (Candidate *each : order)
      if (*each)
        if (llvm::Error error = guarded([&] { return bench_->sample(**each); }))
          return {.status = TrialStatus::Failed, .why = sentenceOf(std::move(error))};
    if ((round == 0 && isSlow(doubt)) || (round + 1 == std::min(effort.firstRounds, effort.rounds) && isSlow(1)))
      return measured;
    bool isLast = round + 1 == rounds || (round + 1 >= least && spent() >= seconds);
    if (!isLast || rounds != effort.rounds)
      continue;
    take();
    if (costOf(measured, Objective::Median).value_or(0) >= bounds.confirmBelow)
      break;
    rounds += round + 1;
    seconds += effort.seconds;
  }
  take();
  return measured;
}

} // namespace fuselage::tune
