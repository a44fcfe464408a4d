#include "core/engine/tuning/TuneProcess.h"
#include "core/protocol/json/JsonReader.h"
#include "core/run/peaks/Limits.h"
#include "core/stepping/tool/ToolProcess.h"
#include "core/support/JsonDepth.h"
#include "core/support/process/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage {
namespace {

/// Both ends of a pipe, closed with it.
struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) {
      read = ends[0];
      write = ends[1];
    }
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  ~Pipe() {
    for (int end : {read, write})
      if (end >= 0)
        close(end);
  }
  explicit operator bool() const { return read >= 0; }
};

/// Calls `take` with each whole line of `text`, and leaves the rest there.
void takeLines(std::string &text, llvm::function_ref<void(llvm::StringRef)> take) {
  llvm::StringRef rest = text;
  while (rest.contains('\n')) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    take(line);
  }
  text = rest.str();
}

} // namespace

llvm::Expected<std::unique_ptr<TuneProcess>> TuneProcess::start(std::string subject,
                                                                const std::vector<std::string> &arguments,
                                                                std::shared_ptr<ToolFolder> folder,
                                                                std::optional<message::DevicePeaks<>> peaks) {
  const std::string program = ownProgram();
  std::vector<std::string> words = {program, "tune", "--control"};
  llvm::append_range(words, arguments);
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  Pipe input, output, errors;
  if (!input || !output || !errors)
    return fail(std::string("cannot make a pipe to a process that tunes: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP); // the terminal's Ctrl+C is the engine's
  std::unique_ptr<TuneProcess> process(new TuneProcess);
  int error = posix_spawn(&process->pid_, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    process->pid_ = -1;
    return fail("cannot start '" + program + " tune': " + std::strerror(error));
  }
  process->subject_ = std::move(subject);
  process->folder_ = std::move(folder);
  process->peaks_ = std::move(peaks);
  process->toIt_ = std::exchange(input.write, -1);
  process->fromIt_ = std::exchange(output.read, -1);
  process->errors_ = std::exchange(errors.read, -1);
  process->progress_.isRunning = true;
  process->watcher_ = std::thread([self = process.get()] { self->watch(); });
  return process;
}

TuneProcess::~TuneProcess() {
  if (pid_ > 0 && isRunning())
    kill(pid_, SIGKILL);
  if (watcher_.joinable())
    watcher_.join();
  for (int end : {toIt_, fromIt_, errors_})
    if (end >= 0)
      close(end);
}

/// On the watcher's thread, until the process has ended. It is reaped under the lock, so that no
/// signal reaches another one.
void TuneProcess::watch() {
  std::string events, words;
  pollfd streams[] = {{.fd = fromIt_, .events = POLLIN, .revents = 0}, {.fd = errors_, .events = POLLIN, .revents = 0}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (poll(streams, 2, -1) < 0 && errno != EINTR)
      break;
    for (auto [index, stream] : llvm::enumerate(streams)) {
      if (stream.fd < 0 || stream.revents == 0)
        continue;
      char piece[1 << 14];
      ssize_t got = read(stream.fd, piece, sizeof(piece));
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0) {
        stream.fd = -1;
        continue;
      }
      std::string &text = index == 0 ? events : words;
      text.append(piece, static_cast<size_t>(got));
      takeLines(text, [&, isEvent = index == 0](llvm::StringRef line) { isEvent ? takeEvent(line) : takeWord(line); });
    }
  }
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
    ;
  std::lock_guard guard(mutex_);
  int status = 0;
  waitpid(pid_, &status, 0);
  finish(status);
}

void TuneProcess::takeEvent(llvm::StringRef line) {
  constexpr int deepest = 20;
  if (jsonDepth(line) > deepest)
    return;
  auto value = llvm::json::parse(line);
  const llvm::json::Object *event = value ? value->getAsObject() : nullptr;
  if (!value)
    llvm::consumeError(value.takeError());
  if (!event)
    return;
  std::lock_guard guard(mutex_);
  last_ = Clock::now();
  message::TunePlan<> &plan = progress_.plan;
  auto itemOf = [&plan](int item) {
    return item >= 0 && size_t(item) < plan.items.size() ? &plan.items[size_t(item)] : nullptr;
  };
  if (const llvm::json::Object *all = event->getObject("plan")) {
    message::decode(*all, plan);
  } else if (const llvm::json::Object *begin = event->getObject("begin")) {
    message::decode(*begin, progress_.begin.emplace());
  } else if (const llvm::json::Object *trial = event->getObject("trial")) {
    message::decode(*trial, trials_.emplace_back());
    takeTrial(trials_.back());
  } else if (const llvm::json::Object *outcome = event->getObject("outcome")) {
    message::decode(*outcome, progress_.outcome.emplace());
    if (message::TuneItem<> *item = itemOf(progress_.outcome->item))
      item->outcome = progress_.outcome;
  }
}

/// Under the lock.
void TuneProcess::takeTrial(const message::TuneTrial<> &trial) {
  std::vector<message::TuneItem<>> &items = progress_.plan.items;
  if (trial.work < 0 || size_t(trial.work) >= items.size())
    return;
  message::TuneItem<> &item = items[size_t(trial.work)];
  ++item.trials;
  if (!trial.isBest)
    return;
  item.baselineUs = trial.baselineUs;
  item.bestUs = trial.medianUs;
  DispatchWork work{.flops = item.flops,
                    .bytes = item.bytes,
                    .bytesAtMost = item.bytesAtMost,
                    .arithmetic = item.arithmetic,
                    .us = item.bestUs};
  if (peaks_)
    item.limit = limitOf(work, *peaks_, /*launchUs=*/-1);
}

void TuneProcess::takeWord(llvm::StringRef line) {
  constexpr size_t most = 8;
  std::lock_guard guard(mutex_);
  if (line.consume_front("note: "))
    progress_.notes.push_back(line.str());
  else if (!line.empty())
    words_.push_back(line.str());
  if (words_.size() > most)
    words_.erase(words_.begin());
}

/// Under the lock.
void TuneProcess::finish(int status) {
  progress_.isRunning = progress_.isPaused = false;
  bool isWhole = llvm::all_of(progress_.plan.items,
                              [](const message::TuneItem<> &item) { return item.outcome || !item.whyNot.empty(); });
  if (progress_.outcome && (isWhole || WEXITSTATUS(status) == 0))
    return;
  if (isCancelled_)
    progress_.problem = "cancelled";
  else if (!words_.empty())
    progress_.problem = llvm::join(words_, "\n");
  else if (WIFSIGNALED(status))
    progress_.problem = std::string("the process that tuned was ended by signal ") + strsignal(WTERMSIG(status));
  else
    progress_.problem = "the process that tuned ended with code " + std::to_string(WEXITSTATUS(status));
}

void TuneProcess::pause(bool pauses) {
  std::lock_guard guard(mutex_);
  if (!progress_.isRunning || progress_.isPaused == pauses)
    return;
  progress_.elapsed = elapsed();
  last_ = Clock::now();
  progress_.isPaused = pauses;
  llvm::StringRef line = pauses ? "pause\n" : "resume\n";
  while (write(toIt_, line.data(), line.size()) < 0 && errno == EINTR)
    ;
}

void TuneProcess::cancel() {
  std::lock_guard guard(mutex_);
  if (!progress_.isRunning)
    return;
  isCancelled_ = true;
  kill(pid_, SIGINT);
}

bool TuneProcess::isRunning() const {
  std::lock_guard guard(mutex_);
  return progress_.isRunning;
}

/// Under the lock. What the last trial knows, and what went by since.
double TuneProcess::elapsed() const {
  double known = std::max(progress_.elapsed, trials_.empty() ? 0 : trials_.back().seconds);
  bool isIdle = progress_.isPaused || !progress_.isRunning || !progress_.begin;
  return known + (isIdle ? 0 : std::chrono::duration<double>(Clock::now() - last_).count());
}

message::TuneProgress<> TuneProcess::progress(size_t from) const {
  std::lock_guard guard(mutex_);
  message::TuneProgress<> answer = progress_;
  size_t made = trials_.size();
  answer.trials.assign(trials_.begin() + static_cast<ptrdiff_t>(std::min(from, made)), trials_.end());
  answer.elapsed = elapsed();
  if (!answer.isRunning || !answer.begin)
    return answer;
  if (answer.plan.seconds > 0)
    answer.remaining = std::max(0.0, answer.plan.seconds - answer.elapsed);
  else if (made > 0)
    answer.remaining = trials_.back().seconds / static_cast<double>(made) *
                       static_cast<double>(std::max<int64_t>(0, answer.plan.trials - int64_t(made)));
  return answer;
}

std::vector<message::TuneTrial<>> TuneProcess::trials() const {
  std::lock_guard guard(mutex_);
  return trials_;
}

} // namespace fuselage
