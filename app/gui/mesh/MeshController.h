// Keeps the Mesh panel on the step that is shown, and marks collectives in the graph.
#pragma once
#include "app/gui/mesh/MeshModel.h"
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"

class QDockWidget;

namespace fuselage {

class GraphController;
class MeshPanel;
class TextController;

class MeshController : public Controller {
  Q_OBJECT
public:
  MeshController(Shell &shell, GraphController &graph, TextController &text);

  MeshPanel &panel();
  MeshModel &model() { return model_; }
  void raise();

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void graphShown(int snapshot) override;
  void engineRecovered(int steps) override;

private:
  /// The engine is only asked while the panel can be seen.
  void setVisible(bool visible);
  void request();
  void take(const protocol::MeshReport &report);
  void select(int row);
  /// Collectives have badges while the panel can be seen.
  void mark();

  MeshModel model_;
  LazyPanel<MeshPanel> panel_;
  QDockWidget *dock_;
  GraphController &graph_;
  TextController &text_;
  int snapshot_ = 0;  ///< on screen
  int reported_ = -1; ///< that the model is of; -1: none
  bool isVisible_ = false;
};

} // namespace fuselage
