// A process that measures for us, so that what crashes or hangs is not our end: a copy of this one, or a command's,
// here or elsewhere.
#pragma once
#include "core/support/Error.h"
#include "core/support/Framing.h"
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <poll.h>
#include <sys/types.h>

namespace fuselage::tune {

/// Answers requests, one after the other, in the copy.
using Serve = std::function<std::string(const std::string &request)>;

/// Starts with the first request, and again with the next one after it died. Requests and answers are frames
/// (Framing.h) on its standard streams. A copy must not be made while the process has threads that hold locks, as it
/// has only the thread that makes it.
class TrialWorker {
public:
  struct Answer {
    enum class End { Answered, Died, Hung, Cancelled };
    End end = End::Answered;
    std::string text{}; ///< the answer; else how it ended: "crashed with signal 11 (Segmentation fault)"
  };

  /// `start` runs in a copy of this process, and makes what answers there.
  explicit TrialWorker(std::function<Serve()> start) : start_(std::move(start)) {}
  /// A program, looked up in PATH, with its arguments. Its stderr is ours. It leads a process group of its own, so that
  /// what it starts ends with it, unless this process is in the foreground of a terminal: ssh may ask for a password
  /// there, which only the terminal's foreground group may; there Ctrl+C ends all of them, and what a command starts
  /// has the end of its input to go by.
  explicit TrialWorker(std::vector<std::string> command) : command_(std::move(command)) {}
  ~TrialWorker() { stop(); }
  TrialWorker(const TrialWorker &) = delete;
  TrialWorker &operator=(const TrialWorker &) = delete;

  /// Sends a request without waiting; the answer is due in `seconds`. Failure: no process can be made.
  llvm::Error send(const std::string &request, double seconds);
  /// What came since, if anything did: an answer, or how it ended. Nullopt: nothing whole yet. It reads so much at once
  /// that others get their turn.
  std::optional<Answer> take();
  /// Ends it where its answer is overdue; nullopt: it is not.
  std::optional<Answer> endIfLate();
  /// What to wait on, both for an answer and to get rid of a long request; entries with the descriptor -1 are to be
  /// ignored.
  std::array<pollfd, 2> waiting() const;

  /// send() and the answer to it. Ends the process where `cancelled` becomes true.
  llvm::Expected<Answer> ask(const std::string &request, double seconds, const std::atomic<bool> *cancelled = nullptr);
  /// Ends it; a next request starts another one.
  void stop() { stop(std::chrono::steady_clock::now() + kGrace); }
  /// stop() in two steps: a command is told to end, and what is still there at `deadline` is killed.
  void askToStop();
  void stop(std::chrono::steady_clock::time_point deadline);
  /// What a command has to tidy up, as ssh has at the other end.
  static constexpr std::chrono::seconds kGrace{2};
  bool isRunning() const { return process_ > 0; }
  /// How often one was started.
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
