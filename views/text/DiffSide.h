// The two sides of a diff.
#pragma once

namespace fuselage {

enum class DiffSide { Before, After };

/// A search hit; columns in UTF-16 code units.
struct DiffMatch {
  DiffSide side = DiffSide::After;
  int line = 0, column = 0, length = 0;
};

} // namespace fuselage
