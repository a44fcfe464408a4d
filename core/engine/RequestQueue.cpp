#include "core/engine/RequestQueue.h"

namespace fuselage {

/// Takes the request with this id out of the queue.
static std::optional<Request> take(std::deque<Request> &queue, const llvm::json::Value &id) {
  for (auto it = queue.begin(); it != queue.end(); ++it)
    if (it->id == id) {
      Request request = std::move(*it);
      queue.erase(it);
      return request;
    }
  return std::nullopt;
}

std::vector<Request> RequestQueue::push(Request request) {
  std::vector<Request> superseded;
  std::lock_guard lock(mutex_);
  auto replaces = [&](const Request &other) {
    return !request.tag.empty() && other.tag == request.tag && other.method == request.method;
  };
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    if (!replaces(*it)) {
      ++it;
      continue;
    }
    superseded.push_back(std::move(*it));
    it = waiting_.erase(it);
  }
  if (running_ && replaces(*running_))
    cancelled_ = true;
  (request.isAhead ? ahead_ : waiting_).push_back(std::move(request));
  ready_.notify_one();
  return superseded;
}

std::optional<Request> RequestQueue::cancel(const llvm::json::Value &id) {
  std::lock_guard lock(mutex_);
  if (running_ && running_->id == id) {
    cancelled_ = true;
    return std::nullopt;
  }
  std::optional<Request> request = take(waiting_, id);
  return request ? std::move(request) : take(ahead_, id);
}

void RequestQueue::hasten(const llvm::json::Value &id) {
  std::lock_guard lock(mutex_);
  if (std::optional<Request> request = take(ahead_, id))
    waiting_.push_back(std::move(*request));
}

void RequestQueue::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  ready_.notify_one();
}

std::optional<Request> RequestQueue::pop() {
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [&] { return closed_ || !waiting_.empty() || !ahead_.empty(); });
  std::deque<Request> &next = waiting_.empty() ? ahead_ : waiting_;
  if (next.empty())
    return std::nullopt;
  Request request = std::move(next.front());
  next.pop_front();
  running_ = request;
  cancelled_ = false;
  return request;
}

void RequestQueue::done() {
  std::lock_guard lock(mutex_);
  running_.reset();
}

bool RequestQueue::idle() {
  std::lock_guard lock(mutex_);
  return !running_ && waiting_.empty() && ahead_.empty();
}

} // namespace fuselage
