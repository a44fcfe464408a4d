#include "app/gui/navigation/SpotHistory.h"

namespace fuselage {

static constexpr qsizetype placesKept = 200;

static void push(QList<SeenSpot> &list, const SeenSpot &place) {
  if (!list.isEmpty() && list.last().spot == place.spot)
    list.removeLast(); // the same, as it was seen last
  list.append(place);
  if (list.size() > placesKept)
    list.removeFirst();
}

void SpotHistory::leave(const SeenSpot &place) {
  push(back_, place);
  forward_.clear();
}

SeenSpot SpotHistory::takeBack(const SeenSpot &from) {
  const SeenSpot place = back_.takeLast();
  push(forward_, from);
  return place;
}

SeenSpot SpotHistory::takeForward(const SeenSpot &from) {
  const SeenSpot place = forward_.takeLast();
  push(back_, from);
  return place;
}

void SpotHistory::clear() {
  back_.clear();
  forward_.clear();
}

void SpotHistory::dropFrom(int snapshot) {
  for (QList<SeenSpot> *list : {&back_, &forward_})
    list->removeIf([snapshot](const SeenSpot &place) { return place.spot.snapshot >= snapshot; });
}

} // namespace fuselage
