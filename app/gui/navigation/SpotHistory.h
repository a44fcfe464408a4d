// Places that were left, and those that were gone back from.
#pragma once
#include "app/gui/navigation/Spot.h"
#include "views/text/TextView.h"
#include <QList>

namespace fuselage {

/// A spot as it was on screen, so that it comes back exactly.
struct SeenSpot {
  Spot spot;
  TextPlace text;
  bool operator==(const SeenSpot &) const = default;
};

class SpotHistory {
public:
  /// By a jump: what was ahead is void.
  void leave(const SeenSpot &place);
  /// The place to go back to, and `from` is ahead of it; there is one if canGoBack().
  SeenSpot takeBack(const SeenSpot &from);
  SeenSpot takeForward(const SeenSpot &from);
  bool canGoBack() const { return !back_.isEmpty(); }
  bool canGoForward() const { return !forward_.isEmpty(); }
  void clear();
  /// Forgets the snapshots from this number on.
  void dropFrom(int snapshot);

private:
  QList<SeenSpot> back_, forward_; ///< the next one last
};

} // namespace fuselage
