#include "core/tuning/device/TrialWorker.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::tune {
namespace {

constexpr uint64_t kMostBytes = uint64_t(64) << 20; ///< of a message; more is nonsense

bool writeAll(int file, const void *data, size_t size) {
  const char *at = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    at += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

/// A number of bytes, then these.
bool send(int file, const std::string &text) {
  uint64_t size = text.size();
  return writeAll(file, &size, sizeof(size)) && writeAll(file, text.data(), text.size());
}

/// False: the other end is closed.
bool readAll(int file, void *data, size_t size) {
  char *at = static_cast<char *>(data);
  while (size > 0) {
    ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

/// The life of the copy.
[[noreturn]] void serve(pid_t parent, int requests, int answers, const std::function<Serve()> &start) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGINT, SIG_IGN); // the terminal sends it to all; who asks decides
  Serve answer = start();
  for (uint64_t size = 0; readAll(requests, &size, sizeof(size)) && size <= kMostBytes;) {
    std::string request(size, 0);
    if (!readAll(requests, request.data(), size) || !send(answers, answer(request)))
      break;
  }
  _exit(0); // what others have registered for the end is the parent's
}

} // namespace

llvm::Error TrialWorker::launch() {
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0)
    return fail(std::string("cannot make a pipe to a process that measures: ") + std::strerror(errno));
  if (pipe2(answers, O_CLOEXEC) != 0) {
    int error = errno;
    close(requests[0]);
    close(requests[1]);
    return fail(std::string("cannot make a pipe to a process that measures: ") + std::strerror(error));
  }
  std::signal(SIGPIPE, SIG_IGN); // one that died is found by reading
  llvm::outs().flush();
  pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    close(requests[1]);
    close(answers[0]);
    serve(parent, requests[0], answers[1], start_);
  }
  int error = errno;
  close(requests[0]);
  close(answers[1]);
  toIt_ = requests[1];
  fromIt_ = answers[0];
  ++starts_;
  if (process_ > 0)
    return llvm::Error::success();
  stop();
  return fail(std::string("cannot start a process that measures: ") + std::strerror(error));
}

void TrialWorker::stop() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR)
      ;
  }
  for (int *file : {&toIt_, &fromIt_}) {
    if (*file >= 0)
      close(*file);
    *file = -1;
  }
  process_ = -1;
}

std::string TrialWorker::reap() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR)
    ;
  process_ = -1;
  stop();
  if (!WIFSIGNALED(status))
    return "its process ended with code " + std::to_string(WEXITSTATUS(status));
  int signal = WTERMSIG(status);
  return (signal == SIGKILL ? "was killed by signal " : "crashed with signal ") + std::to_string(signal) + " (" + strsignal(signal) +
         ")";
}

llvm::Expected<TrialWorker::Answer> TrialWorker::ask(const std::string &request, double seconds, const std::atomic<bool> *cancelled) {
  if (process_ < 0)
    if (llvm::Error error = launch())
      return error;
  if (!send(toIt_, request))
    return Answer{.end = Answer::End::Died, .text = reap()};
  using Clock = std::chrono::steady_clock;
  auto until = Clock::now() + std::chrono::duration<double>(seconds);
  std::string bytes;
  uint64_t size = 0;
  while (bytes.size() < sizeof(size) || bytes.size() < sizeof(size) + size) {
    if (cancelled && cancelled->load()) {
      stop();
      return Answer{.end = Answer::End::Cancelled, .text = "cancelled"};
    }
    if (Clock::now() > until) {
      stop();
      return Answer{.end = Answer::End::Hung,
                    .text = "took longer than " + std::to_string(static_cast<uint64_t>(seconds)) + " s and was ended"};
    }
    pollfd waiting{.fd = fromIt_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, 100) <= 0)
      continue;
    char piece[4096];
    ssize_t got = read(fromIt_, piece, sizeof(piece));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return Answer{.end = Answer::End::Died, .text = reap()};
    bytes.append(piece, static_cast<size_t>(got));
    if (bytes.size() >= sizeof(size))
      std::memcpy(&size, bytes.data(), sizeof(size));
    if (size > kMostBytes) {
      stop();
      return Answer{.end = Answer::End::Died, .text = "its process answered nonsense"};
    }
  }
  return Answer{.end = Answer::End::Answered, .text = bytes.substr(sizeof(size))};
}

} // namespace fuselage::tune
