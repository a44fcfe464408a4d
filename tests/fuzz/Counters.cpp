// Not instrumented: where clang declares the ends of its counters, another declaration leaves it without them.
#include "tests/fuzz/Counters.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

/// By the linker, around all counters.
extern "C" uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];

void fuselage::fuzz::shareCounters() {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  uintptr_t begin = (reinterpret_cast<uintptr_t>(__start___sancov_cntrs) + page - 1) / page * page;
  uintptr_t end = reinterpret_cast<uintptr_t>(__stop___sancov_cntrs) / page * page;
  if (begin >= end)
    return;
  std::string now(reinterpret_cast<char *>(begin), end - begin);
  void *shared = mmap(reinterpret_cast<void *>(begin), end - begin, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (shared == MAP_FAILED)
    std::abort();
  std::memcpy(shared, now.data(), now.size());
}
