#include "app/cli/Supervisor.h"
#include "app/cli/Options.h"
#include "app/cli/Output.h"
#include "app/cli/console/Console.h"
#include "core/support/ForkedCopy.h"
#include "core/support/StandardOutput.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::cli {

using Clock = std::chrono::steady_clock;

namespace {
constexpr int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
bool isWorker = false;

/// What became of a worker.
struct WorkerEnd {
  int status = 0;           ///< as of waitpid
  int asked = 0;            ///< the signal that asked the supervisor to end it, or 0
  bool tookTooMuch = false; ///< it was killed for its memory
};
} // namespace

/// A whole number in a file of the kernel's; nullopt if there is none ("max").
static std::optional<uint64_t> numberIn(const char *path) {
  uint64_t number = 0;
  std::ifstream file(path);
  return file >> number ? std::optional(number) : std::nullopt;
}

/// Bytes that a worker may use.
static uint64_t memoryLimit() {
  uint64_t mebibytes = 0;
  if (const char *given = std::getenv("FUSELAGE_MEMORY");
      given && !llvm::StringRef(given).getAsInteger(10, mebibytes) && mebibytes > 0)
    return mebibytes << 20;
  constexpr uint64_t most = uint64_t(16) << 30;
  uint64_t machine = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  for (const char *group : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    machine = std::min(machine, numberIn(group).value_or(machine));
  return std::min(machine / 4 * 3, most);
}

/// "fuselage run, 12 s: compiling the reference"
static std::string statusOf(llvm::StringRef command, const Activity &activity, std::chrono::seconds elapsed) {
  return ("fuselage " + command + ", " + llvm::Twine(elapsed.count()) +
          " s: " + (activity.what.empty() ? "working" : activity.what))
      .str();
}

namespace {
/// Says what a worker is at when that takes long: in one line of a terminal, else seldom, so that a log shows life.
class Patience {
public:
  Patience(llvm::StringRef command, Console &console) : command_(command), console_(console) {}

  void look() {
    Activity activity = lastActivity();
    auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
    if (activity.isHidden)
      return console_.passOn();
    if (isErrorTerminal())
      return console_.showStatus(elapsed < firstOnTerminal ? "" : statusOf(command_, activity, elapsed));
    if (elapsed < next_)
      return console_.passOn();
    console_.say(statusOf(command_, activity, elapsed));
    next_ *= 2;
  }

private:
  static constexpr std::chrono::seconds firstOnTerminal{2}, firstElsewhere{30};
  llvm::StringRef command_;
  Console &console_;
  const Clock::time_point start_ = Clock::now();
  std::chrono::seconds next_ = firstElsewhere;
};
} // namespace

[[noreturn]] static void end(int exitCode) {
  int code = endOfResults(exitCode);
  std::fflush(nullptr);
  _exit(code); // what the supervisor has registered for its end is its own
}

void endWorker(int exitCode) {
  if (isWorker)
    end(exitCode);
}

/// The life of a worker.
[[noreturn]] static void runWorker(pid_t supervisor, const sigset_t &signals, Console &console,
                                   llvm::function_ref<int()> work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor)
    _exit(ExitInputError);
  rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  console.lead();
  callBeforeResults([&console] {
    allowRepeating(false);
    sayHeld();
    console.passOn();
  });
  isWorker = true;
  end(work());
}

/// How a process ended that has only its memory to give back any more, as waitpid says it: gigabytes take a while.
static std::optional<int> endOfDying(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  llvm::SmallVector<llvm::StringRef> fields; // after the name
  llvm::StringRef(line).rsplit(") ").second.split(fields, ' ');
  constexpr size_t memory = 20, exitCode = 49;
  int status = 0;
  bool isDying = fields.size() > exitCode && fields[memory] == "0" && !fields[exitCode].getAsInteger(10, status);
  return isDying ? std::optional(status) : std::nullopt;
}

/// Waits for a worker and passes on to it what it has to know.
static WorkerEnd watchWorker(pid_t worker, const sigset_t &awaited, uint64_t limit, Patience patience) {
  WorkerEnd end;
  Clock::time_point deadline = Clock::time_point::max();
  for (;;) {
    timespec interval{.tv_sec = 0, .tv_nsec = end.asked ? 10'000'000 : 100'000'000};
    siginfo_t info{};
    int signal = sigtimedwait(&awaited, &info, &interval);
    if (waitpid(worker, &end.status, WNOHANG) == worker)
      return end;
    if (std::optional<int> status = end.asked ? endOfDying(worker) : std::nullopt) {
      end.status = *status;
      return end;
    }
    patience.look();
    if (signal > 0 && signal != SIGCHLD) {
      // The terminal has sent it to the worker, too.
      if (info.si_code <= 0)
        kill(worker, signal);
      end.asked = signal;
      deadline = std::min(deadline, Clock::now() + std::chrono::seconds(5));
    }
    end.tookTooMuch |= signal < 0 && residentBytes(worker) > limit;
    if (end.tookTooMuch || Clock::now() > deadline)
      kill(worker, SIGKILL);
  }
}

