// A separate process for measurements, so that crashes and hangs do not affect this one: a copy of it, or a command,
// which may run on another machine.
#pragma once
#include "core/support/Error.h"
#include "core/support/rpc/Framing.h"
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <poll.h>
#include <sys/types.h>

namespace fuselage::tune {

/// Answers a request. Runs in the copy.
using Serve = std::function<std::string(const std::string &request)>;

/// The process is started by the first request, and restarted by the next one after it has died. Requests and answers
/// are frames (Framing.h) on its standard streams. A copy must not be made while this process has threads that hold
/// locks, because the copy has only the calling thread.
class TrialWorker {
public:
  struct Answer {
    enum class End { Answered, Died, Hung, Cancelled };
    End end = End::Answered;
    std::string text{}; ///< the answer, or how the process ended: "crashed with signal 11 (Segmentation fault)"
  };

  /// Uses a copy of this process. `start` runs in the copy and returns the function that answers requests.
  explicit TrialWorker(std::function<Serve()> start) : start_(std::move(start)) {}
  /// Uses a program, looked up in PATH, with its arguments. It shares this process's stderr. It leads its own process
  /// group, so that the processes it starts end with it. If this process is in the foreground of a terminal, it stays
  /// in this process group instead, because only the foreground group can ask for a password, as ssh may; Ctrl+C then
  /// ends all of them, and processes that the command starts must end at the end of their input.
  explicit TrialWorker(std::vector<std::string> command) : command_(std::move(command)) {}
  ~TrialWorker() { stop(); }
  TrialWorker(const TrialWorker &) = delete;
  TrialWorker &operator=(const TrialWorker &) = delete;

  /// Sends a request without waiting; its answer is due in `seconds`. Fails if no process can be started.
  llvm::Error send(const std::string &request, double seconds);
  /// The answer, or how the process ended; nullopt if there is no complete answer yet. Reads a limited number of bytes,
  /// so that other workers get their turn.
  std::optional<Answer> take();
  /// Ends the process if its answer is overdue; nullopt if it is not.
  std::optional<Answer> endIfLate();
  /// The descriptors to poll for an answer, and for writing a long request. Entries with the descriptor -1 must be
  /// ignored.
  std::array<pollfd, 2> waiting() const;

  /// Sends a request and waits for its answer. Ends the process if `cancelled` becomes true.
  llvm::Expected<Answer> ask(const std::string &request, double seconds, const std::atomic<bool> *cancelled = nullptr);
  /// Ends the process; the next request starts a new one.
  void stop() { stop(std::chrono::steady_clock::now() + kGrace); }
  /// stop() in two steps: asks a command to end, and kills it if it still runs at `deadline`.
  void askToStop();
  void stop(std::chrono::steady_clock::time_point deadline);
  /// The time that a command has to clean up, as ssh does at the other end.
  static constexpr std::chrono::seconds kGrace{2};
  bool isRunning() const { return process_ > 0; }
  /// How often the process was started.
  unsigned starts() const { return starts_; }

private:
  llvm::Error launch();
  void signalAll(int signal);
  bool isGone();
  std::string reap();
  void flush();
  Answer endAs(Answer::End end, std::string text);

  std::function<Serve()> start_;
  std::vector<std::string> command_; ///< empty: a copy
  pid_t process_ = -1;
  bool leadsGroup_ = false, isReaped_ = false;
  int toIt_ = -1, fromIt_ = -1;
  unsigned starts_ = 0;
  std::string unsent_;
  FrameParser frames_;
  std::chrono::steady_clock::time_point due_{};
  double seconds_ = 0; ///< of the last request
};

} // namespace fuselage::tune
