// One who makes trials, one at a time: a copy of this process, or a command that speaks the engine's protocol.
#pragma once
#include "core/tuning/device/PointTrials.h"
#include "core/tuning/device/TrialWorker.h"

namespace fuselage::tune {

class TrialMaker {
public:
  /// What became of open(), prepare() or begin().
  struct Event {
    enum class Kind {
      Opened,   ///< it is ready, with this device
      Prepared, ///< it compiled the point, which waits to be measured
      Measured, ///< it made the trial
      Refused,  ///< it is no use to ask it again: the function, the device or the version is why
      Lost,     ///< the command ended, hung or answered nonsense; the trial, if there was one, is lost
    };
    Kind kind = Kind::Lost;
    DeviceInfo device{};
    Measurement measured{};
    std::string why{}; ///< a sentence's end: "was killed by signal 9 (Killed)"
  };

  /// A copy of this process, which may not have threads that hold locks (TrialWorker.h). What crashes or hangs there is
  /// the point's doing, and is measured as such.
  static std::unique_ptr<TrialMaker> copy();
  /// `line` splits into words as in a shell (ShellWords.h); none runs. `version` is this program's, and has to be the
  /// command's. Failure: a quote that does not end, or there is no such program.
  static llvm::Expected<std::unique_ptr<TrialMaker>> command(const std::string &line, const std::string &version);

  /// "a copy of this process", or the command as it was given.
  const std::string &name() const { return name_; }
  bool isCommand() const { return isCommand_; }

  /// Begins work on a subject, of which a copy sees what it is now; without a payload only the device is looked at. A
  /// command has `greeting` seconds to answer at all, where it does not run yet, and `seconds` for the rest. Failure:
  /// no process can be made, or the schedule cannot be read.
  llvm::Error open(const TuneSubject &subject, double seconds, double greeting = 30);
  /// A command has answered at all.
  bool isGreeted() const { return isGreeted_; }
  /// Begins to compile a point that begin() will be asked for next; a copy only. What fails is measured as such.
  llvm::Error prepare(const TrialRequest &request);
  /// Begins a trial; once it was opened.
  llvm::Error begin(const TrialRequest &request);
  /// What came of either; nullopt: nothing yet.
  std::optional<Event> take();
  /// take(), once there is something. Failure: `cancelled` became true.
  llvm::Expected<Event> wait(const std::atomic<bool> &cancelled);
  std::array<pollfd, 2> waiting() const { return worker_->waiting(); }
  void stop() { stop(std::chrono::steady_clock::now() + TrialWorker::kGrace); }
  /// stop() in two steps, so that several end at once: by `deadline` it is gone.
  void askToStop();
  void stop(std::chrono::steady_clock::time_point deadline);

private:
  enum class Asked { Nothing, Greeting, Subject, Preparation, Trial };
  TrialMaker(std::string name, std::vector<std::string> command, std::string version)
      : name_(std::move(name)), command_(std::move(command)), version_(std::move(version)),
        isCommand_(!command_.empty()) {}
  llvm::Error ask(Asked what, llvm::StringRef method, llvm::json::Object params, double seconds);
  std::optional<Event> answered(const std::string &text);
  std::optional<Event> greeted(const llvm::json::Object &result);
  Event ended(const TrialWorker::Answer &answer);
  Event lost(std::string why);

  std::string name_;
  std::vector<std::string> command_;
  std::string version_;
  bool isCommand_;
  std::unique_ptr<TrialWorker> worker_;
  Asked asked_ = Asked::Nothing;
  bool isGreeted_ = false, hasBaseline_ = false;
  int64_t lastId_ = 0;
  llvm::json::Object subject_; ///< to be sent behind the greeting
  double openSeconds_ = 60;
};

} // namespace fuselage::tune
