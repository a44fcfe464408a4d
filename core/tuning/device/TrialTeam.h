// Those who make trials of one tuning, asked at once by one thread.
#pragma once
#include "core/tuning/device/TrialMaker.h"
#include <deque>

namespace fuselage::tune {

/// All have the same device and driver: results of others are not comparable, and who has another one is sent away with a note. A command
/// that ends, hangs or answers nonsense loses its trial to another one; it is started again twice and then given up, with notes. A
/// point whose trial is lost twice is recorded as crashed.
class TrialTeam {
public:
  /// Something that a person should know.
  using Note = std::function<void(const std::string &note)>;

  /// `workers` are "local", a copy of this process, or commands (TrialMaker.h); none: one copy. Failure: one of them is no command.
  static llvm::Expected<std::unique_ptr<TrialTeam>> make(llvm::ArrayRef<std::string> workers, const std::string &version, Note note = {});
  ~TrialTeam();

  /// Begins work on `subject`, which outlives that, and waits for the first that is ready: its device. The others help as soon as they
  /// are. Failure: none is, with the last reason, or the run is cancelled.
  llvm::Expected<DeviceInfo> open(const TuneSubject &subject, double seconds);

  /// Somebody waits for a trial.
  bool hasIdle() const;
  /// Some trial is under way.
  bool isBusy() const;
  /// Hands a trial out; `number` is the caller's.
  void begin(size_t number, TrialRequest request);

  struct Done {
    size_t number = 0;
    Measurement measured{};
    double seconds = 0; ///< that it took
    std::string maker{};
  };
  /// Waits for a trial; nullopt: somebody else became idle, or was lost. Failure: nobody is left, with the last reason, or the run is
  /// cancelled; trials that were under way are lost then.
  llvm::Expected<std::optional<Done>> wait();

private:
  using Clock = std::chrono::steady_clock;
  enum class State { Away, Resting, Opening, Idle, Busy };
  struct Job {
    size_t number = 0;
    TrialRequest request{};
    unsigned lost = 0; ///< so often
  };
  struct Member {
    std::unique_ptr<TrialMaker> maker;
    State state = State::Away;
    bool isGivenUp = false;
    unsigned starts = 0;
    Job job{};
    Clock::time_point since{}; ///< when the job began, or until when it rests
  };

  TrialTeam() = default;
  void say(const Member &member, const std::string &what);
  void start(Member &member);
  void sendAway(Member &member, const std::string &why, bool forGood);
  void opened(Member &member, const DeviceInfo &device);
  std::optional<Done> lost(Member &member, const std::string &why);
  void handBack(Member &member);
  std::optional<Done> loseJob(Member &member, const std::string &why);
  std::optional<Done> handle(Member &member, TrialMaker::Event event);
  void handOut();
  llvm::Error whyNobody() const;
  void pause() const;

  std::vector<Member> members_;
  std::deque<Job> waiting_;
  std::deque<Done> done_;
  Note note_;
  const TuneSubject *subject_ = nullptr;
  std::optional<DeviceInfo> device_;
  double openSeconds_ = 60;
  std::string lastWhy_;
};

} // namespace fuselage::tune
