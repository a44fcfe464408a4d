#include "core/support/process/HelperProcess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fuselage {
namespace {

constexpr size_t mostBytes = size_t(256) << 20; // of what a program may say

/// A file descriptor that closes itself.
struct Descriptor {
  int fd = -1;
  Descriptor() = default;
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (fd >= 0)
      close(fd);
    fd = -1;
  }
};

/// A connected pair of sockets: unlike with pipes, a write to a dead reader raises no SIGPIPE.
bool makeChannel(Descriptor &ours, Descriptor &theirs) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  ours.fd = ends[0];
  theirs.fd = ends[1];
  return fcntl(ours.fd, F_SETFL, O_NONBLOCK) == 0;
}

/// The child, ended and reaped when this goes out of scope.
struct Child {
  pid_t pid = -1;
  ~Child() {
    if (pid > 0) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
  int wait() {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
    pid = -1;
    return status;
  }
};

/// Starts the program with the descriptors as its stdin, stdout and stderr.
int spawn(Child &child, const std::string &path, const std::vector<std::string> &arguments, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  std::vector<char *> argv{const_cast<char *>(path.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  int error = posix_spawn(&child.pid, path.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    child.pid = -1;
  return error;
}

/// Appends what can be read now; false at the end of the stream.
bool drain(Descriptor &from, std::string &to) {
  char buffer[65536];
  while (true) {
    ssize_t count = read(from.fd, buffer, sizeof buffer);
    if (count > 0) {
      to.append(buffer, count);
      continue;
    }
    if (count < 0 && errno == EINTR)
      continue;
    return count < 0 && errno == EAGAIN;
  }
}

} // namespace

llvm::Expected<ProgramEnd> runProgram(llvm::StringRef program, const std::vector<std::string> &arguments,
                                      llvm::StringRef input, const std::atomic<bool> *cancelled, double timeoutSeconds,
                                      llvm::StringRef adviceIfMissing) {
  llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(program);
  if (!path)
    return fail(llvm::formatv("`{0}` was not found in PATH: {1}", program, adviceIfMissing));
  Descriptor in, childIn, out, childOut, err, childErr;
  if (!makeChannel(in, childIn) || !makeChannel(out, childOut) || !makeChannel(err, childErr))
    return fail(llvm::formatv("cannot talk to `{0}`: {1}", program, std::strerror(errno)));
  Child child;
  if (int error = spawn(child, *path, arguments, childIn.fd, childOut.fd, childErr.fd))
    return fail(llvm::formatv("cannot start `{0}`: {1}", *path, std::strerror(error)));
  childIn.reset();
  childOut.reset();
  childErr.reset();

  std::string output, log;
  auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeoutSeconds);
  while (out.fd >= 0 || err.fd >= 0) {
    if (cancelled && cancelled->load())
      return fail(llvm::formatv("`{0}` was cancelled", program));
    if (std::chrono::steady_clock::now() > deadline)
      return fail(llvm::formatv("`{0}` did not finish within {1} s and was ended", program, timeoutSeconds));
    if (output.size() + log.size() > mostBytes)
      return fail(llvm::formatv("`{0}` said more than {1} MiB and was ended", program, mostBytes >> 20));
    pollfd waits[3] = {{in.fd, POLLOUT, 0}, {out.fd, POLLIN, 0}, {err.fd, POLLIN, 0}};
    if (poll(waits, 3, 20) < 0 && errno != EINTR)
      return fail(llvm::formatv("lost touch with `{0}`: {1}", program, std::strerror(errno)));
    if (in.fd >= 0 && waits[0].revents) {
      ssize_t count = send(in.fd, input.data(), input.size(), MSG_NOSIGNAL);
      if (count > 0)
        input = input.drop_front(count);
      if (input.empty() || (count < 0 && errno != EAGAIN && errno != EINTR))
        in.reset();
    }
    if (out.fd >= 0 && waits[1].revents && !drain(out, output))
      out.reset();
    if (err.fd >= 0 && waits[2].revents && !drain(err, log))
      err.reset();
  }
  int status = child.wait();
  if (WIFSIGNALED(status))
    return fail(llvm::formatv("`{0}` died: {1}", program, strsignal(WTERMSIG(status))));
  return ProgramEnd{WEXITSTATUS(status), std::move(output), std::move(log)};
}

llvm::Expected<std::string> runFilter(llvm::StringRef program, const std::vector<std::string> &arguments,
                                      llvm::StringRef input, const std::atomic<bool> *cancelled, double timeoutSeconds,
                                      llvm::StringRef adviceIfMissing, std::string *messages) {
  llvm::Expected<ProgramEnd> end = runProgram(program, arguments, input, cancelled, timeoutSeconds, adviceIfMissing);
  if (!end)
    return end.takeError();
  if (end->exitCode != 0)
    return fail(llvm::formatv("`{0}` gave up with exit code {1}: {2}", program, end->exitCode,
                              llvm::StringRef(end->messages).trim().take_front(400)));
  if (messages)
    *messages = std::move(end->messages);
  return std::move(end->output);
}

} // namespace fuselage
