#include "core/remote/near/LinkProcess.h"
#include "core/support/Error.h"
#include "llvm/Support/Program.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::remote {

llvm::Expected<LinkProcess> LinkProcess::start(llvm::ArrayRef<std::string> command, const std::string &script) {
  auto program = llvm::sys::findProgramByName(command.front());
  if (!program)
    return fail("there is no program '" + command.front() + "' on PATH");
  int in[2], out[2], log[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(log, O_CLOEXEC) != 0)
    return fail("cannot start '" + command.front() + "': " + std::strerror(errno));
  LinkProcess process;
  OwnedFd childIn(in[0]), childOut(out[1]), childLog(log[1]);
  process.in_ = OwnedFd(in[1]);
  process.out_ = OwnedFd(out[0]);
  process.log_ = OwnedFd(log[0]);
  std::vector<char *> argv;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(const_cast<char *>(script.c_str()));
  argv.push_back(nullptr);
  process.pid_ = fork();
  if (process.pid_ == 0) {
    // A signal from a terminal is for `fuselage remote`, which then ends this in good order.
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    dup2(childIn.get(), STDIN_FILENO);
    dup2(childOut.get(), STDOUT_FILENO);
    dup2(childLog.get(), STDERR_FILENO);
    execv(program->c_str(), argv.data());
    _exit(127);
  }
  if (process.pid_ < 0)
    return fail("cannot start '" + command.front() + "': " + std::strerror(errno));
  for (int fd : {process.in(), process.out(), process.log()})
    setNonBlocking(fd);
  return process;
}

LinkProcess::LinkProcess(LinkProcess &&other) noexcept
    : pid_(std::exchange(other.pid_, -1)), in_(std::move(other.in_)), out_(std::move(other.out_)),
      log_(std::move(other.log_)), end_(other.end_), lastWords_(std::move(other.lastWords_)) {}

void LinkProcess::finish() {
  in_.reset();
  constexpr int polls = 200, pollUs = 10'000;
  for (int i = 0; i < polls && !end(); ++i)
    usleep(pollUs);
}

LinkProcess::~LinkProcess() {
  if (pid_ < 0)
    return;
  // Most end by themselves when their input does.
  in_.reset();
  out_.reset();
  constexpr int polls = 20, pollUs = 5'000;
  for (int i = 0; i < polls && pid_ > 0; ++i) {
    if (end())
      return;
    usleep(pollUs);
  }
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<int> LinkProcess::end() {
  constexpr int signalBase = 128;
  int status = 0;
  if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = -1;
    end_ = WIFSIGNALED(status) ? signalBase + WTERMSIG(status) : WEXITSTATUS(status);
  }
  return end_;
}

void LinkProcess::noteLog(llvm::StringRef text) {
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    if (!line.trim().empty())
      lastWords_ = line.trim().take_front(500).str();
    rest = after;
  }
}

} // namespace fuselage::remote
