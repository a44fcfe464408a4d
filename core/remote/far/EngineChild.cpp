#include "core/remote/far/EngineChild.h"
#include "core/support/Error.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::remote {

namespace {
struct ChildPipe {
  OwnedFd read, write;
};
} // namespace

static std::optional<ChildPipe> makePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  return ChildPipe{.read = OwnedFd(ends[0]), .write = OwnedFd(ends[1])};
}

llvm::Expected<EngineChild> EngineChild::start(const std::string &program, llvm::ArrayRef<std::string> arguments,
                                               const std::string &folder) {
  auto in = makePipe(), out = makePipe(), log = makePipe();
  if (!in || !out || !log)
    return fail(std::string("cannot start the engine: ") + std::strerror(errno));
  std::vector<char *> argv{const_cast<char *>("fuselage"), const_cast<char *>("serve")};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  const std::string data = folder + "/data", temporary = folder + "/tmp";
  EngineChild child;
  child.pid_ = fork();
  if (child.pid_ == 0) {
    dup2(in->read.get(), STDIN_FILENO);
    dup2(out->write.get(), STDOUT_FILENO);
    dup2(log->write.get(), STDERR_FILENO);
    setenv("XDG_DATA_HOME", data.c_str(), 1);
    setenv("TMPDIR", temporary.c_str(), 1);
    if (chdir(folder.c_str()) == 0)
      execv(program.c_str(), argv.data());
    _exit(127);
  }
  if (child.pid_ < 0)
    return fail(std::string("cannot start the engine: ") + std::strerror(errno));
  child.in_ = std::move(in->write);
  child.out_ = std::move(out->read);
  child.log_ = std::move(log->read);
  for (int fd : {child.in(), child.out(), child.log()})
    setNonBlocking(fd);
  return child;
}

EngineChild::EngineChild(EngineChild &&other) noexcept
    : pid_(std::exchange(other.pid_, -1)), in_(std::move(other.in_)), out_(std::move(other.out_)),
      log_(std::move(other.log_)), input_(std::move(other.input_)), isClosing_(other.isClosing_), end_(other.end_) {}

EngineChild::~EngineChild() {
  if (pid_ < 0)
    return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void EngineChild::writeInput() {
  if (!input_.writeTo(in()) || (input_.empty() && isClosing_))
    in_.reset();
}

void EngineChild::kill() {
  if (pid_ > 0)
    ::kill(pid_, SIGKILL);
}

std::optional<ChildEnd> EngineChild::end() {
  int status = 0;
  if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = -1;
    end_ =
        WIFSIGNALED(status) ? ChildEnd{.code = 0, .signal = WTERMSIG(status)} : ChildEnd{.code = WEXITSTATUS(status)};
  }
  return end_;
}

} // namespace fuselage::remote
