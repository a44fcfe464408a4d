#include "core/schedules/trace/Trace.h"

namespace fuselage {

std::vector<unsigned> Trace::framesOf(unsigned step) const {
  std::vector<unsigned> frames;
  for (int around = steps[step].parent; around >= 0; around = steps[around].parent)
    frames.insert(frames.begin(), around);
  return frames;
}

std::optional<unsigned> Trace::appliedBefore(unsigned step) const {
  const int parent = steps[step].parent;
  for (int sibling = static_cast<int>(step) - 1; sibling > parent; --sibling)
    if (steps[sibling].parent == parent)
      return sibling;
  return parent >= 0 ? std::optional<unsigned>(parent) : std::nullopt;
}

} // namespace fuselage
