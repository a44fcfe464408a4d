// Those who make trials of one tuning, asked at once by one thread.
#pragma once
#include "core/tuning/device/TrialMaker.h"
#include <deque>
#include <set>

namespace fuselage::tune {

struct TeamOptions {
  /// "local", which is copies of this process, or commands (TrialMaker.h); none: "local".
  std::vector<std::string> workers{};
  std::string version{}; ///< of this program
  /// Copies of this process that compile points at once for a "local"; 0: as many as there are processors for each, at
  /// most 8.
  unsigned jobs = 0;
  double patience =
      30; ///< seconds that a command has to answer for the first time: to log in, or to get through a queue
  /// Something that a person should know.
  std::function<void(const std::string &note)> note{};
};

/// All have the same device and driver, those of the first worker in the list that gets ready: results of others are
/// not comparable, and who has another one is sent away with a note. A command that ends, hangs or answers nonsense
/// loses its trial to another one; it is started again twice and then given up, with notes. A point whose trial is lost
/// twice is recorded as crashed.
///
/// The copies of a "local" compile points ahead, each the one that it measures then, and one measures at a time. Where
/// kernels run on the processors that compile, the host and software Vulkan, all compile first and are measured one
/// after the other with nothing beside; else the others compile meanwhile, of which there are at most 4. A command
/// compiles and measures by itself.
class TrialTeam {
public:
  /// Failure: a worker is no command.
  static llvm::Expected<std::unique_ptr<TrialTeam>> make(const TeamOptions &options);
  ~TrialTeam();

  /// Brings a request up to date right before it is measured: much may have become known while others were.
  using Update = std::function<void(size_t number, TrialRequest &request)>;

  void updateBy(Update update) { update_ = std::move(update); }

  /// Begins work on `subject`, which outlives that, and waits for the first worker: its device. The others help as soon
  /// as they are ready. Failure: none is, with the last reason, or the run is cancelled.
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
    double seconds = 0; ///< that it took, without waiting for others
    std::string maker{};
  };
  /// Waits for a trial; nullopt: somebody else became idle, or was lost. Failure: nobody is left, with the last reason,
  /// or the run is cancelled; trials that were under way are lost then.
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
