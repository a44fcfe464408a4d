// Side-by-side diff of two IR texts.
#pragma once
#include "core/stepping/diff/Span.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// One row of the side-by-side view; a line number of -1 is a gap on that side (lines from 0).
struct DiffRow {
  enum class Kind { Same, Added, Removed, Changed };
  Kind kind = Kind::Same;
  int left = -1, right = -1;
  std::vector<Span> leftWords, rightWords; ///< what differs inside a Changed line
};

struct TextDiff {
  std::vector<DiffRow> rows;
  unsigned added = 0, removed = 0, changed = 0;
};

/// Lines are compared without indentation and with SSA names normalised (%12 and %17 are alike), by
/// libgit2's xdiff; so the two lines of a Same row may differ in these. The words of changed lines are
/// compared by Myers over tokens. Linear for small edits.
TextDiff diffTexts(llvm::StringRef left, llvm::StringRef right);

/// The first `bytes` bytes of `line` in UTF-16 code units, as browsers and Qt count columns.
unsigned utf16Length(llvm::StringRef line, unsigned bytes);
/// The bytes of the first `units` UTF-16 code units of `line`; of all, where it has fewer.
unsigned utf8Length(llvm::StringRef line, unsigned units);

} // namespace fuselage
