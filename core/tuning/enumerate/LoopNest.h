// The order in which knobs are bound, and what is known at each.
#pragma once
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

/// A condition, as a set of values of the knob that is bound last. All of these are exact, so that it need not be
/// tested.
struct Generator {
  enum class Kind {
    AtMost,   ///< base + slope * knob <= 0
    Equal,    ///< base + slope * knob = 0
    Multiple, ///< knob mod base = 0
    Divisor,  ///< base mod knob = 0
  };
  Kind kind = Kind::AtMost;
  Expression base{}, slope{}; ///< of knobs that are bound before
  unsigned condition = 0;     ///< of the space
};

/// One loop.
struct Level {
  unsigned knob = 0;
  std::vector<Generator> generators{};
  std::vector<unsigned> tests{}; ///< conditions that are known from here on, and generate nothing
  unsigned group = 0;
};

/// Loops around each other. Knobs that no condition relates, even through others, are of different groups, whose points
/// go with all of each other's; a group's levels stand together.
struct LoopNest {
  std::vector<Level> levels;
  unsigned groups = 0;
  bool isEmpty = false; ///< a condition without knobs does not hold, or a knob takes nothing
};

/// Plans the loops for the conditions of `space` whose numbers `active` lists. A knob comes early where it makes the
/// most conditions known, and where it takes few values.
LoopNest planLoops(const Space &space, llvm::ArrayRef<unsigned> active);
LoopNest planLoops(const Space &space);

} // namespace fuselage::tune
