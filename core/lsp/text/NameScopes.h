// Which name in a text means what: values, blocks, symbols and aliases, told from the text alone, so that ops of
// unknown dialects and text that does not parse have names, too.
#pragma once
#include "core/lsp/text/TextBuffer.h"

namespace fuselage::lsp {

enum class NameKind { Value, Argument, Block, Symbol, Alias };

/// One name in a text, with its sigil: "%0" of "%0#1".
struct NameToken {
  NameKind kind = NameKind::Value; ///< Argument: a value that a block brings, not an op
  ByteRange bytes;
  int definition = -1; ///< index of the token that defines it, which may be itself; -1: none does
};

/// An op as the text has it.
struct TextOp {
  ByteRange bytes; ///< from its results to the end of its last region, or to what comes next
  ByteRange name;  ///< "linalg.matmul", without quotes
  int symbol = -1; ///< token of the symbol that it defines; -1: none
  int parent = -1; ///< the op around it
  int depth = 0;   ///< how many are around it
  bool hasRegion = false;
};

struct NameScopes {
  std::vector<NameToken> tokens; ///< in order of the text
  std::vector<TextOp> ops;       ///< each before those in its regions
  std::vector<ByteRange> parts;  ///< between lines of `// -----`, or of `//--- name`, as split-file divides

  /// The token at a place, also right after its last character; -1: none.
  int tokenAt(size_t offset) const;
  /// The tokens that mean the same as this one, itself included.
  std::vector<int> occurrencesOf(int token) const;
  /// The innermost op at a place; -1: none.
  int opAt(size_t offset) const;
};

/// Names of values are looked for from the innermost region outwards, as MLIR's parser does: regions beside each other
/// use a name again for another value, and no op sees into a region that is not around it. A name before the body
/// of an op that means nothing yet is an argument of that body. Symbols belong to the body of the op that they are in,
/// and `@a::@b` is looked for in the body of @a.
NameScopes findNames(llvm::StringRef text);

} // namespace fuselage::lsp
