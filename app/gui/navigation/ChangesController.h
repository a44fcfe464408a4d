// What the step on screen changed, one place after the other.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"

namespace fuselage {

class GraphController;
class StepsController;
class TextController;

/// Going to a step by J or K, and a fusion, moves graph, text and minimap to the first thing that changed, and dims the
/// rest for a moment; the selection stays. N and Shift+N select the next and the previous one.
class ChangesController : public Controller {
  Q_OBJECT
public:
  ChangesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text);

  /// Boxes on screen that the step changed, in reading order.
  QList<NodeId> places() const;
  void goTo(int by);

  void documentReset() override;
  void stepShown(const ShownStep &step) override;
  void graphShown(int snapshot) override;

private:
  void showFirst();
  void scrollTextTo(NodeId op);
  /// The dispatch around a box, or itself.
  NodeId dispatchAround(NodeId box) const;

  GraphController &graph_;
  TextController &text_;
  QAction *next_, *previous_;
  enum class Wanted { Nothing, Change, FusedBox } wanted_ = Wanted::Nothing; ///< once the graph is there
  NodeId current_ = noNode; ///< where goTo() is; noNode: before the first
  bool hasTold_ = false;    ///< which change it is
};

} // namespace fuselage
