// Makes trials, one at a time, in another process: a copy of this one, or a command that speaks the engine's protocol.
#pragma once
#include "core/tuning/device/PointTrials.h"
#include "core/tuning/device/TrialWorker.h"

namespace fuselage::tune {

class TrialMaker {
public:
  /// The result of open(), prepare() or begin().
  struct Event {
    enum class Kind {
      Opened,   ///< ready, with this device
      Prepared, ///< the point is compiled and waits to be measured
      Measured, ///< the trial is made
      Refused,  ///< the function, the device or the version is not suitable; asking again is no use
      Lost,     ///< the command ended, hung or gave an invalid answer; its trial, if any, is lost
    };
    Kind kind = Kind::Lost;
    DeviceInfo device{};
    Measurement measured{};
    std::string why{}; ///< the end of a sentence: "was killed by signal 9 (Killed)"
  };

  /// Uses a copy of this process, which must not have threads that hold locks (TrialWorker.h). A crash or a hang there
  /// is the result of the point, and is reported as its Measurement.
  static std::unique_ptr<TrialMaker> copy();
  /// Uses a command. `line` is split into words as by a shell (ShellWords.h), but no shell runs. The command must have
  /// this program's `version`. Fails if a quote does not end, or there is no such program.
  static llvm::Expected<std::unique_ptr<TrialMaker>> command(const std::string &line, const std::string &version);

  /// "a copy of this process", or the command as it was given.
  const std::string &name() const { return name_; }
  bool isCommand() const { return isCommand_; }

  /// Starts to open a subject; without a payload, only the device. A copy sees the subject as it is now. A command that
  /// does not run yet has `greeting` seconds for its first answer, and `seconds` for the rest. Fails if no process can
  /// be started, or the schedule cannot be read.
  llvm::Error open(const TuneSubject &subject, double seconds, double greeting = 30);
  /// Returns true if the command has answered once.
  bool isGreeted() const { return isGreeted_; }
  /// Starts to compile the point of the next begin(); for copies only. A failure to compile is the point's Measurement.
  llvm::Error prepare(const TrialRequest &request);
  /// Starts a trial. The subject must be open.
  llvm::Error begin(const TrialRequest &request);
  /// The result of what was started; nullopt if there is none yet.
  std::optional<Event> take();
  /// Waits for the result. Fails if `cancelled` becomes true.
  llvm::Expected<Event> wait(const std::atomic<bool> &cancelled);
  std::array<pollfd, 2> waiting() const { return worker_->waiting(); }
  void stop() { stop(std::chrono::steady_clock::now() + TrialWorker::kGrace); }
  /// stop() in two steps, so that several can end at the same time; the process has ended by `deadline`.
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
  llvm::json::Object subject_; ///< to be sent after the greeting
  double openSeconds_ = 60;
};

} // namespace fuselage::tune
