// The outline: asks for it where it can be seen, and leads from its rows to graph and text, and back.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/models/OutlineModel.h"

class QDockWidget;

namespace fuselage {

class GraphController;
class OutlinePanel;
class StepsController;
class TextController;

class OutlineController : public Controller {
  Q_OBJECT
public:
  OutlineController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text);

  OutlinePanel &panel() { return *panel_; }
  OutlineModel &model() { return model_; }
  void raise();

  void opened(const protocol::Document &document) override;
  void stepShown(const ShownStep &step) override;
  /// What was to be seen in it can be.
  void graphShown(int snapshot) override;
  bool isSettled() const override { return !asked_; }

private:
  void request();
  void present(const protocol::Outline &outline);
  void select(int row);
  void reveal(int row);
  void expand(int row);
  void showTimes();

  OutlineModel model_;
  OutlinePanel *panel_;
  QDockWidget *dock_;
  GraphController &graph_;
  TextController &text_;
  QAction *show_ = nullptr;
  protocol::RunReport report_;
  QString ranProgram_; ///< that the report is of, see EngineSession::programKey(); empty: none
  int snapshot_ = 0;   ///< on screen
  bool stale_ = true;  ///< the outline is of another snapshot, or of none
  bool asked_ = false;
  quint64 request_ = 0; ///< that is waited for
  int revealed_ = -1;   ///< row to go to once it is drawn
};

} // namespace fuselage
