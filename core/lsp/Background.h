// Work beside the thread that talks to the editor: in copies of the process, which a text that kills MLIR may kill.
#pragma once
#include "core/ir/Session.h"
#include "core/support/ForkedCopy.h"
#include "llvm/Support/raw_ostream.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace fuselage::lsp {

/// One thread, one piece of work after the other.
class Background {
public:
  struct Work {
    std::string key; ///< later work of the same key takes its place, also while it runs
    /// In a copy of the process; what it writes comes back. Empty: there is nothing to do in a copy.
    std::function<void(Session &session, llvm::raw_ostream &out)> inCopy;
    /// On the thread, with what became of the copy; not called of work whose place was taken. `cancelled` turns true
    /// when that happens.
    std::function<void(const TrialResult &result, const std::atomic<bool> &cancelled)> done;
  };

  Background();
  ~Background();
  void start(Work work);
  /// Takes away what waits or runs under that key.
  void cancel(llvm::StringRef key);

private:
  void run();
  bool dropWaiting(llvm::StringRef key);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::string running_; ///< the key; empty: nothing runs
  std::atomic<bool> cancelled_{false};
  bool ends_ = false;
  std::thread thread_;
};

} // namespace fuselage::lsp
