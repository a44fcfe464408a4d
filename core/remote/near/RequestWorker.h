// Finds the files of requests apart from the thread that keeps the link alive: hashing takes a while.
#pragma once
#include "core/remote/files/RequestFiles.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

namespace fuselage::remote {

/// A message of the client on its way.
struct NearRequest {
  std::string id;     ///< as text; empty: it has none
  std::string method; ///< empty: the text is no request
  std::string text;   ///< what is sent
  llvm::json::Value params = nullptr;
  RequestFiles files{};
  std::string problem{}; ///< why it is not sent
  bool isCancelled = false;
};

/// One after the other, in their order.
class RequestWorker {
public:
  /// `wake` is called when there is something to take.
  RequestWorker(RequestMapper &mapper, std::function<void()> wake);
  ~RequestWorker();

  void add(NearRequest request);
  /// False: it is not here any more.
  bool cancel(const std::string &id);
  /// What is ready to be sent, in order.
  std::vector<NearRequest> take();
  bool isIdle();

private:
  void work();
  void prepare(NearRequest &request);

  RequestMapper &mapper_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<NearRequest> waiting_;
  std::vector<NearRequest> ready_;
  std::string current_;
  std::atomic<bool> cancelled_ = false;
  bool isBusy_ = false, isOver_ = false;
  std::thread thread_;
};

} // namespace fuselage::remote
