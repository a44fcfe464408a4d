// Which lines two texts have in common, and which words two lines: both by libgit2's xdiff.
#pragma once
#include "core/stepping/diff/LineNormalizer.h"
#include "core/stepping/diff/Span.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace fuselage {

/// Lines [left, left + leftCount) were replaced by [right, right + rightCount); lines from 0.
struct LineHunk {
  unsigned left = 0, leftCount = 0, right = 0, rightCount = 0;
};

/// The hunks in order; both texts hold a newline after each line.
std::vector<LineHunk> diffLines(llvm::StringRef left, llvm::StringRef right);

/// Compares tokens of one line with those of another, by diffLines.
class WordDiff {
public:
  WordDiff(const LineNormalizer &left, const LineNormalizer &right) : leftNames_(left), rightNames_(right) {}

  /// Appends what differs, as spans of whole tokens. Where the lines have next to nothing in
  /// common, one span covers everything between their common ends.
  void compare(llvm::StringRef left, llvm::StringRef right, std::vector<Span> &leftSpans,
               std::vector<Span> &rightSpans);

  /// A line's words as sorted numbers, for similarity().
  using Bag = std::vector<size_t>;
  Bag leftBag(llvm::StringRef line) { return bag(line, leftNames_, left_); }
  Bag rightBag(llvm::StringRef line) { return bag(line, rightNames_, right_); }
  /// 0: nothing in common; 1: the same words.
  static double similarity(const Bag &left, const Bag &right);

private:
  /// Tokens of a line as numbers, blanks left out.
  struct Words {
    std::vector<Token> tokens;
    std::vector<size_t> keys;
  };
  static Bag bag(llvm::StringRef line, const LineNormalizer &names, Words &words);
  static void split(llvm::StringRef line, const LineNormalizer &names, Words &words);

  const LineNormalizer &leftNames_, &rightNames_;
  Words left_, right_; // reused from line to line
};

} // namespace fuselage
