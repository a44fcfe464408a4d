// Where ops stood when they were drawn last, so that they come back in the same order.
#pragma once
#include "core/graph/scene/Scene.h"

namespace fuselage {

/// Of the ops of one snapshot.
class PlaceMemory {
public:
  void note(const Scene &scene);
  /// Hints for the picture that comes after `shown`: what is in it keeps its place, what comes out of a closed box the
  /// order that it had when the box was open last.
  std::map<OpId, LayoutPoint> hintsAfter(const Scene &shown) const;

private:
  std::map<OpId, LayoutPoint> middles_;
};

} // namespace fuselage
