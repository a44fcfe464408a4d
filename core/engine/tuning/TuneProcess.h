// A search that goes on beside the engine.
#pragma once
#include "core/protocol/Tuning.h"
#include "core/support/Error.h"
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

namespace fuselage {

class ToolFolder;

/// `fuselage tune --control` (TuneControl.h) as a child: a search makes copies of itself to measure
/// in, for which it may not have threads, as this process has; and what ends it, is not our end. A
/// thread of its own reads what it says. It ends with this object, and soon after this process,
/// however that ends.
class TuneProcess {
public:
  /// `arguments` stand after "tune --control"; what is in `folder` is gone with the search. `peaks` of the device
  /// say what limits the best so far. Failure: it cannot be started.
  static llvm::Expected<std::unique_ptr<TuneProcess>> start(std::string subject,
                                                            const std::vector<std::string> &arguments,
                                                            std::shared_ptr<ToolFolder> folder,
                                                            std::optional<message::DevicePeaks<>> peaks);
  TuneProcess(const TuneProcess &) = delete;
  TuneProcess &operator=(const TuneProcess &) = delete;
  ~TuneProcess();

  /// What it tunes (TuneSubjectParams::key).
  const std::string &subject() const { return subject_; }
  /// Between two trials; what runs is finished.
  void pause(bool pauses);
  /// Now. What was found until then is the outcome.
  void cancel();
  bool isRunning() const;
  /// With the trials from number `from` on, counted from 0.
  message::TuneProgress<> progress(size_t from) const;
  /// All so far.
  std::vector<message::TuneTrial<>> trials() const;

private:
  using Clock = std::chrono::steady_clock;
  TuneProcess() = default;
  void watch();
  void takeEvent(llvm::StringRef line);
  void takeWord(llvm::StringRef line);
  void takeTrial(const message::TuneTrial<> &trial);
  void finish(int status);
  double elapsed() const;

  std::string subject_;
  std::shared_ptr<ToolFolder> folder_;
  std::optional<message::DevicePeaks<>> peaks_;
  int pid_ = -1, toIt_ = -1, fromIt_ = -1, errors_ = -1;
  std::thread watcher_;
  mutable std::mutex mutex_;         ///< of what follows
  message::TuneProgress<> progress_; ///< but for its trials
  std::vector<message::TuneTrial<>> trials_;
  std::vector<std::string> words_;        ///< that it said last, beside notes
  Clock::time_point last_ = Clock::now(); ///< when the last event came
  bool isCancelled_ = false;
};

} // namespace fuselage
