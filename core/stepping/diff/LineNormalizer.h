// Makes lines of IR comparable that differ only in numbering.
#pragma once
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// Columns [begin, begin + length) of a line.
struct Token {
  unsigned begin = 0, length = 0;
};

/// Knows one text's attribute aliases (`#map3 = affine_map<...>`).
class LineNormalizer {
public:
  explicit LineNormalizer(llvm::StringRef text);

  /// Appends `line` as it is compared: `%12` and `%17` become `%`, `%c0_3` becomes `%c0`, `%arg4`
  /// becomes `%arg`, `^bb2` becomes `^bb`, an alias is replaced by what it stands for, and the
  /// indentation goes (an op that was wrapped into a region is still the same op).
  void append(llvm::StringRef line, std::string &out) const;

  /// The same for one token; `storage` holds the result where it is not part of `token`.
  llvm::StringRef token(llvm::StringRef token, std::string &storage) const;

private:
  llvm::StringMap<llvm::StringRef> aliases_; // "#map3" -> "affine_map<...>"
};

/// Splits a line into names (with their sigil), numbers, runs of blanks and single punctuation.
void tokenize(llvm::StringRef line, std::vector<Token> &tokens);

} // namespace fuselage
