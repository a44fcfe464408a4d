#include "core/runtime/kernels/HostThreads.h"
#include <algorithm>
#include <sched.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace fuselage {

/// Waits a moment; lets others have the processor where it takes long.
static void pauseBusily(unsigned &turns) {
  constexpr unsigned many = 1000;
  if (++turns % many == 0)
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
    pauseBusily(turns);
}

void HostThreads::sleep() {
  state_.store(State::Asleep, std::memory_order_release);
  for (unsigned turns = 0; awake_.load(std::memory_order_acquire) > 0;)
    pauseBusily(turns);
}

void HostThreads::live() {
  uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return state_ != State::Asleep; });
    }
    if (state_ == State::Ended)
      return;
    seen = round_.load(std::memory_order_acquire);
    awake_.fetch_add(1, std::memory_order_acq_rel);
    for (unsigned turns = 0; state_.load(std::memory_order_acquire) == State::Awake;) {
      uint64_t round = round_.load(std::memory_order_acquire);
      if (round == seen) {
        pauseBusily(turns);
        continue;
      }
      seen = round;
      turns = 0;
      takePortions();
      busy_.fetch_sub(1, std::memory_order_acq_rel);
    }
    awake_.fetch_sub(1, std::memory_order_acq_rel);
  }
}

void HostThreads::takePortions() {
  const Work work = work_;
  while (true) {
    int64_t begin = next_.fetch_add(work.portion, std::memory_order_relaxed);
    if (begin >= work.count)
      return;
    work.tasks(begin, std::min(begin + work.portion, work.count), work.context);
  }
}

void HostThreads::run(HostTasks tasks, void *context, int64_t count, int64_t portion) {
  if (threads_.empty() || count <= portion)
    return tasks(0, count, context);
  work_ = {.tasks = tasks, .context = context, .count = count, .portion = portion};
  next_.store(0, std::memory_order_relaxed);
  busy_.store(threads_.size(), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_acq_rel);
  takePortions();
  for (unsigned turns = 0; busy_.load(std::memory_order_acquire) > 0;)
    pauseBusily(turns);
}

} // namespace fuselage
