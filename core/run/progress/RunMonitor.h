// Follows a run: its phases with their times, what has finished, and how long the rest may take.
#pragma once
#include "core/run/progress/RunProgress.h"
#include "llvm/ADT/Twine.h"
#include <chrono>
#include <map>
#include <mutex>

namespace fuselage {

/// Any thread may call it. Rows are told by one.
class RunMonitor {
public:
  using Told = std::function<void(const RunProgress &)>;
  /// `told` hears of everything, on any thread, one at a time; empty: nobody does. It outlives this.
  explicit RunMonitor(const Told &told) : told_(told) {}

  /// Another phase begins.
  void enter(message::RunPhase phase);
  /// Milliseconds in a phase so far.
  double msOf(message::RunPhase phase) const;
  /// How much work there is in all, in the unit of `tell`.
  void expect(unsigned total);
  void tell(unsigned done, const llvm::Twine &what);

  /// Dispatches are launched from now on. `formOfCall`: of each call in the program, a number that equal dispatches
  /// share.
  void beginDispatches(llvm::ArrayRef<int> formOfCall);
  /// One has been launched for the first time at its place; its rows follow by tellRows().
  void finishDispatch(int form);
  /// One was launched again, as in a loop: what is left is not known any more.
  void repeatDispatch();
  /// Rows have finished, or were compared.
  void tellRows(size_t firstRow, llvm::ArrayRef<KernelReport> rows);

  unsigned dispatchesDone() const { return dispatchesDone_; }
  unsigned dispatches() const { return dispatches_; }

private:
  using Clock = std::chrono::steady_clock;
  /// Under the lock.
  void say(size_t firstRow = 0, llvm::ArrayRef<KernelReport> rows = {});
  double leftMs() const;

  const Told &told_;
  mutable std::mutex mutex_;
  message::RunPhase phase_ = message::RunPhase::Read;
  Clock::time_point phaseStart_ = Clock::now(), dispatchStart_{};
  std::array<double, message::runPhaseCount> phaseMs_{};
  unsigned done_ = 0, total_ = 1;
  std::string what_;
  unsigned dispatchesDone_ = 0, dispatches_ = 0;
  bool isEstimated_ = true;
  struct FormTimes {
    double ms = 0;
    unsigned done = 0, calls = 0;
  };
  std::map<int, FormTimes> forms_;
};

} // namespace fuselage
