// The graph of the step that is compared with, at the left of that of the step on screen, drawn as that one is.
#pragma once
#include "app/gui/graph/GraphScenes.h"

class QSplitter;

namespace fuselage {

class GraphController;
class GraphTitle;
class GraphView;

class SideGraph : public QObject {
  Q_OBJECT
public:
  /// Over both graphs stands `bar`.
  SideGraph(EngineSession &session, GraphController &main, QWidget *bar, QObject *parent = nullptr);

  GraphView &view() { return *view_; }
  GraphScenes &scenes() { return *scenes_; }
  const GraphTitle &title() const { return *title_; }
  const GraphTitle &mainTitle() const { return *mainTitle_; }
  /// What is different between two steps: marked in the graph of the first here, and in that of the second beside it.
  void compare(Sides sides, const QString &first, const QString &second);
  void setVisible(bool visible);
  bool isVisible() const { return visible_; }
  /// Nothing of the document is kept.
  void reset();
  /// Asks again, after a restart of the engine.
  void refresh();
  bool isSettled() const { return !visible_ || !sides_.areThere() || scenes_->isSettled(); }

  /// Selects what is selected in the graph of the step on screen.
  void followMain();

signals:
  /// The op of the step on screen that the user means with one of the other; noNode: it is not there any more.
  void partnerMeant(qint64 id);

private:
  void revealFirst();
  void showTitles();

  GraphController &main_;
  GraphView *view_;
  GraphScenes *scenes_;
  GraphTitle *title_, *mainTitle_;
  QWidget *pane_, *bar_;
  Sides sides_, revealed_;
  QString first_, second_;
  bool visible_ = false, leads_ = false;
};

} // namespace fuselage
