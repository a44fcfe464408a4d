#include "app/gui/graph/SideGraph.h"
#include "app/gui/graph/GraphController.h"
#include "views/graph/GraphTitle.h"
#include "views/graph/GraphView.h"
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

SideGraph::SideGraph(EngineSession &session, GraphController &main, QWidget *bar, QObject *parent)
    : QObject(parent), main_(main), view_(new GraphView),
      scenes_(new GraphScenes(session, *view_, this, u"sideScene"_s)), title_(new GraphTitle),
      mainTitle_(new GraphTitle), pane_(new QWidget), bar_(bar) {
  view_->setObjectName("sideGraph"_L1);
  view_->setAccessibleName(tr("Graph of the step on the left"));
  auto *layout = new QVBoxLayout(pane_);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(title_);
  layout->addWidget(view_, 1);
  main.setBeside(bar, pane_, mainTitle_);
  connect(scenes_, &GraphScenes::shown, this, [this] {
    followMain();
    showTitles();
  });
  connect(scenes_, &GraphScenes::failed, this, [this](const protocol::Error &error) {
    view_->clear();
    view_->setEmptyText(tr("The graph cannot be drawn"), error.message);
  });
  connect(&main.scenes(), &GraphScenes::shown, this, [this] {
    followMain();
    showTitles();
  });
  connect(&main.scenes(), &GraphScenes::changesKnown, this, &SideGraph::showTitles);
  // Both are drawn alike.
  connect(&main.scenes(), &GraphScenes::drawnOtherwise, this, [this] {
    if (visible_)
      scenes_->drawAs(main_.scenes());
  });
  connect(scenes_, &GraphScenes::drawnOtherwise, this, [this] { main_.scenes().drawAs(*scenes_); });
  // What is selected in one is shown in the other.
  connect(&main.view(), &GraphView::selectionChanged, this, &SideGraph::followMain);
  connect(view_, &GraphView::selectionChanged, this, [this](qint64 id) {
    const QScopedValueRollback leads(leads_, true);
    if (id != noNode)
      emit partnerMeant(scenes_->partnerOf(id));
  });
}

void SideGraph::compare(Sides sides, const QString &first, const QString &second) {
  first_ = first;
  second_ = second;
  showTitles();
  if (!visible_ || sides == sides_)
    return;
  sides_ = sides;
  if (sides.areThere())
    return scenes_->show(sides.before, sides);
  view_->clear();
  view_->setEmptyText(tr("Nothing to compare"),
                      tr("Choose a step on the left, or select one that has something before it."));
}

void SideGraph::setVisible(bool visible) {
  visible_ = visible;
  bar_->setVisible(visible);
  pane_->setVisible(visible);
  mainTitle_->setVisible(visible);
  sides_ = revealed_ = {};
  if (visible)
    scenes_->drawAs(main_.scenes());
  else
    reset();
}

void SideGraph::reset() {
  sides_ = {};
  scenes_->reset();
  view_->clear();
  title_->clear();
  mainTitle_->clear();
}

void SideGraph::refresh() {
  if (visible_ && sides_.areThere())
    scenes_->refresh();
}

void SideGraph::followMain() {
  if (!visible_ || leads_ || scenes_->shownSnapshot() != sides_.before ||
      main_.scenes().shownSnapshot() != sides_.after)
    return;
  if (main_.view().currentNode() == noNode && std::exchange(revealed_, sides_) != sides_)
    return revealFirst();
  const NodeId there = main_.scenes().partnerOf(main_.view().currentNode());
  const NodeId shown = view_->scene().hiddenOps.value(there, there);
  view_->setSelection(shown == noNode ? QList<NodeId>() : QList<NodeId>{shown}, true);
}

static NodeId firstMarked(const GraphView &view, const QHash<NodeId, Change> &marked) {
  const NodeData *first = nullptr;
  for (const NodeData &node : view.scene().nodes)
    if (marked.contains(node.id) && (!first || node.rect.top() < first->rect.top()))
      first = &node;
  return first ? first->id : noNode;
}

/// What is different is on screen at once, wherever the graphs are long.
void SideGraph::revealFirst() {
  const NodeId here = firstMarked(*view_, scenes_->marked()),
               there = firstMarked(main_.view(), main_.scenes().marked());
  const auto revealOr = [](GraphView &view, NodeId id, NodeId partner) {
    if (const NodeId shown = id != noNode ? id : partner; shown != noNode)
      view.reveal(shown, false);
  };
  revealOr(*view_, here, main_.scenes().partnerOf(there));
  revealOr(main_.view(), there, scenes_->partnerOf(here));
}

void SideGraph::showTitles() {
  const bool areThere = sides_.areThere();
  title_->show(first_,
               areThere && scenes_->shownSnapshot() == sides_.before ? scenes_->marked() : QHash<NodeId, Change>());
  mainTitle_->show(second_, areThere ? main_.scenes().marked() : QHash<NodeId, Change>());
}

} // namespace fuselage
