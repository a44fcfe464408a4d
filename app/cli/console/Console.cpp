#include "app/cli/console/Console.h"
#include "core/text/PrintableText.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fuselage::cli {

/// Of supervisor and worker. The lock is one that outlives who held it.
struct Console::Shared {
  pthread_mutex_t lock;
  PrintablePieces pieces;
  bool hasStatus = false, isLineBegun = false;
};

namespace {
/// Holds the lock of both processes while it lives.
class Hold {
public:
  explicit Hold(pthread_mutex_t &lock) : lock_(lock) {
    if (pthread_mutex_lock(&lock_) == EOWNERDEAD)
      pthread_mutex_consistent(&lock_);
  }
  ~Hold() { pthread_mutex_unlock(&lock_); }

private:
  pthread_mutex_t &lock_;
};

/// -1: not known yet.
int errorIsTerminal = -1;
} // namespace

bool isErrorTerminal() {
  if (errorIsTerminal < 0)
    errorIsTerminal = isatty(STDERR_FILENO);
  return errorIsTerminal != 0;
}

Console::Console() {
  isErrorTerminal();
  int pipe[2];
  void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  shared_ = new (memory) Shared;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&shared_->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  error_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (error_ < 0 || pipe2(pipe, O_CLOEXEC) != 0)
    return;
  read_ = pipe[0];
  write_ = pipe[1];
  fcntl(read_, F_SETFL, O_NONBLOCK);
  fcntl(write_, F_SETPIPE_SZ, 1 << 20); // the supervisor looks ten times a second
}

Console::~Console() {
  for (int file : {read_, write_, error_})
    if (file >= 0)
      close(file);
  if (shared_)
    munmap(shared_, sizeof(Shared));
}

void Console::lead() {
  if (write_ < 0)
    return;
  dup2(write_, STDERR_FILENO);
  dup2(write_, STDOUT_FILENO); // results have a copy
}

void Console::write(llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t count = ::write(error_, text.data(), text.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    text = text.drop_front(static_cast<size_t>(count));
  }
}

void Console::wipe() {
  if (std::exchange(shared_->hasStatus, false))
    write("\r\x1b[K");
}

void Console::drain() {
  char piece[1 << 16];
  for (;;) {
    ssize_t count = read(read_, piece, sizeof piece);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    std::string text = shared_->pieces.next({piece, static_cast<size_t>(count)});
    if (text.empty())
      continue;
    wipe();
    write(text);
    shared_->isLineBegun = text.back() != '\n';
  }
}

void Console::passOn() {
  if (write_ < 0)
    return;
  Hold hold(shared_->lock);
  drain();
  wipe();
}

/// Columns of the terminal, less one, which not every terminal fills without a new line.
static size_t widthOf(int terminal) {
  winsize size{};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

void Console::showStatus(const std::string &line) {
  if (write_ < 0)
    return;
  Hold hold(shared_->lock);
  drain();
  if (shared_->hasStatus && line == status_)
    return;
  wipe();
  if (line.empty() || shared_->isLineBegun)
    return;
  std::string text = printable(line);
  size_t width = std::min(widthOf(error_), text.size());
  while (width < text.size() && printable_text::isContinuation(text[width]))
    --width;
  write(llvm::StringRef(text).take_front(width));
  status_ = line;
  shared_->hasStatus = true;
}

void Console::say(const std::string &line) {
  if (write_ < 0)
    return;
  Hold hold(shared_->lock);
  drain();
  wipe();
  write((shared_->isLineBegun ? "\n" : "") + printable(line) + "\n");
  shared_->isLineBegun = false;
}

void Console::finish() {
  if (write_ < 0)
    return;
  Hold hold(shared_->lock);
  drain();
  wipe();
  std::string rest = shared_->pieces.last();
  write(rest + (shared_->isLineBegun || !rest.empty() ? "\n" : ""));
}

} // namespace fuselage::cli
