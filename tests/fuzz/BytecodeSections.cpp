#include "tests/fuzz/BytecodeSections.h"
#include "core/ir/source/BytecodeFile.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage::fuzz {

/// A variable-length integer in the form of nine bytes, or of one where it fits.
static void putInteger(std::string &bytes, uint64_t value) {
  if (value < 128) {
    bytes += static_cast<char>(value << 1 | 1);
    return;
  }
  bytes += '\0';
  for (unsigned i = 0; i < 8; ++i)
    bytes += static_cast<char>(value >> 8 * i);
}

std::optional<SectionedBytecode> SectionedBytecode::parse(llvm::StringRef bytes) {
  llvm::StringRef rest = bytes;
  if (!takeBytecodeHeader(rest))
    return std::nullopt;
  SectionedBytecode file{.head = bytes.drop_back(rest.size()).str(), .sections = {}};
  while (!rest.empty()) {
    std::optional<BytecodeSection> section = takeSection(rest);
    if (!section)
      return std::nullopt;
    file.sections.push_back({.id = section->id, .prefix = section->alignment.str(), .data = section->data.str()});
  }
  return file;
}

std::string SectionedBytecode::print() const {
  std::string bytes = head;
  for (const Section &section : sections) {
    bytes += static_cast<char>(section.id);
    putInteger(bytes, section.data.size());
    bytes += section.prefix;
    llvm::StringRef alignment = section.prefix;
    if (std::optional<uint64_t> bound = takeVarInt(alignment); bound && llvm::isPowerOf2_64(*bound) && *bound <= 4096)
      bytes.resize(llvm::alignTo(bytes.size(), *bound), static_cast<char>(BytecodeSection::kPadding));
    bytes += section.data;
  }
  return bytes;
}

} // namespace fuselage::fuzz
