#include "core/runtime/host/HostThreads.h"
#include <algorithm>
#include <sched.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace fuselage {

/// Waits a moment; lets others have the processor after so many turns.
static void pauseBusily(unsigned &turns, unsigned patience) {
  if (++turns % patience == 0)
    sched_yield();
#ifdef __x86_64__
  _mm_pause();
#endif
}

HostThreads::HostThreads(unsigned count, std::function<void()> first) {
  for (unsigned i = 1; i < count; ++i)
    threads_.emplace_back([this, first] {
      first();
      live();
    });
}

HostThreads::~HostThreads() {
  {
    std::lock_guard lock(mutex_);
    state_ = State::Ended;
  }
  changed_.notify_all();
  for (std::thread &thread : threads_)
    thread.join();
}

void HostThreads::wake() {
  {
    std::lock_guard lock(mutex_);
    state_ = State::Awake;
  }
  changed_.notify_all();
  for (unsigned turns = 0; awake_.load(std::memory_order_acquire) < threads_.size();)
    pauseBusily(turns, 100);
}

void HostThreads::sleep() { state_.store(State::Asleep, std::memory_order_release); }

void HostThreads::live() {
  constexpr unsigned patience = 20000;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return state_ != State::Asleep; });
    }
    if (state_ == State::Ended)
      return;
    awake_.fetch_add(1, std::memory_order_acq_rel);
    for (unsigned turns = 0; state_.load(std::memory_order_acquire) == State::Awake;)
      if (takePortions())
        turns = 0;
      else
        pauseBusily(turns, patience);
    awake_.fetch_sub(1, std::memory_order_acq_rel);
  }
}

bool HostThreads::takePortions() {
  uint64_t ticket = ticket_.load(std::memory_order_acquire);
  for (bool worked = false;;) {
    HostTasks tasks = work_.tasks;
    void *context = work_.context;
    int64_t count = work_.count, portion = work_.portion, begin = ticket & kClosed;
    if (begin >= count)
      return worked;
    int64_t end = std::min(begin + portion, count);
    // Fails where others took it, or where the round that was read is over.
    if (!ticket_.compare_exchange_strong(ticket, ticket - begin + end, std::memory_order_acq_rel))
      continue;
    tasks(begin, end, context);
    left_.fetch_sub(end - begin, std::memory_order_acq_rel);
    worked = true;
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void HostThreads::run(HostTasks tasks, void *context, int64_t count, int64_t portion) {
  if (threads_.empty() || count <= portion || count >= int64_t(kClosed))
    return tasks(0, count, context);
  uint64_t round = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
  ticket_.store(round << 32 | kClosed, std::memory_order_seq_cst);
  work_.tasks = tasks;
  work_.context = context;
  work_.count = count;
  work_.portion = portion;
  left_.store(count, std::memory_order_relaxed);
  ticket_.store((round + 1) << 32, std::memory_order_seq_cst);
  takePortions();
  for (unsigned turns = 0; left_.load(std::memory_order_acquire) > 0;)
    pauseBusily(turns, 1000);
}

} // namespace fuselage
