// The threads that a kernel's parts run on.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fuselage {

/// A part of a kernel: tasks from `begin` on, before `end`.
using HostTasks = void (*)(int64_t begin, int64_t end, void *context);

/// A fixed number of threads, the caller's among them. They are made once and take tasks in portions, each the next
/// when it is done with one, so that a thread that others keep from the processor holds up little.
class HostThreads {
public:
  /// Each new thread calls `first` before anything else.
  HostThreads(unsigned count, std::function<void()> first);
  HostThreads(const HostThreads &) = delete;
  HostThreads &operator=(const HostThreads &) = delete;
  ~HostThreads();

  /// Threads wait busily while one of these lives: waking them would cost more than many a kernel.
  class Awake {
  public:
    explicit Awake(HostThreads *threads) : threads_(threads) {
      if (threads_)
        threads_->wake();
    }
    ~Awake() {
      if (threads_)
        threads_->sleep();
    }
    Awake(const Awake &) = delete;
    Awake &operator=(const Awake &) = delete;

  private:
    HostThreads *threads_;
  };

  /// Runs tasks 0 <= task < count, `portion` at a time. Returns when all are done. Only while awake.
  void run(HostTasks tasks, void *context, int64_t count, int64_t portion);

private:
  enum class State { Asleep, Awake, Ended };
  /// What all threads work on. Atomic, since a late thread may look while the next round is being written; it finds the
  /// ticket changed then, and takes nothing.
  struct Work {
    std::atomic<HostTasks> tasks = nullptr;
    std::atomic<void *> context = nullptr;
    std::atomic<int64_t> count = 0, portion = 1;
  };
  void wake();
  void sleep();
  void live();
  /// Works on what is left of the round; false if there was nothing.
  bool takePortions();

  static constexpr uint64_t kClosed = UINT32_MAX;

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<State> state_ = State::Asleep;
  std::atomic<unsigned> awake_ = 0;
  Work work_;
  alignas(64) std::atomic<uint64_t> ticket_ = kClosed; ///< the round in the high half, the next task in the low one
  alignas(64) std::atomic<int64_t> left_ = 0; ///< tasks that are not done; nobody waits for a thread that has none
};

} // namespace fuselage
