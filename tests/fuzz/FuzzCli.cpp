// libFuzzer over the command line: changed modules through whole commands.
#include "tests/fuzz/CliCase.h"
#include "tests/fuzz/Counters.h"
#include "tests/fuzz/LineMutator.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

using namespace fuselage::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The commands run in processes of their own.
  [[maybe_unused]] static const bool isShared = (shareCounters(), true);
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
