// The graph: its view, how it is drawn, and the menu of an op.
#pragma once
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/graph/ModelOutline.h"
#include "app/gui/shell/Controller.h"

class QMenu;
class QSplitter;

namespace fuselage {

class Breadcrumb;
class GraphView;

class GraphController : public Controller {
  Q_OBJECT
public:
  /// Commands that others reach for.
  struct Actions {
    QAction *levelOps, *levelDispatches, *layoutLayered, *layoutDot, *foldConstants;
    QAction *repeatsAuto, *repeatsCollapse, *repeatsExpand;
    QAction *fit, *fitSelection, *fitNeighbours, *minimap, *trace;
  };
  explicit GraphController(Shell &shell);

  GraphView &view() { return *view_; }
  GraphScenes &scenes() { return *scenes_; }
  ModelOutline &outline() { return *outline_; }
  Breadcrumb &breadcrumb() { return *breadcrumb_; }
  const Actions &actions() const { return actions_; }
  /// Another graph at the left of this one, with a bar over both, and a title over this one.
  void setBeside(QWidget *bar, QWidget *left, QWidget *title);
  /// A command at the end of the menu of the graph.
  void addToMenu(QAction *action) { menuEnd_.append(action); }
  /// The first op on screen whose label has this in it; noNode: none.
  NodeId find(const QString &label) const;
  /// Opens all that is around a row of the outline, and the row itself, moves there, and selects its first op.
  void goToPart(int row);
  /// Opens the boxes around an op.
  void openAround(NodeId op);
  /// The breadcrumb says where this is; noNode: in the model.
  void showPlace(NodeId id);

  void documentReset() override;
  void sessionChanged() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void engineRecovered(int steps) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  bool isSettled() const override { return scenes_->isSettled(); }

signals:
  /// An op is meant by its menu; `inText`: to be seen in the text.
  void opChosen(qint64 id, bool inText);
  /// The menu of an op is about to be shown; others may add to it.
  void menuShown(QMenu *menu, qint64 id);

private:
  void makeActions();
  void placeActions();
  void addKeys();
  void connectActions();
  void applyOptions();
  void showMenu(qint64 id, const QPoint &position);
  void sceneShown(int snapshot);
  QList<NodeId> clustersAround(int row) const;
  void revealPart(int row);
  void showCrumbs(const QList<int> &rows);

  GraphView *view_;
  GraphScenes *scenes_;
  ModelOutline *outline_;
  Breadcrumb *breadcrumb_;
  QSplitter *split_;
  QList<int> crumbs_; ///< rows of the outline
  NodeId place_ = noNode;
  int wantedPart_ = -1; ///< where to go when the picture is there
  /// Where the user looked when the document was left.
  struct Sight {
    int snapshot = -1; ///< -1: nowhere
    QPointF corner;
    double scale = 1;
  };
  Sight wantedSight_; ///< until the picture is there
  Actions actions_{};
  QList<QAction *> menuEnd_;
};

} // namespace fuselage
