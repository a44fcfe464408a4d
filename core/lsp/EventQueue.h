// What happens to a language server, in the order in which it happens.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace fuselage::lsp {

/// Any thread adds, one takes.
class EventQueue {
public:
  using Event = std::function<void()>;
  using Time = std::chrono::steady_clock::time_point;

  void add(Event event) {
    {
      std::lock_guard lock(mutex_);
      events_.push_back(std::move(event));
    }
    added_.notify_one();
  }
  /// Waits for the next one; nullopt: there was none until then.
  std::optional<Event> next(std::optional<Time> until) {
    std::unique_lock lock(mutex_);
    auto isThere = [&] { return !events_.empty(); };
    if (!until)
      added_.wait(lock, isThere);
    else if (!added_.wait_until(lock, *until, isThere))
      return std::nullopt;
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<Event> events_;
};

} // namespace fuselage::lsp
