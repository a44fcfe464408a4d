#include "core/ir/TrialRun.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage {

/// The wall clock may run this much longer than the processor's on a busy machine.
static constexpr unsigned kWallFactor = 10;

/// The life of the copy. The end of the process, however it comes, closes its end of the pipe.
[[noreturn]] static void runCopy(TrialLimits limits, pid_t parent, llvm::function_ref<void()> work) {
  // Not to be left behind when the parent is killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU, SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL);
  rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
  // The kernel counts what the copy itself has used.
  rlimit processor{.rlim_cur = limits.seconds, .rlim_max = limits.seconds + 1};
  setrlimit(RLIMIT_CPU, &processor);
  if (int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  work();
  _exit(0);
}

/// Resident memory of a process in bytes; 0 if unknown.
static uint64_t residentBytes(pid_t process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/statm", int(process));
  FILE *file = std::fopen(path, "re");
  if (!file)
    return 0;
  unsigned long long total = 0, resident = 0;
  int fields = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

static std::string tooLong(const TrialLimits &limits) {
  return "takes more than " + std::to_string(limits.seconds) + " s";
}

/// Waits until the pipe ends; a reason if the copy had to be killed.
static std::optional<std::string> watch(pid_t copy, int alive, const TrialLimits &limits) {
  constexpr int intervalMs = 50;
  const uint64_t bound = residentBytes(getpid()) + limits.bytes;
  for (uint64_t waited = 0;; waited += intervalMs) {
    pollfd wanted{.fd = alive, .events = POLLIN, .revents = 0};
    int ready = ::poll(&wanted, 1, intervalMs);
    if (ready > 0 || (ready < 0 && errno != EINTR))
      return std::nullopt;
    if (residentBytes(copy) > bound)
      return "takes more than " + std::to_string(limits.bytes >> 20) + " MiB";
    if (waited > uint64_t(limits.seconds) * 1000 * kWallFactor)
      return tooLong(limits);
  }
}

std::optional<std::string> dieTrying(TrialLimits limits, llvm::function_ref<void()> work) {
  int alive[2];
  if (pipe2(alive, O_CLOEXEC) != 0)
    return std::nullopt;
  pid_t parent = getpid();
  pid_t copy = fork();
  if (copy == 0) {
    close(alive[0]);
    runCopy(limits, parent, work);
  }
  close(alive[1]);
  std::optional<std::string> reason;
  if (copy > 0)
    reason = watch(copy, alive[0], limits);
  close(alive[0]);
  if (copy < 0)
    return std::nullopt;
  if (reason)
    ::kill(copy, SIGKILL);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR)
    ;
  if (reason)
    return reason;
  // LLVM's fatal errors exit.
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    return "ends the process with status " + std::to_string(WEXITSTATUS(status));
  if (!WIFSIGNALED(status))
    return std::nullopt;
  int signal = WTERMSIG(status);
  if (signal == SIGXCPU || signal == SIGKILL)
    return tooLong(limits);
  return "crashes with signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

} // namespace fuselage
