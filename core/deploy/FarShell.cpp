#include "core/deploy/FarShell.h"
#include "core/support/ShellWords.h"
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

using Clock = std::chrono::steady_clock;
constexpr size_t mostOutput = size_t(1) << 20; ///< of what a script may say: more is cut at its start

/// The child and our ends of its three streams; ends and reaps it.
class FarProcess {
public:
  FarProcess() = default;
  FarProcess(const FarProcess &) = delete;
  FarProcess &operator=(const FarProcess &) = delete;
  ~FarProcess() {
    for (int stream = 0; stream < 3; ++stream)
      close(stream);
    if (pid > 0) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }

  bool start(const std::string &path, const std::vector<std::string> &words);
  void close(int stream) {
    if (ends[stream] >= 0)
      ::close(ends[stream]);
    ends[stream] = -1;
  }
  int wait() {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
    pid = -1;
    return status;
  }

  pid_t pid = -1;
  int ends[3] = {-1, -1, -1};
};

bool FarProcess::start(const std::string &path, const std::vector<std::string> &words) {
  int theirs[3] = {-1, -1, -1};
  bool isReady = true;
  for (int stream = 0; stream < 3 && isReady; ++stream) {
    int pair[2]; // sockets: writing to a dead reader raises no SIGPIPE
    isReady = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
    if (isReady) {
      ends[stream] = pair[0];
      theirs[stream] = pair[1];
      fcntl(ends[stream], F_SETFL, O_NONBLOCK);
    }
  }
  std::vector<char *> argv;
  for (const std::string &word : words)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; ++stream)
    posix_spawn_file_actions_adddup2(&actions, theirs[stream], stream);
  const int error = isReady ? posix_spawn(&pid, path.c_str(), &actions, nullptr, argv.data(), environ) : errno;
  posix_spawn_file_actions_destroy(&actions);
  for (int end : theirs)
    if (end >= 0)
      ::close(end);
  if (error)
    pid = -1;
  errno = error;
  return error == 0;
}

/// Takes what can be read now; false at the end of the stream.
bool drain(int from, std::string &to) {
  char buffer[65536];
  for (;;) {
    const ssize_t count = read(from, buffer, sizeof buffer);
    if (count > 0) {
      to.append(buffer, count);
      if (to.size() > mostOutput)
        to.erase(0, to.size() - mostOutput);
      continue;
    }
    if (count < 0 && errno == EINTR)
      continue;
    return count < 0 && errno == EAGAIN;
  }
}

/// 'text', as sh reads it.
std::string quoted(llvm::StringRef text) {
  std::string result = "'";
  for (char each : text)
    each == '\'' ? (result += "'\\''") : (result += each);
  return result + "'";
}

} // namespace

llvm::Expected<FarShell> FarShell::of(llvm::StringRef command) {
  auto words = splitShellWords(command);
  if (!words)
    return words.takeError();
  if (words->empty())
    return fail("a host needs a command that reaches it, such as 'ssh gpu1'");
  FarShell shell;
  shell.command_ = command.str();
  shell.words_ = std::move(*words);
  return shell;
}

llvm::Expected<FarEnd> FarShell::run(llvm::StringRef script, const std::vector<std::string> &arguments, Input input,
                                     double idleSeconds) const {
  auto path = llvm::sys::findProgramByName(words_.front());
  if (!path)
    return fail("cannot find '" + words_.front() + "', with which '" + command_ +
                "' begins; install it or correct the command");
  std::vector<std::string> words = words_;
  // Whatever shell is there, sh runs the script, which comes first on its input: csh takes no line break in a word. dd
  // reads no byte more than it is told to, so that what follows is the script's.
  std::string line = "exec sh -c 'eval \"$(dd bs=1 count=" + std::to_string(script.size()) + " 2>/dev/null)\"' sh";
  for (const std::string &argument : arguments)
    line += " " + quoted(argument);
  words.push_back(std::move(line));
  FarProcess process;
  if (!process.start(*path, words))
    return fail("cannot start '" + command_ + "': " + std::strerror(errno));
  FarEnd end;
  std::string pending = script.str();
  auto last = Clock::now();
  while (process.ends[1] >= 0 || process.ends[2] >= 0) {
    if (pending.empty() && process.ends[0] >= 0) {
      auto next = input();
      if (!next)
        return next.takeError();
      if (*next)
        pending = std::move(**next);
      else
        process.close(0);
    }
    pollfd waits[3] = {{process.ends[0], POLLOUT, 0}, {process.ends[1], POLLIN, 0}, {process.ends[2], POLLIN, 0}};
    const int ready = poll(waits, 3, 1000);
    if (ready > 0)
      last = Clock::now();
    else if (std::chrono::duration<double>(Clock::now() - last).count() > idleSeconds)
      return fail("'" + command_ + "' said nothing for " + std::to_string(int(idleSeconds)) +
                  " s and was ended; check the link and try again: what was sent stays there");
    if (waits[0].revents) {
      const ssize_t count = send(process.ends[0], pending.data(), pending.size(), MSG_NOSIGNAL);
      if (count > 0)
        pending.erase(0, count);
      else if (count < 0 && errno != EAGAIN && errno != EINTR)
        process.close(0); // it takes no more; how it ends says why
      if (process.ends[0] < 0)
        pending.clear();
    }
    if (waits[1].revents && !drain(process.ends[1], end.output))
      process.close(1);
    if (waits[2].revents && !drain(process.ends[2], end.messages))
      process.close(2);
  }
  const int status = process.wait();
  if (WIFSIGNALED(status))
    return fail("'" + command_ + "' died: " + strsignal(WTERMSIG(status)));
  end.exitCode = WEXITSTATUS(status);
  return end;
}

llvm::Expected<FarEnd> FarShell::run(llvm::StringRef script, const std::vector<std::string> &arguments,
                                     llvm::StringRef text) const {
  bool isGiven = false;
  return run(script, arguments, [&]() -> llvm::Expected<std::optional<std::string>> {
    if (isGiven || text.empty())
      return std::nullopt;
    isGiven = true;
    return text.str();
  });
}

} // namespace fuselage
