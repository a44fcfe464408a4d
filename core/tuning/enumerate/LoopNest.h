// The order in which knobs get their values, and the conditions that apply at each.
#pragma once
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

/// A condition that is solved for the innermost of its knobs: the set of values for which it holds. The set is exact,
/// so that the condition need not be tested.
struct Generator {
  enum class Kind {
    AtMost,   ///< base + slope * knob <= 0
    Equal,    ///< base + slope * knob = 0
    Multiple, ///< knob mod base = 0
    Divisor,  ///< base mod knob = 0
  };
  Kind kind = Kind::AtMost;
  Expression base{}, slope{}; ///< over knobs of outer loops
  unsigned condition = 0;     ///< of the space
};

/// One loop, over the values of a knob.
struct Level {
  unsigned knob = 0;
  std::vector<Generator> generators{};
  std::vector<unsigned> tests{}; ///< conditions to test here, as all of their knobs have values
  unsigned group = 0;
};

/// Nested loops. Knobs that no chain of conditions relates are in different groups; any combination of points of the
/// groups is a point. The levels of a group are adjacent.
struct LoopNest {
  std::vector<Level> levels;
  unsigned groups = 0;
  bool isEmpty = false; ///< a condition without knobs does not hold, or a domain is empty
};

/// Plans the loops for those conditions of `space` whose numbers are in `active`. Knobs with few values, and knobs that
/// let the most conditions be tested, come first.
LoopNest planLoops(const Space &space, llvm::ArrayRef<unsigned> active);
LoopNest planLoops(const Space &space);

} // namespace fuselage::tune
