#include "tests/fuzz/BytecodeSections.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage::fuzz {

static constexpr uint8_t kAligned = 0x80, kPadding = 0xcb;

/// Takes a variable-length integer: the count of trailing zeros of the first byte is that of the
/// bytes behind it.
static std::optional<uint64_t> takeInteger(llvm::StringRef &bytes) {
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

/// The same integer in the form of nine bytes, or of one where it fits.
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
  if (!rest.consume_front("ML\xefR") || !takeInteger(rest))
    return std::nullopt;
  size_t producerEnd = rest.find('\0');
  if (producerEnd == llvm::StringRef::npos)
    return std::nullopt;
  rest = rest.drop_front(producerEnd + 1);
  SectionedBytecode file{.head = bytes.drop_back(rest.size()).str(), .sections = {}};
  while (!rest.empty()) {
    Section section{.id = static_cast<uint8_t>(rest[0]), .prefix = "", .data = ""};
    rest = rest.drop_front();
    std::optional<uint64_t> length = takeInteger(rest);
    if (!length)
      return std::nullopt;
    if (section.id & kAligned) {
      llvm::StringRef start = rest;
      if (!takeInteger(rest))
        return std::nullopt;
      section.prefix = start.drop_back(rest.size()).str();
      rest = rest.ltrim(static_cast<char>(kPadding));
    }
    if (*length > rest.size())
      return std::nullopt;
    section.data = rest.take_front(*length).str();
    rest = rest.drop_front(*length);
    file.sections.push_back(std::move(section));
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
    if (std::optional<uint64_t> bound = takeInteger(alignment); bound && llvm::isPowerOf2_64(*bound) && *bound <= 4096)
      bytes.resize(llvm::alignTo(bytes.size(), *bound), static_cast<char>(kPadding));
    bytes += section.data;
  }
  return bytes;
}

} // namespace fuselage::fuzz
