#include "core/transforms/workgroups/LoweringConfig.h"
#include "core/dialects/tolerant/RawAttr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

/// A list of numbers at the start of `text`, which it takes away: `[32, [4], 0]`. Numbers of inner
/// lists are taken for their only element. Nothing for other text.
static std::optional<SmallVector<int64_t>> takeNumbers(StringRef &text) {
  SmallVector<int64_t> numbers;
  unsigned depth = 0;
  do {
    text = text.ltrim(" \t\n\r,");
    int64_t number = 0;
    if (text.consume_front("["))
      ++depth;
    else if (depth > 0 && text.consume_front("]"))
      --depth;
    else if (depth > 0 && !text.consumeInteger(10, number))
      numbers.push_back(number);
    else
      return std::nullopt;
  } while (depth > 0);
  return numbers;
}

/// Returns the text after `word =`, if the word stands on its own.
static std::optional<StringRef> textAfter(StringRef text, StringRef word) {
  for (size_t at = text.find(word); at != StringRef::npos; at = text.find(word, at + 1)) {
    bool isWhole = at == 0 || !(llvm::isAlnum(text[at - 1]) || text[at - 1] == '_');
    StringRef rest = text.substr(at + word.size()).ltrim();
    if (isWhole && rest.consume_front("="))
      return rest.ltrim();
  }
  return std::nullopt;
}

/// The levels of a list such as `[[32, 128], [0, 8]]`, or `[{sizes = [32, 128]}, ...]`.
static TileLevels levelsOf(StringRef text) {
  TileLevels levels;
  if (!text.consume_front("["))
    return levels;
  while (true) {
    text = text.ltrim(" \t\n\r,");
    StringRef closing = text;
    if (text.consume_front("{")) {
      size_t end = text.find('}');
      std::optional<StringRef> sizes = textAfter(text.take_front(end), "sizes");
      text = end == StringRef::npos ? StringRef() : text.substr(end + 1);
      if (!sizes)
        return {};
      closing = *sizes;
      std::optional<SmallVector<int64_t>> numbers = takeNumbers(closing);
      if (!numbers)
        return {};
      levels.push_back(std::move(*numbers));
    } else if (text.starts_with("[")) {
      std::optional<SmallVector<int64_t>> numbers = takeNumbers(text);
      if (!numbers)
        return {};
      levels.push_back(std::move(*numbers));
    } else {
      return levels;
    }
  }
}

/// The levels that a text lists one after the other, or names.
static TileLevels levelsInText(StringRef text) {
  for (StringRef word : {"tile_sizes", "tileSizes"})
    if (std::optional<StringRef> list = textAfter(text, word))
      return levelsOf(*list);
  TileLevels levels;
  for (StringRef word : {"workgroup", "distribution", "reduction", "vector_reduction"})
    if (std::optional<StringRef> list = textAfter(text, word))
      if (std::optional<SmallVector<int64_t>> numbers = takeNumbers(*list))
        levels.push_back(std::move(*numbers));
  return levels;
}

TileLevels readLoweringConfig(Operation *op) {
  for (StringRef name : {"lowering_config", "lowering.config", "compilation_info", "compilation.info"}) {
    Attribute attribute = op->getDiscardableAttr(name);
    if (!attribute)
      continue;
    // A dictionary prints as the others do, but for the types of its numbers.
    std::string text;
    if (isa<RawAttr>(attribute)) {
      text = cast<RawAttr>(attribute).getText().str();
    } else {
      text = debugString(attribute);
      for (StringRef type : {" : i64", " : index", " : i32", "array<i64: ", "array<i64"})
        for (size_t at = text.find(type); at != std::string::npos; at = text.find(type)) {
          text.erase(at, type.size());
          if (type.starts_with("array"))
            text.insert(text.begin() + at, '[');
        }
      for (char &c : text)
        c = c == '>' ? ']' : c;
    }
    if (TileLevels levels = levelsInText(text); !levels.empty())
      return levels;
  }
  return {};
}

} // namespace fuselage
