#include "core/ir/source/Artifact.h"
#include "core/ir/source/BytecodeFile.h"
#include "llvm/Support/Endian.h"

using llvm::StringRef;

namespace fuselage {

static constexpr StringRef kMagic = "ML\xefR";

/// The part of `bytes`, which start with the magic number, that is bytecode: it ends where a section comes a second
/// time, or where there is none. Empty if a section is missing that every file has. Flatbuffers store the length before
/// the bytes; it is used if a section ends there.
static StringRef bytecodeIn(StringRef bytes, uint64_t lengthInFront) {
  constexpr unsigned sections = 9, required = 0b11111; // strings, dialects, attributes with their offsets, IR
  StringRef rest = bytes;
  if (!takeBytecodeHeader(rest))
    return {};
  unsigned seen = 0;
  size_t end = 0;
  while (end != lengthInFront || (seen & required) != required) {
    std::optional<BytecodeSection> section = takeSection(rest);
    unsigned id = section ? section->id & ~BytecodeSection::kAligned : sections;
    if (id >= sections || (seen & (1u << id)))
      break;
    seen |= 1u << id;
    end = bytes.size() - rest.size();
  }
  return (seen & required) == required ? bytes.take_front(end) : StringRef();
}

std::vector<EmbeddedBytecode> findEmbeddedBytecode(StringRef file) {
  constexpr size_t start = 4096; // of a file that is no text, where a zero byte tells that it is none
  std::vector<EmbeddedBytecode> found;
  if (file.starts_with(kMagic) || !file.take_front(start).contains('\0'))
    return found;
  for (size_t at = file.find(kMagic); at != StringRef::npos; at = file.find(kMagic, at + 1)) {
    uint64_t length = at >= 4 ? llvm::support::endian::read32le(file.data() + at - 4) : 0;
    if (StringRef bytes = bytecodeIn(file.drop_front(at), length); !bytes.empty())
      found.push_back({at, bytes});
  }
  return found;
}

} // namespace fuselage
