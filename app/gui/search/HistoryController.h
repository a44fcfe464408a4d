// Across the steps: what introduced, changed or removed an op, a name or a text.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"
#include "core/protocol/methods/SearchMethods.h"
#include "views/common/SceneData.h"
#include "views/models/HistoryModel.h"

class QDockWidget;

namespace fuselage {

class GraphController;
class HistoryPanel;
class NavigationController;
class StepsController;
class TextController;

class HistoryController : public Controller {
  Q_OBJECT
public:
  HistoryController(Shell &shell, NavigationController &navigation, StepsController &steps, GraphController &graph,
                    TextController &text);

  HistoryPanel &panel();
  HistoryModel &model() { return model_; }
  QAction *followAction() const { return follow_; }
  /// Of an op of the snapshot on screen.
  void followOp(NodeId op);
  /// A name with its sigil (`%q`, `@f`) as a whole word, other texts wherever they stand.
  void followText(const QString &text);
  /// Goes to what a row tells of.
  void show(int row);

signals:
  /// A row of a rewrite is selected.
  void rewriteChosen(int step, int rewrite);

public:
  void documentReset() override;
  void stepsReplaced(int row) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  bool isSettled() const override { return request_ == 0; }

private:
  void ask(const QString &subject, const protocol::Request<method::SearchHistory> &request);
  void present(const protocol::History &history);
  void end(const QString &state);

  HistoryModel model_;
  LazyPanel<HistoryPanel> panel_;
  QDockWidget *dock_;
  NavigationController &navigation_;
  StepsController &steps_;
  TextController &text_;
  QAction *follow_;
  QString subject_;
  quint64 request_ = 0; ///< 0: none is under way
};

} // namespace fuselage
