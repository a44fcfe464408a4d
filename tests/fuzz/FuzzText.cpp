// libFuzzer over text, from the bytes to the graph.
#include "tests/fuzz/Fuzzing.h"
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  // Bytecode has a fuzzer of its own.
  if (!text.starts_with("ML\xefR"))
    fuselage::fuzz::exerciseInTime(text);
  return 0;
}
