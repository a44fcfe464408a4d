// IR text, diff and details of the snapshot on screen, and the selection that ties them together.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Sides.h"
#include "app/gui/text/SnapshotTexts.h"
#include "views/common/SceneData.h"
#include "views/models/DetailsModel.h"
#include "views/text/TextView.h"
#include <QTimer>

class QMenu;
class QStackedWidget;

namespace fuselage {

struct DiffData;
class DetailsPanel;
class DiffView;
class GraphController;
class GraphView;
class SidesBar;
class StepsController;
class ViewsController;

class TextController : public Controller {
  Q_OBJECT
public:
  TextController(Shell &shell, ViewsController &views, StepsController &steps, GraphController &graph);

  TextView &view() { return *text_; }
  /// The text that is on screen: the IR, or another one in its place.
  TextView &front() { return *front_; }
  /// Another way to read, as a page with a text in it that is wrapped, folded and copied as the IR is.
  void addPage(QWidget *page, TextView *text);
  void setFront(TextView &text);
  QMenu &menu() { return *menu_; }
  DiffView &diff() { return *diff_; }
  SidesBar *sidesBar() { return bar_; }
  /// The diff is from this snapshot to the one on screen; -1: from what was before the step.
  void compareWith(int snapshot);
  DetailsModel &details() { return details_; }
  DetailsPanel &detailsPanel() { return *panel_; }
  /// Selects an op everywhere: graph, text, diff, details.
  void select(NodeId id, bool revealInGraph);
  /// Selects ops as if the user had pointed at them; details are those of the first.
  void point(const QList<NodeId> &ids);
  /// Selects an op, and shows the text around it as it was: for a place that is gone back to.
  void selectAt(NodeId id, const TextPlace &place);
  /// Shows both ops of an edge in the text, and details of the consumer; the graph has the edge already.
  void selectEdge(NodeId from, NodeId to);
  NodeId selected() const { return selected_; }
  /// Where what is selected begins in the IR; -1: nothing is, or nobody knows yet.
  int selectedLine() const { return selectedLine_; }
  /// As soon as the text is there.
  void goToLine(int line);
  /// Brings a line into sight, as soon as the text is there; caret and selection stay.
  void showLine(int line);
  /// The same in the text that is on screen.
  void goToFrontLine(int line);
  int snapshot() const { return snapshot_; }
  /// What the diff is of, or would be.
  Sides sides() const;

  void opened(const protocol::Document &document) override;
  void documentReset() override;
  void stepsReplaced(int row) override;
  /// Shows a snapshot's text, and the diff of the step that led there.
  void stepShown(const ShownStep &step) override;
  /// Takes over what is selected in the graph.
  void graphShown(int snapshot) override;
  void engineRecovered(int steps) override;
  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;
  bool isSettled() const override;

signals:
  /// By the user's hand, in graph or text; noNode: nothing is selected.
  void selectionMoved(qint64 id);
  /// An op of the snapshot on screen, or a line of a snapshot, is to be gone to.
  void opRequested(qint64 id);
  void lineRequested(int snapshot, int line);
  void frontChanged();
  /// A line of the text in the place of the IR is to be gone to.
  void frontLineRequested(int line);
  /// The text has moved to what is selected.
  void placeShown();
  /// Where it was decided what is fused in an op of the snapshot on screen is asked for.
  void decisionRequested(qint64 op);
  /// The menu of an op in the text is about to be shown; others may add to it.
  void menuShown(QMenu *menu, qint64 id);
  /// An op of the snapshot on screen, or noNode.
  void selectionChanged(int snapshot, qint64 id);

private:
  void buildViews();
  void addCommands();
  void connectViews();
  void dropTexts();
  void zoom(double factor);
  void addTextCommands();
  void goToChange(void (DiffView::*go)());
  void setDiffVisible(bool visible);
  void requestDiff();
  void explainNoDiff();
  QString nameOf(int snapshot) const;
  void showDiff(Sides sides, const DiffData &diff);
  void requestDetails(NodeId id);
  void connectDetails();
  void selectLine(int line);
  void textLoaded(int snapshot);
  void requestMenu(int line, const QPoint &place);
  void showMenu(NodeId op, const QPoint &place);

  ViewsController &views_;
  StepsController &steps_;
  GraphView &graph_;
  TextView *text_, *front_;
  QStackedWidget *pages_;
  DiffView *diff_;
  SidesBar *bar_;
  DetailsModel details_;
  DetailsPanel *panel_;
  SnapshotTexts texts_;
  QAction *wrap_, *fold_, *unified_;
  QMenu *menu_ = nullptr; ///< how texts are read
  int snapshot_ = 0;
  std::optional<protocol::Step> step_; ///< that led to snapshot_, or what a schedule did
  int compared_ = -1;                  ///< with what is on screen, in place of what was before the step
  bool diffVisible_ = false;           ///< it is only asked for while it can be seen
  bool loadingDiff_ = false;
  QTimer detailsRest_; ///< Details has been empty since it was started
  bool loadingDetails_ = false;
  std::optional<Sides> diffSides_; ///< shown or asked for
  NodeId selected_ = noNode;
  int selectedLine_ = -1;
  bool selectionFromText_ = false;
  std::optional<TextPlace> place_; ///< to be shown as soon as the text is there
  int wantedLine_ = -1;            ///< the same, with its op
  int seenLine_ = -1;              ///< the same, in sight
};

} // namespace fuselage
