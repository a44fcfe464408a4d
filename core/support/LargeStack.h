// MLIR's parser, printer and destructors recurse over nesting; this gives them room.
#pragma once
#include <functional>
#include <memory>

namespace fuselage {

/// A thread with a stack of 256 MiB that does `work`, which its end waits for. Where no such thread can be had (address
/// space limits), the constructor does it.
class LargeStackThread {
public:
  explicit LargeStackThread(const std::function<void()> &work);
  ~LargeStackThread();
  LargeStackThread(const LargeStackThread &) = delete;
  LargeStackThread &operator=(const LargeStackThread &) = delete;

private:
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

/// Calls `work` on such a thread and waits for it.
void runOnLargeStack(const std::function<void()> &work);

} // namespace fuselage
