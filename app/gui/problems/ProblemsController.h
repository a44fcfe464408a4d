// Everything that went wrong: its list, and the way from there to the place.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/models/ProblemsModel.h"
#include <functional>

class QDockWidget;
class QToolButton;

namespace fuselage {

class GraphController;
class NavigationController;
class ProblemsPanel;
class StepsController;

class ProblemsController : public Controller {
  Q_OBJECT
public:
  ProblemsController(Shell &shell, StepsController &steps, GraphController &graph, NavigationController &navigation);

  ProblemsModel &model() { return model_; }
  void raise();
  /// Who shows a line (from 1) of a file that is no document; false: nobody has that file open.
  using ShowLine = std::function<bool(const QString &file, int line)>;
  void setShowLine(ShowLine showLine) { showLine_ = std::move(showLine); }
  /// What the passes of a recording, or the tool that wrote a log, said.
  void listSteps(const QList<protocol::Step> &steps);
  void report(const QString &source, const QString &what, const protocol::Error &error);
  void graphShown(int snapshot) override;

  void opened(const protocol::Document &document) override;
  void engineDied(const CrashReport &report) override;

private:
  void buildButton();
  void connectPanel();
  void graphFailed(const protocol::Error &error);
  void readSnapshot();
  void goToOp(int step, qint64 op, int line);
  void goToPlace(const QString &file, int line);
  void count();

  ProblemsModel model_;
  ProblemsPanel *panel_;
  QDockWidget *dock_;
  QToolButton *button_;
  ShowLine showLine_;
  StepsController &steps_;
  GraphController &graph_;
  NavigationController &navigation_;
};

} // namespace fuselage
