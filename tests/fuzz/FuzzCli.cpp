// libFuzzer over the command line: changed modules through whole commands.
#include "tests/fuzz/CliCase.h"
#include "tests/fuzz/Fuzzing.h"
#include "tests/fuzz/LineMutator.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace fuselage::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
extern "C" uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];

/// The commands run in processes of their own. Their coverage counts here, too: whole pages of the counters are shared.
static void shareCounters() {
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

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const bool isShared = (shareCounters(), true);
  (void)isShared;
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (text.starts_with("ML\xefR"))
    return 0;
  if (auto finding = findInCommand(cliCommandOf(text), text)) {
    llvm::errs() << *finding << '\n';
    std::abort();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  // One time in eight anything may change.
  if (size == 0 || seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::minstd_rand random(seed);
  std::string mutated = mutateLines({reinterpret_cast<const char *>(data), size}, random);
  if (mutated.size() > maxSize)
    return size;
  std::memcpy(data, mutated.data(), mutated.size());
  return mutated.size();
}
