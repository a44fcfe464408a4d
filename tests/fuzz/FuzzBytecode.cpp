// libFuzzer over bytecode: mutates inside of a section, so that the file around it still holds together.
#include "tests/fuzz/BytecodeSections.h"
#include "tests/fuzz/Fuzzing.h"
#include <cstdint>
#include <cstring>

using namespace fuselage::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  if (bytes.starts_with("ML\xefR"))
    exerciseInTime(bytes);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  std::optional<SectionedBytecode> file = SectionedBytecode::parse(bytes);
  // One time in eight anything may change, the lengths of sections, too.
  if (!file || file->sections.empty() || seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string &section = file->sections[seed / 8 % file->sections.size()].data;
  size_t length = section.size();
  section.resize(length + 64);
  section.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(section.data()), length, section.size()));
  std::string mutated = file->print();
  if (mutated.size() > maxSize)
    return size;
  std::memcpy(data, mutated.data(), mutated.size());
  return mutated.size();
}
