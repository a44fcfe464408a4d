// Two programs side by side: asks for it, and leads from a row to the dispatches in graph and text.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"
#include "views/common/SceneData.h"
#include "views/models/CompareModel.h"

class QDockWidget;

namespace fuselage {

class ComparePanel;
class GraphController;
class NavigationController;
class StepsController;
class TextController;

class CompareController : public Controller {
  Q_OBJECT
public:
  CompareController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                    NavigationController &navigation);

  ComparePanel &panel();
  /// Documents of other tabs, to compare with.
  void setOpenFiles(const QStringList &files);
  CompareModel &model() { return model_; }
  void raise();
  /// Compares the shown step with a module or a log.
  void compareWithFile(const QString &path);

  /// Snapshots beside the steps, by their names.
  void setWhatIfs(const QList<QPair<QString, int>> &whatIfs);

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  bool isSettled() const override { return asked_ == 0; }

private:
  void listSteps();
  void requestTools();
  void chooseFile();
  void compare();
  void cancel();
  void finish();
  void select(int row);
  void goTo(bool ofB, int dispatch);
  void showTimes();
  void showWhere();

  CompareModel model_;
  LazyPanel<ComparePanel> panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  NavigationController &navigation_;
  protocol::RunReport report_;
  QString ranProgram_;  ///< that the report is of; empty: none
  int snapshot_ = 0;    ///< on screen
  QString compared_;    ///< the step that was; empty: none was
  bool isOver_ = false; ///< the steps are others since
  QList<QPair<QString, int>> whatIfs_;
  quint64 asked_ = 0; ///< the request that the panel waits for; 0: none
  bool hasTools_ = false;
};

} // namespace fuselage
