#include "core/run/progress/RunMonitor.h"

namespace fuselage {

using message::RunPhase;

static double msBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

void RunMonitor::enter(RunPhase phase) {
  std::lock_guard lock(mutex_);
  auto now = Clock::now();
  phaseMs_[size_t(phase_)] += msBetween(std::exchange(phaseStart_, now), now);
  phase_ = phase;
}

double RunMonitor::msOf(RunPhase phase) const {
  std::lock_guard lock(mutex_);
  return phaseMs_[size_t(phase)] + (phase == phase_ ? msBetween(phaseStart_, Clock::now()) : 0);
}

void RunMonitor::expect(unsigned total) {
  std::lock_guard lock(mutex_);
  total_ = total;
}

void RunMonitor::tell(unsigned done, const llvm::Twine &what) {
  std::lock_guard lock(mutex_);
  done_ = std::max(done_, done);
  what_ = what.str();
  say();
}

void RunMonitor::beginDispatches(llvm::ArrayRef<int> formOfCall) {
  std::lock_guard lock(mutex_);
  dispatches_ = formOfCall.size();
  for (int form : formOfCall)
    ++forms_[form].calls;
  dispatchStart_ = Clock::now();
}

void RunMonitor::finishDispatch(int form) {
  std::lock_guard lock(mutex_);
  auto now = Clock::now();
  FormTimes &times = forms_[form];
  times.ms += msBetween(std::exchange(dispatchStart_, now), now);
  ++times.done;
  ++dispatchesDone_;
  dispatches_ = std::max(dispatches_, dispatchesDone_);
}

void RunMonitor::repeatDispatch() {
  std::lock_guard lock(mutex_);
  isEstimated_ = false;
}

void RunMonitor::tellRows(size_t firstRow, llvm::ArrayRef<KernelReport> rows) {
  std::lock_guard lock(mutex_);
  say(firstRow, rows);
}

/// Equal dispatches take the same time; others that of the mean of all. Of one dispatch alone nothing follows for
/// others.
double RunMonitor::leftMs() const {
  constexpr unsigned enough = 2;
  if (!isEstimated_ || phase_ != RunPhase::Run || dispatchesDone_ == 0)
    return -1;
  double all = 0, left = 0;
  for (const auto &[form, times] : forms_)
    all += times.ms;
  for (const auto &[form, times] : forms_) {
    if (times.done >= times.calls)
      continue;
    if (times.done == 0 && dispatchesDone_ < enough)
      return -1;
    double each = times.done ? times.ms / times.done : all / dispatchesDone_;
    left += each * (times.calls - times.done);
  }
  return left;
}

void RunMonitor::say(size_t firstRow, llvm::ArrayRef<KernelReport> rows) {
  if (!told_)
    return;
  RunProgress progress{.phase = phase_,
                       .phaseMs = phaseMs_,
                       .done = std::min(done_, total_),
                       .total = total_,
                       .what = what_,
                       .dispatchesDone = dispatchesDone_,
                       .dispatches = dispatches_,
                       .leftMs = leftMs(),
                       .firstRow = firstRow,
                       .rows = rows};
  progress.phaseMs[size_t(phase_)] += msBetween(phaseStart_, Clock::now());
  told_(progress);
}

} // namespace fuselage
