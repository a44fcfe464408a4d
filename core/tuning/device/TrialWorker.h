// A copy of this process that measures, so that what crashes or hangs is not our end.
#pragma once
#include "core/support/Error.h"
#include <atomic>
#include <functional>
#include <sys/types.h>

namespace fuselage::tune {

/// Answers requests, one after the other, in the copy.
using Serve = std::function<std::string(const std::string &request)>;

/// Starts with the first request, and again with the next one after it died. It must not be used while the process has threads, as a
/// copy has only the one that makes it.
class TrialWorker {
public:
  struct Answer {
    enum class End { Answered, Died, Hung, Cancelled };
    End end = End::Answered;
    std::string text{}; ///< the answer; else how it ended: "crashed with signal 11 (Segmentation fault)"
  };

  /// `start` runs in the copy, and makes what answers there.
  explicit TrialWorker(std::function<Serve()> start) : start_(std::move(start)) {}
  ~TrialWorker() { stop(); }
  TrialWorker(const TrialWorker &) = delete;
  TrialWorker &operator=(const TrialWorker &) = delete;

  /// Ends it where it takes longer than `seconds`, or `cancelled` becomes true. Failure: no copy can be made.
  llvm::Expected<Answer> ask(const std::string &request, double seconds, const std::atomic<bool> *cancelled = nullptr);
  /// Ends it; a next request starts another one.
  void stop();
  /// How often one was started.
  unsigned starts() const { return starts_; }

private:
  llvm::Error launch();
  std::string reap();

  std::function<Serve()> start_;
  pid_t process_ = -1;
  int toIt_ = -1, fromIt_ = -1;
  unsigned starts_ = 0;
};

} // namespace fuselage::tune
