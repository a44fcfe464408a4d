// Requests between the thread that reads and the thread that works.
#pragma once
#include "llvm/Support/JSON.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

struct Request {
  llvm::json::Value id = nullptr;
  std::string method;
  llvm::json::Value params = nullptr;
  std::string tag;      ///< empty: supersedes nothing
  bool isAhead = false; ///< nobody waits for it yet: it runs when nothing else does
};

/// Keeps requests in order, those that are asked ahead after all others, and knows which one runs. `cancelled` is
/// raised for the running one.
class RequestQueue {
public:
  explicit RequestQueue(std::atomic<bool> &cancelled) : cancelled_(cancelled) {}

  /// Appends; returns the waiting requests that this one supersedes. A running one of the same
  /// method and tag is cancelled.
  std::vector<Request> push(Request request);
  /// Cancels the request with this id, if it is not over; returns it if it was still waiting.
  std::optional<Request> cancel(const llvm::json::Value &id);
  /// Somebody waits for a request that was asked ahead: it takes its place after the others.
  void hasten(const llvm::json::Value &id);
  /// No more will come.
  void close();

  /// Waits for the next request and marks it as running; nullopt when closed and empty.
  std::optional<Request> pop();
  /// The running request is answered.
  void done();
  bool idle();

private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Request> waiting_, ahead_;
  std::optional<Request> running_;
  std::atomic<bool> &cancelled_;
  bool closed_ = false;
};

} // namespace fuselage
