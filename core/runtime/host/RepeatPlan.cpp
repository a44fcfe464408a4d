#include "core/runtime/host/RepeatPlan.h"

namespace fuselage {

bool RepeatPlan::more() const {
  if (repeatsDone_ == 0)
    return true;
  return repeatsDone_ < counts_.repeat && spent_ < counts_.seconds;
}

void RepeatPlan::ran(double seconds, bool wasTimed) {
  ++(wasTimed ? repeatsDone_ : warmupsDone_);
  spent_ += seconds;
}

} // namespace fuselage
