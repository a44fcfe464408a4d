// Where the ops of a text stand, found without parsing it: one linear pass that no text can upset.
#pragma once
#include "core/support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <vector>

namespace fuselage {

/// An op as it stands in the text. Offsets are bytes; `end` is after the op's last token, regions
/// included. MLIR's assembly has no terminators, so where an op ends is where the next one starts:
/// at a result list with its op, or, on a new line, a dotted word, `"quoted.op"(` or a bare word that
/// starts ops without results. The ops of a region are those between its braces; what a brace opens
/// is told by what comes next (classifyBrace).
struct ScannedOp {
  uint32_t begin = 0;             ///< of the result list, else of the name
  uint32_t name = 0, nameEnd = 0; ///< the name, without its quotes
  uint32_t end = 0;
  int32_t parent = -1;    ///< the op around it
  int32_t region = -1;    ///< the region it is in
  bool isGeneric = false; ///< written as "quoted.op"
  bool hasRegion = false;
};

/// The braces of a region.
struct ScannedRegion {
  uint32_t open = 0, close = 0; ///< of `{` and `}`
  bool lacksBrace = false;      ///< there is no `}`; close is where it should be
  bool lacksOpening = false;    ///< there is no `{`; open is the blank in whose place it should be
  int32_t op = -1;              ///< whose region it is
  int32_t parent = -1;          ///< the region around it
};

/// `#name = ...` or `!name = ...`.
struct ScannedAlias {
  uint32_t begin = 0, nameEnd = 0, value = 0, end = 0; ///< of the name with its sign; of what follows '='
};

/// A bracket that has no partner.
struct StrayBracket {
  uint32_t offset = 0;
  char bracket = 0;
  bool isRegion = false; ///< it opens one
};

/// A function starts inside of another one, no further to the right: the one before lacks `braces`
/// closing braces here. (No upstream dialect nests functions.) Where braces are missing in the text, any op
/// that starts a line no further to the right than the one whose region it would be in tells the same, if
/// with that no more brackets lack their partners.
struct MissingBraces {
  uint32_t offset = 0;
  unsigned braces = 0;
  int32_t op = -1; ///< the op that starts here
};

class SourceScan {
public:
  /// The text must outlive the scan and be shorter than 4 GiB.
  explicit SourceScan(llvm::StringRef text);

  llvm::StringRef text() const { return text_; }
  /// In the order of the text: an op comes before those in its regions.
  llvm::ArrayRef<ScannedOp> ops() const { return ops_; }
  llvm::ArrayRef<ScannedRegion> regions() const { return regions_; }
  llvm::ArrayRef<ScannedAlias> aliases() const { return aliases_; }
  llvm::StringRef nameOf(const ScannedOp &op) const { return text_.slice(op.name, op.nameEnd); }
  llvm::StringRef textOf(const ScannedOp &op) const { return text_.slice(op.begin, op.end); }
  llvm::StringRef nameOf(const ScannedAlias &alias) const { return text_.slice(alias.begin, alias.nameEnd); }

  /// The namespaces of op names, `!ns.type`, `!ns<`, `#ns.attr` and `#ns<`, sorted.
  std::vector<std::string> namespaces() const;
  /// Those of ops in custom assembly.
  const llvm::StringSet<> &customNamespaces() const { return customNamespaces_; }
  /// The aliases that are used, with their sign, and where first.
  const llvm::StringMap<uint32_t> &usedAliases() const { return usedAliases_; }

  /// Where brackets nest deeper than kMaxNesting; the scan ends there.
  std::optional<uint32_t> tooDeep() const { return tooDeep_; }
  /// Closing brackets that close nothing.
  llvm::ArrayRef<StrayBracket> strayBrackets() const { return strays_; }
  llvm::ArrayRef<MissingBraces> missingBraces() const { return missingBraces_; }
  /// The brackets still open at the end of the text, from the outside in.
  llvm::ArrayRef<StrayBracket> unclosed() const { return unclosed_; }

  /// The innermost op that covers the offset, or that ended last before it; -1 before the first op.
  int32_t opAt(uint32_t offset) const;
  /// The op before this one in the same region; -1 if it is the first.
  int32_t previousSibling(int32_t op) const;

private:
  friend class SourceLexer;
  SourceScan(llvm::StringRef text, bool closesByColumns);
  size_t lackingBraces() const;

  llvm::StringRef text_;
  std::vector<ScannedOp> ops_;
  std::vector<ScannedRegion> regions_;
  std::vector<ScannedAlias> aliases_;
  llvm::StringSet<> namespaces_, customNamespaces_;
  llvm::StringMap<uint32_t> usedAliases_;
  std::optional<uint32_t> tooDeep_;
  std::vector<StrayBracket> strays_, unclosed_;
  std::vector<MissingBraces> missingBraces_;
};

/// Whether an op of this name is a function: "func", or ending with ".func".
bool isFunctionName(llvm::StringRef opName);

} // namespace fuselage
