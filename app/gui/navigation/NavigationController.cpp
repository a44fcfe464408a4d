#include "app/gui/navigation/NavigationController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/text/TextView.h"
#include <utility>

namespace fuselage {

NavigationController::NavigationController(Shell &shell, StepsController &steps, GraphController &graph,
                                           TextController &text)
    : Controller(shell), steps_(steps), graph_(graph), text_(text) {
  // No picture, but there is a text.
  connect(&graph.scenes(), &GraphScenes::failed, this, [this] {
    if (const std::optional<Spot> spot = std::exchange(wanted_, std::nullopt); spot && spot->line >= 0)
      text_.goToLine(spot->line);
  });
}

int NavigationController::rowOf(int snapshot) const {
  for (int row = 0; row < steps_.model().rowCount(); ++row)
    if (steps_.model().snapshotAt(row) == snapshot)
      return row;
  return -1;
}

bool NavigationController::goTo(const Spot &spot) {
  wanted_.reset();
  if (spot.view)
    shell().showView(*spot.view);
  if (spot.snapshot != text_.snapshot()) {
    const int row = rowOf(spot.snapshot);
    if (row < 0)
      return false;
    steps_.select(row);
  }
  if (spot.op != noNode && graph_.scenes().shownSnapshot() != spot.snapshot)
    wanted_ = spot; // graphShown() goes on
  else
    arrive(spot);
  return true;
}

void NavigationController::graphShown() {
  if (wanted_ && graph_.scenes().shownSnapshot() == wanted_->snapshot)
    arrive(*std::exchange(wanted_, std::nullopt));
}

void NavigationController::arrive(const Spot &spot) {
  if (spot.op != noNode) {
    graph_.openAround(spot.op);
    text_.select(spot.op, /*revealInGraph=*/true);
  } else if (spot.line >= 0) {
    text_.goToLine(spot.line);
  }
  emit arrived(spot);
}

Spot NavigationController::current() const {
  Spot spot{.snapshot = text_.snapshot(), .op = text_.selected()};
  spot.line = text_.view().currentLine();
  return spot;
}

void NavigationController::documentReset() { wanted_.reset(); }

} // namespace fuselage
