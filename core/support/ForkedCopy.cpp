#include "core/support/ForkedCopy.h"
#include "core/support/LargeStack.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage {

/// The wall clock may run this much longer than the processor's on a busy machine.
static constexpr unsigned kWallFactor = 10;

/// The checks that glibc's allocator has: of a thread's small pieces when the thread ends, of the others when they are
/// looked through.
void checkHeap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// The life of the copy. Its end, however it comes, closes the pipe.
[[noreturn]] static void runCopy(TrialLimits limits, pid_t parent, int pipe,
                                 const std::function<void(int pipe)> &work) {
  // Not to be left behind when the parent is killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU, SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL);
  rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __GLIBC__
  if (limits.fillsMemory)
    mallopt(M_PERTURB, kFreedMemory);
#endif
  // The kernel counts what the copy itself has used.
  rlimit processor{.rlim_cur = limits.seconds, .rlim_max = limits.seconds + 1};
  setrlimit(RLIMIT_CPU, &processor);
  if (int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  runOnLargeStack([&] { work(pipe); });
  checkHeap();
  _exit(0);
}

uint64_t residentBytes(pid_t process) {
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

/// Reads the pipe to its end; a reason if the copy has to be killed.
static std::optional<std::string> watch(pid_t copy, int pipe, const TrialLimits &limits, std::string &output,
                                        const std::function<void()> &meanwhile) {
  std::optional<LargeStackThread> other;
  constexpr int intervalMs = 50;
  const uint64_t bound = residentBytes(getpid()) + limits.bytes;
  for (uint64_t waited = 0;;) {
    pollfd wanted{.fd = pipe, .events = POLLIN, .revents = 0};
    int ready = ::poll(&wanted, 1, intervalMs);
    if (ready > 0) {
      char chunk[64 << 10];
      ssize_t count = ::read(pipe, chunk, sizeof chunk);
      if (count == 0 || (count < 0 && errno != EINTR))
        return std::nullopt;
      if (count > 0)
        output.append(chunk, count);
      if (count > 0 && meanwhile && !other)
        other.emplace(meanwhile);
      if (output.size() <= limits.bytes)
        continue;
    }
    if (limits.cancelled && limits.cancelled->load())
      return "cancelled";
    waited += intervalMs;
    if (output.size() > limits.bytes || residentBytes(copy) > bound)
      return "takes more than " + std::to_string(limits.bytes >> 20) + " MiB";
    if (waited > uint64_t(limits.seconds) * 1000 * kWallFactor)
      return tooLong(limits);
  }
}

/// How the process ended, if it was not well.
static std::optional<std::string> deathOf(int status, const TrialLimits &limits) {
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

std::optional<TrialResult> runForked(TrialLimits limits, const std::function<void(int pipe)> &work,
                                     const std::function<void()> &meanwhile) {
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0)
    return std::nullopt;
  pid_t parent = getpid();
  pid_t copy = fork();
  if (copy == 0) {
    close(pipe[0]);
    runCopy(limits, parent, pipe[1], work);
  }
  close(pipe[1]);
  TrialResult result;
  if (copy > 0)
    result.death = watch(copy, pipe[0], limits, result.output, meanwhile);
  close(pipe[0]);
  if (copy < 0)
    return std::nullopt;
  if (result.death)
    ::kill(copy, SIGKILL);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR)
    ;
  if (!result.death) {
    result.death = deathOf(status, limits);
    if (WIFSIGNALED(status))
      result.signal = WTERMSIG(status);
  }
  return result;
}

} // namespace fuselage
