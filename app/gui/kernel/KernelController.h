// Shows the code of the selected dispatch's kernels: asks the engine, once it can be seen.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"
#include "core/protocol/methods/KernelMethods.h"
#include "views/common/SceneData.h"

class QDockWidget;

namespace fuselage {

class GraphController;
class KernelPanel;
class RunController;
class StepsController;
class TextController;

class KernelController : public Controller {
  Q_OBJECT
public:
  KernelController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                   RunController &run);

  KernelPanel &panel();
  /// Raises the panel, with room for code.
  void raise();
  void select(int snapshot, NodeId id);

  void documentReset() override;
  void stepShown(const ShownStep &step) override;
  void engineRecovered(int steps) override;
  void sessionChanged() override;
  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;
  bool isSettled() const override { return asked_ == 0 && checking_ == 0; }

private:
  /// The selection has changed, or can be seen now.
  void refresh();
  void showWhere();
  void request();
  void requestPlace();
  /// What is asked of the engine, of the dispatch that is shown.
  template <class Method> protocol::Request<Method> wanted() const;
  /// Selects what comes from a line of the file in the shown step.
  void goTo(const QString &file, qint64 line);
  void check();
  void stopCheck();

  LazyPanel<KernelPanel> panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  RunController &run_;
  int snapshot_ = 0;
  int onScreen_ = 0; ///< the snapshot there
  NodeId id_ = noNode;
  QString shown_;        ///< what the panel shows: dispatch, program, target and chip
  quint64 asked_ = 0;    ///< the last question that waits for its answer; 0: none
  quint64 checking_ = 0; ///< the check that goes on; 0: none
};

} // namespace fuselage
