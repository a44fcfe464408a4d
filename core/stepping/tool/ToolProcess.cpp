#include "core/stepping/tool/ToolProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// Which of them came while a tool was running.
volatile std::sig_atomic_t askedBy = 0;
void noteSignal(int signal) { askedBy = signal; }

/// Takes the signals that end a process, for as long as it lives.
class Endings {
public:
  explicit Endings(bool takes) : takes_(takes) {
    if (!takes_)
      return;
    askedBy = 0;
    for (auto [index, signal] : llvm::enumerate(endings)) {
      struct sigaction action {};
      action.sa_handler = noteSignal;
      sigaction(signal, nullptr, &before_[index]);
      if (before_[index].sa_handler != SIG_IGN) // as nohup has it
        sigaction(signal, &action, nullptr);
    }
  }
  ~Endings() {
    for (auto [index, signal] : llvm::enumerate(endings))
      if (takes_)
        sigaction(signal, &before_[index], nullptr);
  }
  int asked() const { return takes_ ? int(askedBy) : 0; }

private:
  bool takes_;
  struct sigaction before_[std::size(endings)] = {};
};

/// Closes itself.
struct Descriptor {
  int fd = -1;
  Descriptor() = default;
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (fd >= 0)
      ::close(std::exchange(fd, -1));
  }
};

/// One of the child's streams: a pipe, and the file that it goes to.
struct Stream {
  Descriptor read, write, file;
  uint64_t bytes = 0, begin = 0; ///< begin: of what the child writes, in the file

  llvm::Error open(const std::string &path) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return fail(std::string("no pipe can be made: ") + std::strerror(errno));
    read.fd = ends[0];
    write.fd = ends[1];
    file.fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file.fd < 0)
      return fail("cannot write '" + path + "': " + std::strerror(errno));
    begin = lseek(file.fd, 0, SEEK_END);
    fcntl(read.fd, F_SETFL, O_NONBLOCK);
    return llvm::Error::success();
  }

  /// What there is. False: it is over.
  bool drain(uint64_t most, int &error) {
    char buffer[1 << 16];
    while (bytes <= most) {
      ssize_t got = ::read(read.fd, buffer, sizeof buffer);
      if (got < 0)
        return errno == EAGAIN || errno == EINTR;
      if (got == 0)
        return false;
      bytes += got;
      for (ssize_t done = 0; done < got;) {
        ssize_t written = ::write(file.fd, buffer + done, got - done);
        if (written < 0 && errno == EINTR)
          continue;
        if (written < 0) {
          error = errno;
          return false;
        }
        done += written;
      }
    }
    return true;
  }
};

/// What exec takes, made before the fork: after it nothing may allocate.
struct Image {
  std::vector<std::string> texts;
  std::vector<char *> argv, envp;

  explicit Image(const ToolProcessOptions &options) {
    for (const std::string &argument : options.arguments)
      argv.push_back(const_cast<char *>(argument.c_str()));
    argv.push_back(nullptr);
    auto isReplaced = [&](llvm::StringRef variable) {
      return llvm::any_of(options.environment,
                          [&](llvm::StringRef own) { return own.split('=').first == variable.split('=').first; });
    };
    for (char **variable = environ; variable && *variable; ++variable)
      if (!isReplaced(*variable))
        envp.push_back(*variable);
    for (const std::string &variable : options.environment)
      envp.push_back(const_cast<char *>(variable.c_str()));
    envp.push_back(nullptr);
  }
};

/// The child's way to its program; `report` gets errno where there is none.
[[noreturn]] void become(const ToolProcessOptions &options, const Image &image, const Stream &output,
                         const Stream &error, int input, int report, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGCHLD})
    std::signal(signal, SIG_DFL);
  bool isFine = getppid() == parent && dup2(input, STDIN_FILENO) >= 0 && dup2(output.write.fd, STDOUT_FILENO) >= 0 &&
                dup2(error.write.fd, STDERR_FILENO) >= 0 &&
                (options.directory.empty() || chdir(options.directory.c_str()) == 0);
  if (isFine)
    execve(options.path.c_str(), image.argv.data(), image.envp.data());
  int problem = errno;
  [[maybe_unused]] ssize_t written = write(report, &problem, sizeof problem);
  _exit(127);
}

/// Ends a process group, whoever of it is left.
void endGroup(pid_t group, pid_t child, std::optional<int> &status) {
  kill(-group, SIGTERM);
  Clock::time_point patience = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < patience && !status) {
    int ended = 0;
    if (waitpid(child, &ended, WNOHANG) == child)
      status = ended;
    else
      usleep(20'000);
  }
  kill(-group, SIGKILL);
  int ended = 0;
  if (!status && waitpid(child, &ended, 0) == child)
    status = ended;
}

} // namespace

llvm::Expected<std::shared_ptr<ToolFolder>> ToolFolder::make() {
  llvm::SmallString<128> path;
  if (std::error_code problem = llvm::sys::fs::createUniqueDirectory("fuselage-tool", path))
    return fail("no temporary folder can be made: " + problem.message());
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all);
  return std::make_shared<ToolFolder>(path.str().str());
}

ToolFolder::~ToolFolder() { llvm::sys::fs::remove_directories(path_); }

