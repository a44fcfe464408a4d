#include "core/remote/near/RequestWorker.h"
#include "core/remote/files/FileUses.h"
#include "core/support/Error.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::remote {

RequestWorker::RequestWorker(RequestMapper &mapper, std::function<void()> wake)
    : mapper_(mapper), wake_(std::move(wake)), thread_([this] { work(); }) {}

RequestWorker::~RequestWorker() {
  {
    std::lock_guard lock(mutex_);
    isOver_ = true;
    cancelled_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RequestWorker::add(NearRequest request) {
  {
    std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(request));
  }
  changed_.notify_all();
}

bool RequestWorker::cancel(const std::string &id) {
  std::lock_guard lock(mutex_);
  if (isBusy_ && current_ == id) {
    cancelled_ = true;
    return true;
  }
  auto found = llvm::find_if(waiting_, [&](const NearRequest &each) { return each.id == id; });
  if (found == waiting_.end())
    return false;
  found->isCancelled = true;
  return true;
}

std::vector<NearRequest> RequestWorker::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(ready_, {});
}

bool RequestWorker::isIdle() {
  std::lock_guard lock(mutex_);
  return !isBusy_ && waiting_.empty() && ready_.empty();
}

void RequestWorker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return isOver_ || !waiting_.empty(); });
    if (isOver_)
      return;
    NearRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    current_ = request.id;
    isBusy_ = true;
    cancelled_ = false;
    lock.unlock();
    if (!request.isCancelled)
      prepare(request);
    lock.lock();
    request.isCancelled |= cancelled_;
    isBusy_ = false;
    ready_.push_back(std::move(request));
    lock.unlock();
    wake_();
    lock.lock();
  }
}

void RequestWorker::prepare(NearRequest &request) {
  if (fileParametersOf(request.method).empty())
    return;
  auto files = mapper_.map(request.method, request.params, &cancelled_);
  if (!files) {
    request.problem = takeFailure(files.takeError()).message;
    return;
  }
  request.files = std::move(*files);
  llvm::json::Value id = nullptr;
  if (auto parsed = llvm::json::parse(request.id))
    id = std::move(*parsed);
  else
    llvm::consumeError(parsed.takeError());
  request.text = compactJson(llvm::json::Object{
      {"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", request.method}, {"params", std::move(request.params)}});
}

} // namespace fuselage::remote
