#include "core/support/LargeStack.h"
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

using Work = const std::function<void()>;

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

void *callWork(void *work) {
  (*static_cast<Work *>(work))();
  return nullptr;
}

} // namespace

void fuselage::runOnLargeStack(Work &work) {
  StackMemory stack(size_t(256) << 20);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  bool started = stack.giveTo(attributes) &&
                 pthread_create(&thread, &attributes, callWork, const_cast<std::function<void()> *>(&work)) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    work();
}
