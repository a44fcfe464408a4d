#include "core/tuning/device/TrialWorker.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::tune {
namespace {

using Clock = std::chrono::steady_clock;

/// Dies with the process that made it.
void dieWithParent(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent)
    _exit(1);
}

/// The life of the copy.
[[noreturn]] void serve(pid_t parent, int requests, int answers, const std::function<Serve()> &start) {
  dieWithParent(parent, SIGKILL);
  rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGINT, SIG_IGN); // the terminal sends it to all; who asks decides
  Serve answer = start();
  FrameReader reader(requests);
  FrameWriter writer(answers);
  while (std::optional<std::string> request = reader.read())
    if (!writer.writeText(answer(*request)))
      break;
  _exit(0); // what others have registered for the end is the parent's
}

/// Whether a process that is started now may ask something at the terminal.
bool isInForeground() {
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0)
    return false;
  bool isOurs = tcgetpgrp(terminal) == getpgrp();
  close(terminal);
  return isOurs;
}

/// The way of a copy to another program. Nothing here takes memory or a lock, which another thread might have held.
[[noreturn]] void become(pid_t parent, int requests, int answers, char *const *words, bool leadsGroup) {
  if (leadsGroup)
    setpgid(0, 0);
  dieWithParent(parent, SIGTERM);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGCHLD})
    std::signal(signal, SIG_DFL);
  if (dup2(requests, STDIN_FILENO) >= 0 && dup2(answers, STDOUT_FILENO) >= 0)
    execvp(words[0], words);
  _exit(127);
}

} // namespace

llvm::Error TrialWorker::launch() {
  auto failure = [](llvm::StringRef what, int error) {
    return fail("cannot " + what.str() + ": " + std::strerror(error));
  };
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0)
    return failure("make a pipe to a process that measures", errno);
  if (pipe2(answers, O_CLOEXEC) != 0) {
    int error = errno;
    close(requests[0]);
    close(requests[1]);
    return failure("make a pipe to a process that measures", error);
  }
  std::signal(SIGPIPE, SIG_IGN); // one that died is found by reading
  llvm::outs().flush();
  std::vector<char *> words;
  for (std::string &word : command_)
    words.push_back(word.data());
  words.push_back(nullptr);
  pid_t parent = getpid();
  leadsGroup_ = !command_.empty() && !isInForeground();
  process_ = fork();
  if (process_ == 0) {
    close(requests[1]);
    close(answers[0]);
    if (!command_.empty())
      become(parent, requests[0], answers[1], words.data(), leadsGroup_);
    serve(parent, requests[0], answers[1], start_);
  }
  int error = errno;
  if (process_ > 0 && leadsGroup_)
    setpgid(process_, process_); // whoever of both comes first
  close(requests[0]);
  close(answers[1]);
  toIt_ = requests[1];
  fromIt_ = answers[0];
  for (int file : {toIt_, fromIt_})
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
  isReaped_ = false;
  unsent_.clear();
  frames_ = FrameParser();
  ++starts_;
  if (process_ > 0)
    return llvm::Error::success();
  stop();
  return failure("start a process that measures", error);
}

void TrialWorker::signalAll(int signal) {
  if (leadsGroup_ || !isReaped_)
    kill(leadsGroup_ ? -process_ : process_, signal);
}

/// The process, and what it started as far as that can be known.
bool TrialWorker::isGone() {
  if (!isReaped_) {
    pid_t ended = waitpid(process_, nullptr, WNOHANG);
    isReaped_ = ended == process_ || (ended < 0 && errno != EINTR);
  }
  return isReaped_ && (!leadsGroup_ || kill(-process_, 0) != 0);
}

void TrialWorker::askToStop() {
  for (int *file : {&toIt_, &fromIt_}) {
    if (*file >= 0)
      close(*file);
    *file = -1;
  }
  if (process_ > 0)
    signalAll(command_.empty() ? SIGKILL : SIGTERM);
}

