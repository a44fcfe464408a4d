// What an editor can fold in a text.
#pragma once
#include "core/lsp/text/NameScopes.h"

namespace fuselage::lsp {

struct Fold {
  enum class Kind { Region, Comment, Other };
  int first = 0, last = 0; ///< lines; what is hidden begins after the first
  Kind kind = Kind::Other;
  auto operator<=>(const Fold &) const = default;
};

/// Regions, and other brackets over several lines (constants, attributes, operands), of which the last line stays to be
/// seen; comments of several lines; parts between lines of `// -----`, where there are several. In order, the larger
/// ones first.
std::vector<Fold> findFolds(const TextBuffer &text, const NameScopes &names);

} // namespace fuselage::lsp
