// The log of another compiler, which may be at work.
#include "core/engine/Document.h"
#include "core/registration/Registration.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

llvm::Error Document::readLog(const std::atomic<bool> *cancelled) {
  bool isOver = !toolRun_->isRunning();
  uint64_t bytes = toolRun_->logBytes();
  auto log = toolRun_->read(*session_, [cancelled] { return cancelled && *cancelled; });
  readAll_ = isOver;
  if (!log)
    return log.takeError();
  readBytes_ = bytes;
  opened_ = std::move(*log);
  diagnostics_ = opened_.notes;
  fileBytes_ = bytes;
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Document>> Document::open(std::shared_ptr<ToolRun> run, std::string source,
                                                         std::string command, const std::atomic<bool> *cancelled) {
  std::unique_ptr<Document> document(new Document);
  document->path_ = run->logPath();
  document->toolRun_ = std::move(run);
  document->toolSource_ = std::move(source);
  document->toolCommand_ = std::move(command);
  document->session_ = std::make_unique<Session>(allDialects());
  if (llvm::Error error = document->readLog(cancelled))
    return error;
  document->recording_ = document->opened_;
  return document;
}

/// Whether the steps that were there are the first of those that are there now.
static bool goesOn(const Recording &before, const Recording &now) {
  auto isSame = [](const Step &a, const Step &b) {
    return a.origin == b.origin && a.before == b.before && a.after == b.after && a.failed == b.failed;
  };
  return !before.steps.empty() && before.steps.size() <= now.steps.size() &&
         before.snapshots.size() <= now.snapshots.size() &&
         std::equal(before.steps.begin(), before.steps.end(), now.steps.begin(), isSame);
}

llvm::Expected<unsigned> Document::grow(const std::atomic<bool> *cancelled) {
  unsigned known = opened_.steps.size();
  if (!toolRun_ || readAll_)
    return known;
  // A log is indexed from its start each time: seldom enough that all of it costs little more than once.
  bool isWorthIt =
      !toolRun_->isRunning() || toolRun_->logBytes() > readBytes_ + std::max<uint64_t>(readBytes_ / 4, 64 << 10);
  if (!isWorthIt)
    return known;
  Recording before = opened_;
  if (llvm::Error error = readLog(cancelled))
    return error;
  bool isLonger = goesOn(before, opened_);
  // What is known of snapshots goes by them.
  if (isLonger)
    llvm::copy(before.snapshots, opened_.snapshots.begin());
  if (recording_.log.empty())
    return isLonger ? known : 0; // something else is shown that was recorded from it
  recording_ = opened_;
  if (!isLonger)
    forgetDerived();
  return isLonger ? known : 0;
}

} // namespace fuselage
