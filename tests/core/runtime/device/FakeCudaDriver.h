// A CUDA driver in memory: asynchronous as the real one may be, and failing where a test says so.
#pragma once
#include "core/runtime/device/CudaDriver.h"
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace fuselage::test {

/// Copies and launches are put into their stream and done later, at the latest possible moment: when
/// a call waits for the stream, or when the test says so. What is in one stream is done in order;
/// streams do not wait for each other. A call that touches what it must not (memory that is freed
/// while work on it is queued, a read of a source that its owner has taken back) counts as a violation.
class FakeCudaDriver {
public:
  FakeCudaDriver();
  ~FakeCudaDriver();
  FakeCudaDriver(const FakeCudaDriver &) = delete;

  CudaDriver table();
  static void *lookUp(const char *symbol);

  /// Every call of `symbol` from now on returns `code` and does nothing else; 0 ends that.
  void failAt(const std::string &symbol, CUresult code);
  /// A kernel that the device runs for ever, until `release`.
  void hang();
  void release();
  /// Ends when nothing is alive any more, or after some seconds.
  bool waitUntilAllIsFreed();
  size_t blocks();
  int liveObjects();

  // What a test sets up.
  int devices = 2;
  uint64_t capacity = 1 << 20;
  int registersAllow = 1024;
  std::string jitLog;
  std::string missing; ///< a symbol that the library lacks
  /// What a launch does to its arguments' memory; by default nothing.
  std::function<void(std::vector<std::vector<uint8_t> *>)> kernel;
  unsigned parameters = 2;

  // What a test looks at.
  std::vector<std::string> calls;
  std::vector<CUdeviceptr> lastArguments;
  std::vector<std::string> violations;

  struct Work {
    std::vector<CUdeviceptr> touches;
    std::function<void()> run;
    bool isKernel = false;
  };
  struct Stream {
    std::deque<Work> queue;
  };

  // What the driver's functions use, under the lock.
  CUresult codeOf(const std::string &symbol);
  void drain(Stream &stream);
  bool isBusy(const Stream &stream) const;
  std::vector<uint8_t> *block(CUdeviceptr address);

  std::recursive_mutex mutex;
  std::map<CUdeviceptr, std::vector<uint8_t>> memory;
  std::map<CUstream, Stream> streams; ///< the default stream is null
  int live = 0;                       ///< modules, events, streams and retained contexts
  bool hangs = false;

private:
  std::map<std::string, CUresult> failures_;
};

} // namespace fuselage::test
