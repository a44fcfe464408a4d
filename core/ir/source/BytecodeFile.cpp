#include "core/ir/source/BytecodeFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using llvm::StringRef;

namespace fuselage {

std::optional<uint64_t> takeVarInt(StringRef &bytes) {
  if (bytes.empty())
    return std::nullopt;
  unsigned more = llvm::countr_zero(static_cast<uint8_t>(bytes[0]));
  if (bytes.size() < more + 1)
    return std::nullopt;
  uint64_t value = 0;
  for (unsigned i = more == 8 ? 1 : 0; i <= more; ++i)
    value |= uint64_t(static_cast<uint8_t>(bytes[i])) << 8 * (more == 8 ? i - 1 : i);
  bytes = bytes.drop_front(more + 1);
  return more == 8 ? value : value >> (more + 1);
}

std::optional<BytecodeSection> takeSection(StringRef &bytes) {
  if (bytes.empty())
    return std::nullopt;
  BytecodeSection section{.id = static_cast<uint8_t>(bytes[0])};
  bytes = bytes.drop_front();
  std::optional<uint64_t> length = takeVarInt(bytes);
  if (!length)
    return std::nullopt;
  if (section.id & BytecodeSection::kAligned) {
    StringRef start = bytes;
    if (!takeVarInt(bytes))
      return std::nullopt;
    section.alignment = start.drop_back(bytes.size());
    bytes = bytes.ltrim(static_cast<char>(BytecodeSection::kPadding));
  }
  if (*length > bytes.size())
    return std::nullopt;
  section.data = bytes.take_front(*length);
  bytes = bytes.drop_front(*length);
  return section;
}

std::optional<BytecodeHeader> takeBytecodeHeader(StringRef &bytes) {
  if (!bytes.consume_front("ML\xefR"))
    return std::nullopt;
  std::optional<uint64_t> version = takeVarInt(bytes);
  size_t producerEnd = bytes.find('\0');
  if (!version || producerEnd == StringRef::npos)
    return std::nullopt;
  BytecodeHeader header{.version = *version, .producer = bytes.take_front(producerEnd)};
  bytes = bytes.drop_front(producerEnd + 1);
  return header;
}

std::string bytecodeProducer(StringRef bytes) {
  constexpr size_t longest = 100; // of a name that is worth showing
  std::optional<BytecodeHeader> header = takeBytecodeHeader(bytes);
  return header ? header->producer.take_while(llvm::isPrint).take_front(longest).str() : "";
}

/// The strings of a file: their lengths from the last to the first, then their bytes, each with a NUL.
static std::vector<StringRef> readStrings(StringRef data) {
  std::optional<uint64_t> count = takeVarInt(data);
  if (!count || *count > data.size())
    return {};
  std::vector<uint64_t> lengths(*count);
  for (uint64_t &length : llvm::reverse(lengths)) {
    std::optional<uint64_t> read = takeVarInt(data);
    if (!read || *read == 0)
      return {};
    length = *read;
  }
  std::vector<StringRef> strings;
  for (uint64_t length : lengths) {
    if (length > data.size())
      return {};
    strings.push_back(data.take_front(length - 1));
    data = data.drop_front(length);
  }
  return strings;
}

std::vector<std::string> bytecodeDialects(StringRef bytes) {
  std::vector<StringRef> strings;
  StringRef dialects;
  std::optional<BytecodeHeader> header = takeBytecodeHeader(bytes);
  if (!header)
    return {};
  while (std::optional<BytecodeSection> section = takeSection(bytes)) {
    uint8_t id = section->id & ~BytecodeSection::kAligned;
    if (id == BytecodeSection::kStrings)
      strings = readStrings(section->data);
    else if (id == BytecodeSection::kDialects)
      dialects = section->data;
  }
  std::vector<std::string> names;
  std::optional<uint64_t> count = takeVarInt(dialects);
  constexpr uint64_t mostDialects = 1000; // no file has them; each would be loaded
  for (uint64_t i = 0; count && *count <= mostDialects && i < *count; ++i) {
    // The index of its name, and, but for the first version of bytecode, whether a section with its version follows.
    std::optional<uint64_t> name = takeVarInt(dialects);
    bool hasFlag = header->version > 0;
    uint64_t index = name.value_or(strings.size() << 1) >> (hasFlag ? 1 : 0);
    if (index >= strings.size() || (hasFlag && (*name & 1) && !takeSection(dialects)))
      return {};
    names.push_back(strings[index].str());
  }
  llvm::sort(names);
  return names;
}

} // namespace fuselage
