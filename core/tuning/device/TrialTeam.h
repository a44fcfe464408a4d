// The processes that make the trials of one tuning at the same time, driven by one thread.
#pragma once
#include "core/tuning/device/TrialMaker.h"
#include <deque>
#include <set>

namespace fuselage::tune {

struct TeamOptions {
  /// Commands (TrialMaker.h), or "local" for copies of this process. Empty means "local".
  std::vector<std::string> workers{};
  std::string version{}; ///< of this program
  /// Copies of this process that compile at the same time for each "local"; 0: its share of the processors, at most 8.
  unsigned jobs = 0;
  double patience = 30; ///< seconds for a command's first answer, including login and waiting in a queue
  /// Called with messages for the user.
  std::function<void(const std::string &note)> note{};
};

/// All workers have the same device and driver: those of the first worker in the list that becomes ready. Workers with
/// others are dismissed with a note, since their results are not comparable. If a command ends, hangs or gives an
/// invalid answer, another worker repeats its trial; the command is restarted twice and then given up, with notes. A
/// point whose trial is lost twice is recorded as crashed.
///
/// The copies of a "local" compile points ahead; each measures the point that it compiled, one copy at a time. If
/// kernels run on the processors that compile (host, software Vulkan), all copies compile first, and the points are
/// measured one after the other on an otherwise idle machine. Otherwise the other copies, at most 4, compile while one
/// measures. A command compiles and measures by itself.
class TrialTeam {
public:
  /// Fails if a worker is not a valid command.
  static llvm::Expected<std::unique_ptr<TrialTeam>> make(const TeamOptions &options);
  ~TrialTeam();

  /// Updates a request right before it is measured, since results of other points may have arrived.
  using Update = std::function<void(size_t number, TrialRequest &request)>;

  void updateBy(Update update) { update_ = std::move(update); }

  /// Opens `subject`, which must outlive the team's work, and waits for the first worker. Returns its device. Other
  /// workers join when they are ready. Fails, with the last reason, if no worker becomes ready, or the run is
  /// cancelled.
  llvm::Expected<DeviceInfo> open(const TuneSubject &subject, double seconds);

  /// Returns true if a worker is idle.
  bool hasIdle() const;
  /// Returns true if a trial is under way.
  bool isBusy() const;
  /// Gives a trial to an idle worker. `number` identifies it for the caller.
  void begin(size_t number, TrialRequest request);

  struct Done {
    size_t number = 0;
    Measurement measured{};
    double seconds = 0; ///< duration of the trial without waiting times
    std::string maker{};
  };
  /// Waits for a trial to finish. Returns nullopt if a worker became idle, or was lost, instead. Fails, with the last
  /// reason, if no worker is left, or the run is cancelled; running trials are lost then.
  llvm::Expected<std::optional<Done>> wait();

private:
  using Clock = std::chrono::steady_clock;
  enum class State { Away, Resting, Opening, Opened, Idle, Preparing, Prepared, Measuring };
  struct Job {
    size_t number = 0;
    TrialRequest request{};
    unsigned lost = 0;  ///< so often
    double seconds = 0; ///< spent on it
  };
  struct Member {
    std::unique_ptr<TrialMaker> maker;
    unsigned site = 0; ///< its worker's place in the list
    State state = State::Away;
    bool isGivenUp = false;
    unsigned starts = 0;
    std::optional<DeviceInfo> device{}; ///< once it was opened
    Job job{};
    Clock::time_point since{};    ///< when the job's part or its opening began, or until when it rests
    Clock::time_point saidLast{}; ///< that it is waited for
  };

  TrialTeam() = default;
  void say(const Member &member, const std::string &what);
  void start(Member &member);
  void sendAway(Member &member, const std::string &why, bool forGood);
  void agreeOnDevice();
  void startCrew(const Member &first);
  bool hasJob(const Member &member) const;
  bool isAt(unsigned site, State state) const;
  bool mayTake(const Member &member) const;
  bool sharesProcessors(const Member &member) const;
  void stop(llvm::ArrayRef<Member *> members);
  std::optional<Done> lost(Member &member, const std::string &why);
  void handBack(Member &member);
  std::optional<Done> loseJob(Member &member, const std::string &why);
  std::optional<Done> handle(Member &member, TrialMaker::Event event);
  void ask(Member &member, State state);
  void handOut();
  void measureNext();
  bool takeNews();
  llvm::Error cancel();
  llvm::Error whyNobody() const;
  void sayWhoIsWaitedFor();
  void pause() const;

  std::vector<Member> members_; ///< of a worker together, in the order of the list
  std::deque<Job> waiting_;
  std::deque<Done> done_;
  std::set<unsigned> measuring_; ///< sites whose processors belong to what is measured
  std::function<void(const std::string &)> note_;
  Update update_;
  const TuneSubject *subject_ = nullptr;
  std::optional<DeviceInfo> device_;
  double openSeconds_ = 60, patience_ = 30;
  std::string lastWhy_;
  Clock::time_point opened_{};
  bool saidWhoDecides_ = false;
};

} // namespace fuselage::tune
