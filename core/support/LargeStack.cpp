#include "core/support/LargeStack.h"
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fuselage {

namespace {

/// Memory for a stack, of our own: in a forked copy of the process, glibc hands out the stacks of the threads that
/// the copy lacks, and what the work refers to may lie on one of them.
class StackMemory {
public:
  explicit StackMemory(size_t bytes) : bytes_(bytes) {
    memory_ =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (isThere())
      mprotect(memory_, sysconf(_SC_PAGESIZE), PROT_NONE); // beyond its end
  }
  ~StackMemory() {
    if (isThere())
      munmap(memory_, bytes_);
  }
  StackMemory(const StackMemory &) = delete;
  StackMemory &operator=(const StackMemory &) = delete;
  bool isThere() const { return memory_ != MAP_FAILED; }
  bool giveTo(pthread_attr_t &attributes) const {
    return isThere() && pthread_attr_setstack(&attributes, memory_, bytes_) == 0;
  }

private:
  size_t bytes_;
  void *memory_;
};

} // namespace

struct LargeStackThread::Thread {
  explicit Thread(const std::function<void()> &work) : work(work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    isStarted = stack.giveTo(attributes) && pthread_create(&thread, &attributes, callWork, this) == 0;
    pthread_attr_destroy(&attributes);
  }
  ~Thread() {
    if (isStarted)
      pthread_join(thread, nullptr);
  }
  static void *callWork(void *self) {
    static_cast<Thread *>(self)->work();
    return nullptr;
  }

  const std::function<void()> work;
  StackMemory stack{size_t(256) << 20};
  pthread_t thread{};
  bool isStarted = false;
};

LargeStackThread::LargeStackThread(const std::function<void()> &work) : thread_(std::make_unique<Thread>(work)) {
  if (!thread_->isStarted)
    work();
}

LargeStackThread::~LargeStackThread() = default;

void runOnLargeStack(const std::function<void()> &work) { LargeStackThread thread(work); }

} // namespace fuselage