static bool isIgnored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Nullopt: no process can be made; errno says why.
static std::optional<WorkerEnd> runInWorker(llvm::StringRef command, uint64_t limit, llvm::function_ref<int()> work) {
  sigset_t awaited, before;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  for (int signal : endings)
    if (!isIgnored(signal)) // as nohup has it
      sigaddset(&awaited, signal);
  sigprocmask(SIG_BLOCK, &awaited, &before);
  Console console;
  pid_t supervisor = getpid(), worker = fork();
  if (worker == 0)
    runWorker(supervisor, before, console, work);
  int error = errno;
  std::optional<WorkerEnd> end;
  if (worker > 0)
    end = watchWorker(worker, awaited, limit, Patience(command, console));
  console.finish();
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return end;
}

/// Dies as the worker was asked to, so that a shell sees why.
static void dieBy(int signal) {
  rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

static std::string howItDied(const WorkerEnd &end, uint64_t limit) {
  if (end.tookTooMuch)
    return "took more than " + std::to_string(limit >> 20) +
           " MiB of memory; FUSELAGE_MEMORY sets another bound, in MiB";
  int signal = WTERMSIG(end.status);
  if (signal == SIGALRM)
    return "took longer than its time limit";
  return (signal == SIGKILL ? "was killed by signal " : "crashed with signal ") + std::to_string(signal) + " (" +
         strsignal(signal) + ")";
}

static std::string sentenceOf(llvm::StringRef command, const WorkerDeath &death) {
  std::string step = death.activity.step ? ", in step " + std::to_string(*death.activity.step) : "";
  std::string what = death.activity.what.empty() ? "" : ": " + death.activity.what;
  return ("fuselage " + command + " " + death.how + step + what).str();
}

/// Who ends a step that goes on and on is told which it was.
static void nameEndedStep(llvm::StringRef command, int signal) {
  WorkerDeath death{.sentence = "",
                    .how = "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")",
                    .activity = lastActivity()};
  if (death.activity.step)
    llvm::errs() << printable(sentenceOf(command, death)) << '\n';
}

int supervise(llvm::StringRef command, llvm::function_ref<int()> work,
              llvm::function_ref<int(const WorkerDeath &)> afterStep) {
  reserveStandardOutput();
  callBeforeResults(sayHeld);
  if (const char *wanted = std::getenv("FUSELAGE_SUPERVISE"); wanted && llvm::StringRef(wanted) == "0")
    return work();
  std::signal(SIGCHLD, SIG_DFL); // ignored, it would leave nothing to wait for
  shareActivity();
  const uint64_t limit = memoryLimit();
  allowRepeating(true);
  std::optional<WorkerEnd> end = runInWorker(command, limit, work);
  bool mayRepeat = lastActivity().isRepeatable;
  allowRepeating(false);
  if (mayRepeat && end && !end->asked)
    end = runInWorker(command, limit, work);
  if (!end) {
    llvm::errs() << "fuselage " << command << ": cannot start the process that works: " << std::strerror(errno)
                 << "; 'ulimit -u' says how many a user may have\n";
    return ExitInputError;
  }
  if (WIFEXITED(end->status))
    return WEXITSTATUS(end->status);
  int signal = end->asked ? end->asked : WTERMSIG(end->status);
  if (end->asked || llvm::is_contained(endings, signal)) {
    nameEndedStep(command, signal);
    dieBy(signal);
  }
  WorkerDeath death{.sentence = "", .how = howItDied(*end, limit), .activity = lastActivity()};
  death.sentence = sentenceOf(command, death);
  if (afterStep && death.activity.step) {
    end = runInWorker(command, limit, [&] { return afterStep(death); });
    if (end && WIFEXITED(end->status))
      return WEXITSTATUS(end->status);
    if (end && end->asked)
      dieBy(end->asked);
  }
  llvm::errs() << printable(death.sentence) << '\n';
  return ExitInputError;
}

} // namespace fuselage::cli
