#include "core/dialects/tolerant/OpRepeats.h"
#include "core/dialects/tolerant/OpReading.h"
#include "core/dialects/tolerant/RawText.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/ValueName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <array>

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

namespace {

/// Characters that are not simply a part of an op's text.
constexpr std::array<bool, 256> makeSpecials() {
  std::array<bool, 256> specials{};
  for (unsigned char c : {'%', '"', '\n', '/', '^', '{'})
    specials[c] = true;
  return specials;
}
constexpr std::array<bool, 256> kSpecials = makeSpecials();

/// The text with its value names numbered in the order of their first use; false if the op cannot take
/// part.
bool hideNames(StringRef text, llvm::SmallVectorImpl<char> &hidden) {
  constexpr size_t maxNames = 24;
  llvm::SmallVector<StringRef, maxNames> names;
  hidden.clear();
  for (size_t i = 0; i < text.size();) {
    size_t run = i;
    while (i < text.size() && !kSpecials[static_cast<unsigned char>(text[i])])
      ++i;
    hidden.append(text.begin() + run, text.begin() + i);
    if (i == text.size())
      break;
    char c = text[i];
    if (c == '%') {
      StringRef name = nameAt(text, i).all();
      size_t known = llvm::find(names, name) - names.begin();
      if (name.size() == 1 || known == maxNames)
        return false;
      if (known == names.size())
        names.push_back(name);
      hidden.push_back('%');
      hidden.push_back(static_cast<char>(1 + known));
      i += name.size();
      continue;
    }
    if (c == '"') {
      size_t end = stringEnd(text, i);
      if (end == StringRef::npos)
        return false;
      hidden.append(text.begin() + i, text.begin() + end);
      i = end;
      continue;
    }
    if (c == '\n' || c == '^' || (c == '/' && i + 1 < text.size() && text[i + 1] == '/'))
      return false;
    if (c == '{' && text.drop_front(i + 1).ltrim().starts_with("}"))
      return false; // a region, perhaps
    hidden.push_back(c);
    ++i;
  }
  return true;
}

/// Where a trailing location starts: that is MLIR's parser's. The end of the text if there is none;
/// nullopt if there is one elsewhere.
std::optional<size_t> withoutLocation(StringRef text) {
  size_t at = text.find(" loc(");
  if (at == StringRef::npos)
    return text.size();
  // The text may end before the buffer does: a bracket that closes after it has no place here.
  const char *close = endOfBracket(text.data() + at + 4);
  if (close != text.end())
    return std::nullopt;
  return text.take_front(at).rtrim().size();
}

} // namespace

OpRepeats::OpRepeats(const std::string &text) : text_(text), blanked_(text) {}
OpRepeats::~OpRepeats() = default;

void OpRepeats::addOp(size_t begin, size_t name, size_t nameEnd, size_t end) {
  constexpr size_t maxLength = 4096;
  StringRef text = StringRef(text_).slice(begin, end).rtrim();
  if (text.size() > maxLength || nameEnd - begin > text.size())
    return;
  std::optional<size_t> length = withoutLocation(text);
  if (!length || begin + *length <= nameEnd)
    return;
  text = text.take_front(*length);
  end = begin + *length;
  llvm::SmallString<256> hidden;
  if (!hideNames(text, hidden))
    return;
  auto hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(hidden.str()));
  auto [known, isNew] = known_.try_emplace({hash.low64, hash.high64}, static_cast<uint32_t>(shapes_.size()));
  places_.push_back({.name = static_cast<uint32_t>(name),
                     .end = static_cast<uint32_t>(end),
                     .shape = known->second,
                     .isFirst = isNew});
  if (isNew) {
    shapes_.push_back({.isRepeated = false, .reading = nullptr});
    return;
  }
  shapes_[known->second].isRepeated = true;
  std::fill(blanked_.begin() + nameEnd, blanked_.begin() + end, ' ');
}

const OpRepeats::Place *OpRepeats::find(const char *name) {
  size_t offset = name - blanked_.data();
  if (offset >= blanked_.size())
    return nullptr;
  while (next_ < places_.size() && places_[next_].name < offset)
    ++next_;
  if (next_ == places_.size() || places_[next_].name != offset)
    return nullptr;
  const Place &place = places_[next_];
  return shapes_[place.shape].isRepeated ? &place : nullptr;
}

ptrdiff_t OpRepeats::distance(const char *address) const {
  size_t offset = address - blanked_.data();
  return offset < blanked_.size() ? text_.data() - blanked_.data() : 0;
}

StringRef OpRepeats::rest(const char *from, const Place &place) const {
  return StringRef(text_).slice(from - text_.data(), place.end);
}

void OpRepeats::keep(const Place &place, std::unique_ptr<OpReading> reading) {
  shapes_[place.shape].reading = std::move(reading);
}

RepeatScope::RepeatScope(MLIRContext &context, OpRepeats &repeats) : context_(context) {
  context.getOrLoadDialect<FuselageDialect>()->setRepeats(&repeats);
}
RepeatScope::~RepeatScope() { context_.getOrLoadDialect<FuselageDialect>()->setRepeats(nullptr); }

} // namespace fuselage
