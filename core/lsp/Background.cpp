#include "core/lsp/Background.h"
#include "core/registration/Registration.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::lsp {

/// Seconds of processor time, and memory, that a text may take.
static TrialLimits limitsOfWork(const std::atomic<bool> &cancelled) {
  return {.seconds = 60, .bytes = uint64_t(8) << 30, .cancelled = &cancelled};
}

Background::Background() : thread_([this] { run(); }) {}

Background::~Background() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
    cancelled_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

/// With the lock held.
bool Background::dropWaiting(llvm::StringRef key) {
  auto isSame = [&](const Work &work) { return work.key == key; };
  bool found = llvm::any_of(waiting_, isSame);
  std::erase_if(waiting_, isSame);
  return found;
}

void Background::start(Work work) {
  std::lock_guard lock(mutex_);
  dropWaiting(work.key);
  if (running_ == work.key)
    cancelled_ = true;
  waiting_.push_back(std::move(work));
  changed_.notify_all();
}

void Background::cancel(llvm::StringRef key) {
  std::lock_guard lock(mutex_);
  dropWaiting(key);
  if (running_ == key)
    cancelled_ = true;
}

void Background::run() {
  // The copies have the context as it is made here, with all its dialects to load.
  Session session(allDialects());
  for (;;) {
    Work work;
    {
      std::unique_lock lock(mutex_);
      running_.clear();
      changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
      if (ends_)
        return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
      running_ = work.key;
      cancelled_ = false;
    }
    TrialResult result;
    if (work.inCopy) {
      std::optional<TrialResult> made = runForked(limitsOfWork(cancelled_), [&](int pipe) {
        llvm::raw_fd_ostream out(pipe, /*shouldClose=*/false);
        work.inCopy(session, out);
      });
      result = made ? std::move(*made)
                    : TrialResult{.death = "cannot be started: no process can be made for it", .output = ""};
    }
    if (!cancelled_)
      work.done(result, cancelled_);
  }
}

} // namespace fuselage::lsp
