// The text of one op, taken apart as far as that goes without parsing it.
#pragma once
#include "core/ir/source/SourceEdits.h"
#include "core/ir/source/SourceScan.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <optional>

namespace fuselage {

/// The pieces of a text between `separator`s that stand in no bracket or string, trimmed.
llvm::SmallVector<llvm::StringRef> splitOutsideBrackets(llvm::StringRef text, char separator);

/// The offset of `word` outside of brackets and strings, npos if there is none.
size_t findOutsideBrackets(llvm::StringRef text, llvm::StringRef word);

/// What stands between the bracket that `text` starts with and its partner; empty if it starts with none.
llvm::StringRef insideBrackets(llvm::StringRef text);

/// An op in custom assembly: `results = name head : types loc(..)`. All pieces are parts of the scan's text, so that
/// edits can replace them.
class OpText {
public:
  OpText(const SourceScan &scan, int32_t index) : scan_(scan), index_(index) {}

  const SourceScan &scan() const { return scan_; }
  const ScannedOp &op() const { return scan_.ops()[index_]; }
  int32_t index() const { return index_; }
  llvm::StringRef name() const { return scan_.nameOf(op()); }
  /// All that stands after the name.
  llvm::StringRef whole() const { return scan_.text().slice(op().nameEnd, std::max(op().nameEnd, op().end)); }
  /// The name of the op around; empty at the top.
  llvm::StringRef parentName() const;

  /// What stands after the name, without a location at the end, trimmed at its end.
  llvm::StringRef rest() const;
  /// The part of it before the ':' that the types follow; all of it if there are no types.
  llvm::StringRef head() const;
  llvm::StringRef types() const;
  bool hasTypes() const { return !types().empty(); }

  /// "%a, %b:2" before the '='.
  llvm::StringRef results() const;
  unsigned numResults() const;
  /// The values that the head names, in order.
  llvm::SmallVector<llvm::StringRef> values() const;
  /// The dictionary of attributes in the head with its braces; empty if there is none.
  llvm::StringRef dictionary() const;
  /// `key = value` of the dictionary, both trimmed; the value of a unit attribute is empty.
  struct Entry {
    llvm::StringRef key, value;
  };
  llvm::SmallVector<Entry> attributes() const;
  /// What `keyword(` of the head holds; null data if there is none.
  llvm::StringRef clause(llvm::StringRef keyword) const;
  /// The text up to the brace of the first region; all of `rest` if there is none.
  llvm::StringRef header() const;

  size_t offsetOf(llvm::StringRef piece) const { return piece.begin() - scan_.text().begin(); }
  size_t endOf(llvm::StringRef piece) const { return piece.end() - scan_.text().begin(); }
  void replace(SourceEdits &edits, llvm::StringRef piece, std::string text) const {
    edits.replace(offsetOf(piece), endOf(piece), std::move(text));
  }
  void rename(SourceEdits &edits, std::string name) const { edits.replace(op().name, op().nameEnd, std::move(name)); }
  /// A name for a value that no text has.
  std::string freshValue(unsigned number) const;

private:
  size_t colon() const;

  const SourceScan &scan_;
  int32_t index_;
  // Found when they are asked for: most ops need no more than a look at how they begin.
  mutable std::optional<llvm::StringRef> rest_;
  mutable std::optional<size_t> colon_; ///< npos: no types follow
};

/// `kind<4x?xelement, more>`, or an alias of such a type in `scan`.
struct ShapedText {
  llvm::StringRef kind;                     ///< "tensor", "memref" or "vector"; empty: it is none
  llvm::SmallVector<llvm::StringRef> sizes; ///< "4", "?", "[4]"
  llvm::StringRef element;
  bool isUnranked = false;

  explicit operator bool() const { return !kind.empty(); }
  /// The type of this kind with the sizes from `first` on.
  std::string withKind(llvm::StringRef newKind, unsigned first = 0) const;
};
ShapedText readShapedType(const SourceScan &scan, llvm::StringRef type);

} // namespace fuselage
