#include "core/blobs/TextBlobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace fuselage {

/// What the placeholder of a resource has as data, with four bytes of the number after it.
static constexpr StringRef kMark = "\x7f"
                                   "fuselage.blob\x7f\x01\x02";

std::string TextBlobs::placeholderFor(TextBlob::Kind kind, size_t number) {
  if (kind == TextBlob::Kind::Elements)
    return kPlaceholder.str() + std::to_string(number) + ">";
  std::string data = kMark.str() + std::string(sizeof(uint32_t), '\0');
  llvm::support::endian::write32le(data.data() + kMark.size(), static_cast<uint32_t>(number));
  constexpr StringRef alignment = "04000000";
  return "\"0x" + alignment.str() + llvm::toHex(data) + "\"";
}

std::optional<size_t> TextBlobs::numberIn(ArrayRef<char> resource) const {
  StringRef data(resource.data(), resource.size());
  if (data.size() != kMark.size() + sizeof(uint32_t) || !data.starts_with(kMark))
    return std::nullopt;
  size_t number = llvm::support::endian::read32le(data.data() + kMark.size());
  bool isOurs = number < literals_.size() && literals_[number].kind == TextBlob::Kind::Resource;
  return isOurs ? std::optional(number) : std::nullopt;
}

const TextBlob *TextBlobs::firstOn(unsigned line) const {
  auto first = llvm::lower_bound(literals_, line, [](const TextBlob &blob, unsigned at) { return blob.line < at; });
  return first != literals_.end() && first->line == line ? &*first : nullptr;
}

unsigned TextBlobs::columnInFile(unsigned line, unsigned column) const {
  uint64_t moved = column;
  for (const TextBlob *blob = firstOn(line); blob && blob != literals_.data() + literals_.size(); ++blob)
    if (blob->line == line && blob->column < column)
      moved += blob->removed;
  return static_cast<unsigned>(moved);
}

} // namespace fuselage
