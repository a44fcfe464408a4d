// Missed fusions: the panel, the commands that fuse and take back, and the pages on the reasons.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/models/FusionModel.h"

class QDockWidget;
class QToolButton;

namespace fuselage {

class EdgeDetails;
class FusionPanel;
class FusionVerdicts;
class GraphController;
class ProblemsController;
class ReasonHelp;
class RunController;
class StepsController;
class TextController;

class FusionController : public Controller {
  Q_OBJECT
public:
  struct Actions {
    QAction *fuseEdge, *fusePlaces, *fuseAll, *fuseFaster, *cleanUp, *undo, *redo, *save;
    QAction *nextMissed, *previousMissed, *nextPlace, *previousPlace, *why, *decision, *verdicts, *reasons;
  };
  FusionController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                   ProblemsController &problems, RunController &run);

  FusionPanel &panel() { return *panel_; }
  FusionModel &model() { return model_; }
  ReasonHelp &reasons() { return *reasons_; }
  /// Opens the page on a reason; empty: the first one.
  void explain(const QString &code);
  /// Commands at the end of the menu of an edge.
  void addToEdgeMenu(const QList<QAction *> &actions) { edgeMenuEnd_ += actions; }
  const Actions &actions() const { return actions_; }
  /// Of the edges between ops that the selected line stands for, the one that is judged; null: nobody judges them.
  const protocol::FusionEdge *selectedEdge() const;
  /// Raises the panel, with the dearest missed fusion selected.
  void showDearest();
  void graphShown(int snapshot) override;

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void engineRecovered(int steps) override;
  void restoreState(const Settings &settings) override;
  bool isSettled() const override;

signals:
  /// Another edge is selected, or the report on it is there.
  void edgeChanged();
  /// Of an op: those that the step tried, or those that would apply to it now.
  void patternsRequested(qint64 op, bool tried);

private:
  void addDocks();
  void buildButton();
  void makeActions();
  void placeActions();
  void addPreferences();
  void connectActions();
  void connectPanel();
  void followSession(EngineSession &session);
  void updateActions();
  void updateShown();
  void connectCard();
  void walk(int step);
  void walkPlaces(int step);
  void applyTransform(const QString &name);
  void showEdgeMenu(const QPoint &position);
  QString wholeFunctionText(const protocol::FusionEdge *edge) const;
  static QString stateText(const protocol::FusionEdge &edge);
  void showProgress(const protocol::FuseProgress &progress);
  void fused(const protocol::FuseResult &result);
  void refused(const protocol::FuseResult &result);
  void failed(const protocol::Error &error);
  void historyMoved(int snapshot);
  void showDecision(int snapshot, const QString &step);
  void save();

  FusionModel model_;
  FusionPanel *panel_;
  QDockWidget *dock_ = nullptr, *reasonDock_ = nullptr;
  ReasonHelp *reasons_ = nullptr;
  QToolButton *button_;
  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  ProblemsController &problems_;
  RunController &run_;
  FusionVerdicts *verdicts_;
  EdgeDetails *edge_; ///< in Details
  Actions actions_{};
  QList<QAction *> edgeMenuEnd_;
};

} // namespace fuselage
