#include "core/run/peaks/RunBaselines.h"
#include "core/run/Timing.h"
#include "core/run/peaks/Limits.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <cmath>

namespace fuselage {

using message::Baseline;

/// Counts what baselines take.
template <class Measure> void RunBaselines::timed(const Measure &measure) {
  auto start = std::chrono::steady_clock::now();
  measure();
  spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void RunBaselines::note(std::string message) {
  notes_.push_back({.severity = Diagnostic::Severity::Remark,
                    .message = std::move(message),
                    .file = "",
                    .line = 0,
                    .column = 0,
                    .notes = {}});
}

void RunBaselines::begin(mlir::MLIRContext &context, Device &device, const RunOptions &options) {
  context_ = &context;
  device_ = &device;
  run_ = &options;
  info_ = device.info();
  measurePeaks();
  startClocks();
  if (options_.baselines && !cancelled())
    library_ = device.takesHostMemory() ? openHostBlas() : openCudaBlas(device);
  if (options_.baselines && !cancelled())
    convolutions_ = openCudaDnn(device);
}

void RunBaselines::measurePeaks() {
  auto peaks = peaksOf(cache_, *context_, *device_, info_, run_->cancelled);
  if (peaks)
    peaks_ = std::move(*peaks);
  else if (Failure failure = takeFailure(peaks.takeError()); !cancelled())
    note(failure.message);
}

/// Multiply-adds follow the clock and nothing else.
void RunBaselines::startClocks() {
  constexpr double input = 1;
  auto empty = MicroKernel::make(*context_, *device_, emptyModule(), input, -input, run_->cancelled);
  if (empty)
    if (auto times = (*empty)->time({.launches = 20, .seconds = 0.2})) {
      clocks_.launchUs = medianOf(times->samples);
      clocks_.submitUs = times->submitUs;
    } else
      llvm::consumeError(times.takeError());
  else
    llvm::consumeError(empty.takeError());
  PeakPlan plan = planPeaks(info_);
  auto steady = MicroKernel::make(*context_, *device_, multiplyAddModule(plan.elements, plan.steps, "f32"), input,
                                  multiplyAddResult(input, plan.steps), run_->cancelled);
  if (!steady)
    return llvm::consumeError(steady.takeError());
  steady_ = std::move(*steady);
  if (auto times = steady_->time({.launches = 9, .seconds = 0.3}))
    clocks_.firstUs = medianOf(times->samples);
  else
    llvm::consumeError(times.takeError());
}

std::optional<RunBaselines::Rival> RunBaselines::rivalOf(mlir::func::FuncOp dispatch) {
  if (auto shape = matmulOf(dispatch); shape && library_ && library_->takes(*shape))
    return Rival{.name = library_->name(),
                 .what = library_->describe(*shape),
                 .time = [this, shape = *shape](const MatmulTiming &timing) { return library_->time(shape, timing); }};
  if (auto shape = convolutionOf(dispatch); shape && convolutions_ && convolutions_->takes(*shape))
    return Rival{
        .name = convolutions_->name(),
        .what = convolutions_->describe(*shape),
        .time = [this, shape = *shape](const MatmulTiming &timing) { return convolutions_->time(shape, timing); }};
  return std::nullopt;
}

/// Half of the library's launches; the others follow the dispatch's.
void RunBaselines::before(mlir::func::FuncOp dispatch) {
  rival_.reset();
  if (!(library_ || convolutions_) || !hasTime())
    return;
  auto rival = rivalOf(dispatch);
  if (!rival)
    return;
  timed([&] {
    auto times = rival->time(rivalTiming());
    if (!times) {
      if (Failure failure = takeFailure(times.takeError()); !cancelled())
        note(failure.message);
      return;
    }
    rival->samples = std::move(*times);
    rival_ = std::move(rival);
  });
}

void RunBaselines::addLibrary(std::vector<KernelReport> &rows) {
  auto times = rival_->time(rivalTiming());
  if (!times)
    return llvm::consumeError(times.takeError());
  llvm::append_range(rival_->samples, *times);
  Baseline<> baseline{.kind = Baseline<>::libraryKind,
                      .name = rival_->name,
                      .what = rival_->what,
                      .us = medianOf(rival_->samples),
                      .launches = int64_t(rival_->samples.size())};
  for (KernelReport &row : rows)
    row.baselines.push_back(baseline);
}

/// A copy of as many bytes as the dispatch moves at least, half of them read and half written; each size once a run.
void RunBaselines::addCopy(std::vector<KernelReport> &rows) {
  constexpr double most = double(uint64_t(1) << 30);
  constexpr int64_t bytesAnElement = 8;
  double bytes = rows.front().bytes;
  if (!(bytes >= bytesAnElement) || bytes > most || (info_.memoryBytes != 0 && bytes > double(info_.memoryBytes) / 8))
    return;
  int64_t elements = int64_t(bytes) / bytesAnElement;
  auto [known, isNew] = copies_.try_emplace(elements);
  if (isNew) {
    auto kernel = MicroKernel::make(*context_, *device_, copyModule(elements), 1, -1, run_->cancelled);
    if (!kernel)
      return llvm::consumeError(kernel.takeError());
    auto times = (*kernel)->time({.launches = 10, .seconds = 0.3, .coldCaches = run_->coldCaches});
    if (!times)
      return llvm::consumeError(times.takeError());
    known->second = Baseline<>{.kind = Baseline<>::copyKind,
                               .name = "copy",
                               .what = "a copy of " + formatBytes(uint64_t(elements) * bytesAnElement),
                               .us = medianOf(times->samples),
                               .launches = int64_t(times->samples.size())};
  }
  if (known->second)
    for (KernelReport &row : rows)
      row.baselines.push_back(*known->second);
}

void RunBaselines::after(mlir::func::FuncOp, std::vector<KernelReport> &rows) {
  bool isHere = !rows.empty() && rows.front().device == info_.id;
  if (!options_.baselines || !isHere)
    return;
  if (hasTime())
    timed([&] { addCopy(rows); });
  if (rival_ && hasTime())
    timed([&] { addLibrary(rows); });
}

void RunBaselines::end(RunReport &report) {
  if (steady_ && clocks_.firstUs > 0 && !cancelled()) {
    if (auto times = steady_->time({.launches = 9, .seconds = 0.3}))
      clocks_.lastUs = medianOf(times->samples);
    else
      llvm::consumeError(times.takeError());
  }
  steady_.reset();
  constexpr double worthAWord = 0.1;
  if (double drift = clocks_.drift(); std::abs(drift) > worthAWord)
    note(llvm::formatv("the clocks were not steady: a kernel of multiply-adds took {0:f1} us before the run and {1:f1} "
                       "us after it; times of "
                       "this run are as uncertain",
                       clocks_.firstUs, clocks_.lastUs));
  report.clocks = clocks_;
  report.peaks = peaks_;
  setLimits(report);
  llvm::append_range(report.remarks, std::exchange(notes_, {}));
}

} // namespace fuselage