llvm::Expected<ToolEnd> runTool(const ToolProcessOptions &options, bool takesSignals) {
  Stream output, error;
  Descriptor input, report, reported;
  if (llvm::Error problem = output.open(options.outputFile))
    return problem;
  if (llvm::Error problem = error.open(options.errorFile))
    return problem;
  int ends[2];
  input.fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input.fd < 0 || pipe2(ends, O_CLOEXEC) != 0)
    return fail(std::string("no pipe can be made: ") + std::strerror(errno));
  reported.fd = ends[0];
  report.fd = ends[1];
  Image image(options);
  Endings signals(takesSignals);
  pid_t parent = getpid(), child = fork();
  if (child == 0)
    become(options, image, output, error, input.fd, report.fd, parent);
  if (child < 0)
    return fail(std::string("no process can be made: ") + std::strerror(errno));
  setpgid(child, child); // both do it: whoever is first
  output.write.close();
  error.write.close();
  report.close();
  int problem = 0;
  ssize_t got = 0;
  while ((got = read(reported.fd, &problem, sizeof problem)) < 0 && errno == EINTR) {
  }
  if (got == sizeof problem) {
    waitpid(child, nullptr, 0);
    return fail("'" + options.path + "' cannot be run: " + std::strerror(problem));
  }

  ToolEnd end;
  end.errorBegin = error.begin;
  std::optional<int> status;
  int writeError = 0; // errno
  bool hasOutput = true, hasError = true, isOver = false;
  while (!isOver) {
    pollfd polled[] = {{.fd = hasOutput ? output.read.fd : -1, .events = POLLIN, .revents = 0},
                       {.fd = hasError ? error.read.fd : -1, .events = POLLIN, .revents = 0}};
    poll(polled, 2, 100);
    hasOutput = hasOutput && output.drain(options.mostBytes, writeError);
    hasError = hasError && error.drain(options.mostBytes, writeError);
    end.signal = signals.asked();
    bool isCancelled = end.signal != 0 || (options.cancelled && *options.cancelled);
    bool isTooMuch = output.bytes > options.mostBytes || error.bytes > options.mostBytes;
    int ended = 0;
    if (!status && waitpid(child, &ended, WNOHANG) == child)
      status = ended;
    // What the child has started may hold the pipes open for longer than it lives itself.
    isOver = status && ((!hasOutput && !hasError) || (!(polled[0].revents & POLLIN) && !(polled[1].revents & POLLIN)));
    if (!isOver && (isCancelled || isTooMuch || writeError)) {
      end.how = isCancelled ? ToolEnd::How::Cancelled : ToolEnd::How::TooMuch;
      isOver = true;
    }
    if (options.proceed)
      options.proceed(error.bytes);
  }
  endGroup(child, child, status);
  if (writeError)
    return fail(std::string("what the tool prints cannot be kept: ") + std::strerror(writeError));
  if (end.how == ToolEnd::How::Exited && status && WIFSIGNALED(*status)) {
    end.how = ToolEnd::How::Killed;
    end.code = WTERMSIG(*status);
  } else if (end.how == ToolEnd::How::Exited) {
    end.code = status ? WEXITSTATUS(*status) : -1;
  }
  return end;
}

/// The last lines of a file.
static std::string lastLines(const std::string &path, uint64_t begin) {
  constexpr size_t mostLines = 12, mostBytes = 1 << 16, mostOfLine = 300;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return "";
  llvm::StringRef text = (*buffer)->getBuffer().substr(begin).take_back(mostBytes).rtrim();
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  std::string last;
  for (llvm::StringRef line : llvm::ArrayRef(lines).take_back(mostLines))
    last += "\n  " + line.take_front(mostOfLine).str();
  return last;
}

/// Lines that say what is wrong, wherever they stand: the IR around an error is long.
static std::string errorLines(const std::string &path, uint64_t begin) {
  constexpr size_t mostLines = 6, mostOfLine = 400;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return "";
  std::string found;
  size_t count = 0;
  llvm::StringRef text = (*buffer)->getBuffer().substr(begin);
  for (size_t at = text.find("error:"); at != llvm::StringRef::npos && count < mostLines;
       at = text.find("error:", at + 1)) {
    size_t begin = text.rfind('\n', at) + 1, end = text.find('\n', at);
    found += "\n  " + text.slice(begin, end).take_front(mostOfLine).str();
    ++count;
    at = std::min(end, text.size());
  }
  return found;
}

llvm::Error toolFailure(const ToolProcessOptions &options, const ToolEnd &end, llvm::StringRef program) {
  std::string what = program.str();
  switch (end.how) {
  case ToolEnd::How::Cancelled:
    return fail(what + " was cancelled");
  case ToolEnd::How::TooMuch:
    return fail(what + " printed more than " + std::to_string(options.mostBytes >> 20) + " MiB and was ended");
  case ToolEnd::How::Killed:
    what += " died of signal " + std::to_string(end.code) + " (" + strsignal(end.code) + ")";
    break;
  case ToolEnd::How::Exited:
    what += " ended with exit code " + std::to_string(end.code);
    break;
  }
  std::string said = errorLines(options.errorFile, end.errorBegin);
  if (said.empty())
    said = lastLines(options.errorFile, end.errorBegin);
  return fail(what + (said.empty() ? ", and said nothing" : ":" + said));
}

} // namespace fuselage