void TrialWorker::stop(std::chrono::steady_clock::time_point deadline) {
  askToStop();
  if (process_ <= 0)
    return;
  while (!isGone() && Clock::now() < deadline)
    usleep(2'000);
  if (!isGone())
    signalAll(SIGKILL);
  while (!isReaped_ && waitpid(process_, nullptr, 0) < 0 && errno == EINTR)
    ;
  process_ = -1;
}

/// How it ended, once its end of the pipe is closed.
std::string TrialWorker::reap() {
  int status = 0;
  bool isOver = false;
  for (unsigned waits = 0; !isOver && (command_.empty() || waits < 25);
       ++waits) { // a command may live on without its streams
    pid_t ended = waitpid(process_, &status, command_.empty() ? 0 : WNOHANG);
    isOver = ended == process_;
    if (ended < 0 && errno != EINTR)
      break;
    if (ended == 0)
      usleep(20'000);
  }
  if (!isOver) {
    stop();
    return "closed its stream";
  }
  isReaped_ = true;
  stop();
  if (!WIFSIGNALED(status))
    return "ended with code " + std::to_string(WEXITSTATUS(status));
  int signal = WTERMSIG(status);
  return (signal == SIGKILL ? "was killed by signal " : "crashed with signal ") + std::to_string(signal) + " (" +
         strsignal(signal) + ")";
}

void TrialWorker::flush() {
  while (!unsent_.empty() && toIt_ >= 0) {
    ssize_t written = write(toIt_, unsent_.data(), unsent_.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0 && errno != EAGAIN)
      unsent_.clear(); // it is gone, as reading will tell
    if (written <= 0)
      return;
    unsent_.erase(0, static_cast<size_t>(written));
  }
}

llvm::Error TrialWorker::send(const std::string &request, double seconds) {
  if (process_ < 0)
    if (llvm::Error error = launch())
      return error;
  unsent_ += frameOf(request);
  seconds_ = seconds;
  due_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  flush();
  return llvm::Error::success();
}

std::array<pollfd, 2> TrialWorker::waiting() const {
  return {pollfd{.fd = fromIt_, .events = POLLIN, .revents = 0},
          pollfd{.fd = unsent_.empty() ? -1 : toIt_, .events = POLLOUT, .revents = 0}};
}

TrialWorker::Answer TrialWorker::endAs(Answer::End end, std::string text) {
  stop();
  return {.end = end, .text = std::move(text)};
}

std::optional<TrialWorker::Answer> TrialWorker::take() {
  if (process_ < 0)
    return Answer{.end = Answer::End::Died, .text = "is not running"};
  flush();
  char piece[1 << 16];
  constexpr size_t mostAtOnce = 1 << 22;
  size_t total = 0;
  ssize_t got = 1;
  while (total < mostAtOnce && (got > 0 || (got < 0 && errno == EINTR))) {
    if (std::optional<std::string> body = frames_.next())
      return Answer{.end = Answer::End::Answered, .text = std::move(*body)};
    if (!frames_.error().empty())
      return endAs(Answer::End::Died, "answered nonsense: " + frames_.error());
    got = read(fromIt_, piece, sizeof(piece));
    if (got <= 0)
      continue;
    frames_.feed(llvm::StringRef(piece, static_cast<size_t>(got)));
    total += static_cast<size_t>(got);
  }
  if (got == 0 || (got < 0 && errno != EAGAIN))
    return Answer{.end = Answer::End::Died, .text = reap()};
  return endIfLate();
}

std::optional<TrialWorker::Answer> TrialWorker::endIfLate() {
  if (Clock::now() <= due_)
    return std::nullopt;
  return endAs(Answer::End::Hung,
               "took longer than " + std::to_string(static_cast<uint64_t>(seconds_)) + " s and was ended");
}

llvm::Expected<TrialWorker::Answer> TrialWorker::ask(const std::string &request, double seconds,
                                                     const std::atomic<bool> *cancelled) {
  if (llvm::Error error = send(request, seconds))
    return error;
  while (true) {
    if (std::optional<Answer> answer = take())
      return *answer;
    if (cancelled && cancelled->load())
      return endAs(Answer::End::Cancelled, "cancelled");
    std::array<pollfd, 2> files = waiting();
    poll(files.data(), files.size(), 100);
  }
}

} // namespace fuselage::tune
