// The one way to a place in the document, for whoever lists places: results, problems, notes.
#pragma once
#include "app/gui/shell/Centre.h"
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"
#include <optional>

namespace fuselage {

class GraphController;
class StepsController;
class TextController;

/// A place in the document. An op means the op, a line alone the line and the op that it belongs to.
struct Spot {
  int snapshot = 0;
  NodeId op = noNode;            ///< of the snapshot
  int line = -1;                 ///< of its text, from 0; -1: wherever the op is
  std::optional<View> view = {}; ///< brought to the front; none: the one on screen stays
  bool operator==(const Spot &) const = default;
};

class NavigationController : public Controller {
  Q_OBJECT
public:
  NavigationController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text);

  /// Selects the step, opens the boxes around the op, selects it everywhere. False: no row of the steps has the snapshot.
  bool goTo(const Spot &spot);
  /// What is on screen.
  Spot current() const;
  /// A scene is in the view.
  void graphShown();

  void documentReset() override;
  bool isSettled() const override { return !wanted_; }

signals:
  /// The spot is on screen.
  void arrived(const fuselage::Spot &spot);

private:
  int rowOf(int snapshot) const;
  void arrive(const Spot &spot);

  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  std::optional<Spot> wanted_; ///< as soon as its graph is there
};

} // namespace fuselage
