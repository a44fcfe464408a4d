// Keeps what a run has found, so that Ctrl-C loses none of it and is obeyed at once.
#pragma once
#include "core/run/progress/RunProgress.h"
#include <atomic>
#include <functional>
#include <mutex>
#include <semaphore.h>
#include <thread>

namespace fuselage::cli {

/// Until the first dispatch has finished there is nothing to keep, and SIGINT ends the process. From then on it asks
/// the run to stop; if that takes longer than a moment, what has finished is reported while the run still goes on, and
/// the process ends.
class RunKeeper {
public:
  /// Writes a report; returns the exit code. Called on a thread of its own.
  using Report = std::function<int(const RunReport &report)>;
  RunKeeper(std::string device, Report report);
  /// Leaves the signal to the process.
  ~RunKeeper();
  RunKeeper(const RunKeeper &) = delete;
  RunKeeper &operator=(const RunKeeper &) = delete;

  /// RunOptions::progress.
  void watch(const RunProgress &progress);
  /// RunOptions::cancelled.
  const std::atomic<bool> *cancelled() const;
  /// The run has come to its end, and what comes out is the caller's to report. Does not return if it is reported
  /// already.
  void finish();

private:
  void keep();
  RunReport partial();

  std::string device_;
  Report report_;
  std::mutex mutex_; ///< of rows_ and counts
  std::vector<KernelReport> rows_;
  unsigned done_ = 0, of_ = 0;
  std::atomic<bool> isTaken_ = false; ///< somebody reports
  std::atomic<bool> isOver_ = false;
  std::thread thread_;
};

} // namespace fuselage::cli
