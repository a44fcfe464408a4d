#include "app/gui/graph/GraphController.h"
#include "views/graph/GraphView.h"
#include "views/widgets/Breadcrumb.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

GraphController::GraphController(Shell &shell)
    : Controller(shell), view_(new GraphView), scenes_(new GraphScenes(session(), *view_, this)),
      outline_(new ModelOutline(session(), this)), breadcrumb_(new Breadcrumb), split_(new QSplitter) {
  view_->setObjectName("graph"_L1);
  view_->setAccessibleName(tr("Dispatch graph"));
  view_->setEmptyText(tr("No module is open"),
                      tr("Open a module, a pass-by-pass log or a folder of dumps, or drop one here."));
  auto *place = new QWidget;
  auto *layout = new QVBoxLayout(place);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(breadcrumb_);
  split_->setObjectName("graphs"_L1);
  split_->setChildrenCollapsible(false);
  split_->addWidget(view_);
  layout->addWidget(split_, 1);
  place->setFocusProxy(view_);
  breadcrumb_->setObjectName("breadcrumb"_L1);
  shell.centre().setView(View::Graph, place);
  makeActions();
  placeActions();
  addKeys();
  connectActions();
  connect(view_, &GraphView::contextMenuRequested, this, &GraphController::showMenu);
  connect(scenes_, &GraphScenes::shown, this, &GraphController::sceneShown);
  connect(outline_, &ModelOutline::changed, this, [this] { showPlace(place_); });
  connect(breadcrumb_, &Breadcrumb::activated, this, [this](int part) { goToPart(crumbs_.value(part)); });
  connect(view_, &GraphView::clusterToggled, this, [this](qint64 id, bool collapse) {
    if (!collapse)
      showPlace(id);
  });
  connect(scenes_, &GraphScenes::failed, this, [this](const protocol::Error &error) {
    view_->setEmptyText(tr("The graph cannot be drawn"), error.message);
  });
  connect(scenes_, &GraphScenes::cancelled, this, [this] {
    view_->setEmptyText(tr("The graph was not drawn"),
                        tr("You cancelled it. Reload the file (F5) to draw it, or read the IR as text."));
    this->shell().tell(tr("Drawing the graph was cancelled"));
  });
}

void GraphController::setBeside(QWidget *bar, QWidget *left, QWidget *title) {
  static_cast<QVBoxLayout *>(split_->parentWidget()->layout())->insertWidget(0, bar);
  auto *pane = new QWidget;
  auto *layout = new QVBoxLayout(pane);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(title);
  layout->addWidget(view_, 1);
  split_->addWidget(left);
  split_->addWidget(pane);
  pane->show();
  split_->setSizes({1 << 16, 1 << 16});
}

void GraphController::makeActions() {
  Actions &a = actions_;
  a.levelOps = toggle(tr("Show &Ops"), u"ops"_s, {QKeySequence(u"Ctrl+Shift+O"_s)});
  a.levelDispatches = toggle(tr("Show &Dispatches"), u"dispatches"_s, {QKeySequence(u"Ctrl+Shift+D"_s)});
  a.levelOps->setIconText(tr("Ops"));
  a.levelDispatches->setIconText(tr("Dispatches"));
  exclude({a.levelOps, a.levelDispatches});
  a.levelOps->setChecked(true);
  a.layoutLayered = toggle(tr("&Layered Layout"), u"layered"_s);
  a.layoutDot = toggle(tr("&Graphviz Layout"), u"dot"_s);
  a.layoutDot->setToolTip(tr("Layout by Graphviz dot"));
  exclude({a.layoutLayered, a.layoutDot});
  a.layoutLayered->setChecked(true);
  a.foldConstants = toggle(tr("Fold &Weights and Constants"), u"constants"_s);
  a.foldConstants->setToolTip(tr("Draw weights and constants as notches of the ops that read them"));
  remember(a.foldConstants, u"foldConstants"_s);
  a.repeatsAuto = toggle(tr("&Automatic"), {}, {QKeySequence(u"Ctrl+Shift+L"_s)});
  a.repeatsAuto->setToolTip(tr("Collapse layers and other parts of the model where there would be many nodes"));
  a.repeatsCollapse = toggle(tr("&Collapsed, with a Count"), {}, {QKeySequence(u"Ctrl+Shift+K"_s)});
  a.repeatsExpand = toggle(tr("&Expanded"), {}, {QKeySequence(u"Ctrl+Shift+X"_s)});
  exclude({a.repeatsAuto, a.repeatsCollapse, a.repeatsExpand});
  a.repeatsAuto->setChecked(true);
  a.fit = command(tr("&Fit"), u"fit"_s, {QKeySequence(u"Ctrl+Shift+F"_s)});
  a.fit->setToolTip(tr("Fit the graph into the view (F)"));
  a.fitSelection = command(tr("Zoom to S&election"), u"fit"_s, {QKeySequence(u"Ctrl+Alt+F"_s)});
  a.fitSelection->setToolTip(tr("Fit what is selected into the view (Shift+F)"));
  a.fitNeighbours = command(tr("Zoom to Neigh&bors"), {}, {QKeySequence(u"Ctrl+Alt+N"_s)});
  a.fitNeighbours->setToolTip(tr("Fit what is selected, what it reads and what reads it (B)"));
  a.minimap = toggle(tr("&Minimap"), u"minimap"_s);
  a.minimap->setToolTip(tr("Minimap (M)"));
  remember(a.minimap, u"minimap"_s);
  a.trace = toggle(tr("&Trace"), u"trace"_s);
  a.trace->setToolTip(tr("Follow inputs and outputs of the selection (T)"));
}

void GraphController::placeActions() {
  const Actions &a = actions_;
  Menus &menus = shell().menus();
  menus.add(Place::ViewLevel, {a.levelOps, a.levelDispatches});
  menus.add(Place::ViewLayout, {a.layoutLayered, a.layoutDot, a.foldConstants});
  menus.addMenu(Place::ViewLayout, tr("&Repeated Layers"))
      ->addActions({a.repeatsAuto, a.repeatsCollapse, a.repeatsExpand});
  menus.add(Place::ViewFit, {a.fit, a.fitSelection, a.fitNeighbours});
  menus.add(Place::ViewMarks, {a.minimap, a.trace});
  menus.add(Place::BarLevel, {a.levelOps, a.levelDispatches});
}

void GraphController::addKeys() {
  const QString graph = tr("In the graph");
  shell().menus().addKeys({
      {graph,
       tr("Walk along edges; with Shift: pan"),
       {QKeySequence(Qt::Key_Up), QKeySequence(Qt::Key_Down), QKeySequence(Qt::Key_Left), QKeySequence(Qt::Key_Right)}},
      {graph, tr("Zoom in, out, to 100 %"), {QKeySequence(u"+"_s), QKeySequence(u"-"_s), QKeySequence(u"0"_s)}},
      {graph,
       tr("Fit everything; the selection; the selection and its neighbors"),
       {QKeySequence(u"F"_s), QKeySequence(u"Shift+F"_s), QKeySequence(u"B"_s)}},
      {graph,
       tr("Trace both ways, inputs, outputs"),
       {QKeySequence(u"T"_s), QKeySequence(u"I"_s), QKeySequence(u"O"_s)}},
      {graph, tr("Minimap"), {QKeySequence(u"M"_s)}},
      {graph, tr("Collapse or expand a cluster"), {QKeySequence(Qt::Key_Space)}},
      {graph, tr("Menu of the selected edge or op"), {QKeySequence(Qt::Key_Menu)}},
      {graph, tr("Clear trace and selection"), {QKeySequence(Qt::Key_Escape)}},
  });
}

void GraphController::connectActions() {
  const Actions &a = actions_;
  for (QAction *option : {a.levelDispatches, a.layoutDot, a.foldConstants})
    connect(option, &QAction::toggled, this, &GraphController::applyOptions);
  for (QAction *repeats : {a.repeatsAuto, a.repeatsCollapse, a.repeatsExpand})
    on(repeats, [this] { applyOptions(); });
  on(a.fit, [this] { view_->fit(); });
  on(a.fitSelection, [this] { view_->fitSelection(); });
  on(a.fitNeighbours, [this] { view_->fitNeighbours(); });
  connect(a.minimap, &QAction::toggled, view_, &GraphView::setMinimapVisible);
  on(a.trace, [this](bool trace) { view_->setTrace(trace ? Trace::Both : Trace::None); });
  connect(view_, &GraphView::minimapVisibleChanged, a.minimap, &QAction::setChecked);
  connect(view_, &GraphView::traceChanged, this,
          [this](Trace trace) { actions_.trace->setChecked(trace != Trace::None); });
}

void GraphController::applyOptions() {
  using Repeats = GraphOptions::Repeats;
  scenes_->setOptions({.dispatches = actions_.levelDispatches->isChecked(),
                       .dot = actions_.layoutDot->isChecked(),
                       .foldConstants = actions_.foldConstants->isChecked(),
                       .repeats = actions_.repeatsExpand->isChecked()     ? Repeats::Expand
                                  : actions_.repeatsCollapse->isChecked() ? Repeats::Collapse
                                                                          : Repeats::Auto});
}

NodeId GraphController::find(const QString &label) const {
  for (const NodeData &node : view_->scene().nodes)
    if (!label.isEmpty() && node.title.contains(label))
      return node.id;
  return noNode;
}

void GraphController::sceneShown(int snapshot) {
  outline_->request(snapshot);
  view_->setEmptyText(tr("No graph"), tr("There is no function with a body here."));
  if (wantedSight_.snapshot == snapshot && snapshot >= 0) {
    const Sight sight = std::exchange(wantedSight_, {});
    view_->lookFrom(sight.corner, sight.scale);
  }
  if (wantedPart_ >= 0)
    revealPart(std::exchange(wantedPart_, -1));
}

QList<NodeId> GraphController::clustersAround(int row) const {
  QList<NodeId> clusters;
  for (const int part : outline_->pathOfRow(row)) {
    const protocol::OutlineRow &data = outline_->rows()[part];
    if (data.outside != -1)
      clusters.append(data.outside);
    if (part > 0)
      clusters.append(data.cluster);
  }
  return clusters;
}

void GraphController::openAround(NodeId op) {
  const QList<int> path = outline_->pathTo(op);
  if (!path.isEmpty())
    scenes_->expand(clustersAround(path.last()));
}

void GraphController::goToPart(int row) {
  const QList<NodeId> clusters = clustersAround(row);
  if (clusters.isEmpty()) {
    showCrumbs({0});
    view_->fit();
  } else if (scenes_->expand(clusters)) {
    wantedPart_ = row;
  } else {
    revealPart(row);
  }
}

/// The box of the part; its ops, where it has no box of its own.
void GraphController::revealPart(int row) {
  if (row >= outline_->rows().size())
    return;
  const protocol::OutlineRow &part = outline_->rows()[row];
  emit opChosen(part.node, false);
  if (!view_->rectOf(part.cluster).isNull()) {
    view_->fitTo(part.cluster);
  } else {
    QList<NodeId> inside;
    for (const NodeData &node : view_->scene().nodes)
      if (outline_->pathTo(node.id).contains(row))
        inside.append(node.id);
    if (!inside.isEmpty()) {
      view_->setSelection(inside, false);
      view_->fitSelection();
    }
  }
  showCrumbs(outline_->pathOfRow(row));
}

void GraphController::showPlace(NodeId id) {
  place_ = id;
  const QList<int> path = outline_->pathTo(id);
  showCrumbs(path.isEmpty() ? QList<int>{0} : path);
}

void GraphController::showCrumbs(const QList<int> &rows) {
  crumbs_ = rows;
  QStringList parts;
  if (outline_->hasScopes())
    for (const int row : rows)
      parts.append(row == 0 ? tr("model") : outline_->rows()[row].label);
  breadcrumb_->setParts(parts);
}

void GraphController::documentReset() {
  outline_->clear();
  wantedPart_ = -1;
  wantedSight_ = {};
  place_ = noNode;
  showCrumbs({});
  scenes_->reset();
  view_->clear();
  view_->setEmptyText(tr("Loading…"), {});
}

void GraphController::sessionChanged() {
  if (session().state() != EngineSession::State::Opening || scenes_->shownSnapshot() >= 0)
    return;
  view_->setEmptyText(tr("Loading…"), {});
  scenes_->askAhead();
}

void GraphController::saveDocument(QJsonObject &state) const {
  if (scenes_->shownSnapshot() < 0)
    return;
  state.insert("graph"_L1, QJsonObject{{u"level"_s, actions_.levelDispatches->isChecked() ? u"dispatches"_s : u"ops"_s},
                                       {u"layout"_s, actions_.layoutDot->isChecked() ? u"dot"_s : u"layered"_s},
                                       {u"boxes"_s, scenes_->toggledBoxes()},
                                       {u"snapshot"_s, scenes_->shownSnapshot()},
                                       {u"x"_s, view_->corner().x()},
                                       {u"y"_s, view_->corner().y()},
                                       {u"zoom"_s, view_->zoom()}});
}

void GraphController::restoreDocument(const QJsonObject &state) {
  const QJsonObject graph = state.value("graph"_L1).toObject();
  if (graph.isEmpty())
    return;
  (graph.value("level"_L1) == "dispatches"_L1 ? actions_.levelDispatches : actions_.levelOps)->setChecked(true);
  (graph.value("layout"_L1) == "dot"_L1 ? actions_.layoutDot : actions_.layoutLayered)->setChecked(true);
  wantedSight_ = {.snapshot = graph.value("snapshot"_L1).toInt(-1),
                  .corner = QPointF(graph.value("x"_L1).toDouble(), graph.value("y"_L1).toDouble()),
                  .scale = std::clamp(graph.value("zoom"_L1).toDouble(1), 0.002, 6.0)};
  scenes_->toggleBoxes(graph.value("boxes"_L1).toObject());
}

void GraphController::stepsReplaced(int) { scenes_->dropSteps(); }
void GraphController::stepShown(const ShownStep &step) {
  scenes_->show(step.snapshot, step.step ? Sides{.before = step.step->before, .after = step.step->after} : Sides());
}
void GraphController::engineRecovered(int) { scenes_->refresh(); }

void GraphController::showMenu(qint64 id, const QPoint &position) {
  QMenu menu(&shell().window());
  if (id != noNode) {
    menu.addAction(tr("Show in IR"), this, [this, id] { emit opChosen(id, true); });
    menu.addAction(lineIcon(u"copy"_s), tr("Copy Name"), this,
                   [this, id] { QApplication::clipboard()->setText(scenes_->nameOf(scenes_->snapshot(), id)); });
    const auto traceFrom = [this, id](Trace trace) {
      emit opChosen(id, false);
      view_->setTrace(trace);
    };
    if (const bool shown = scenes_->showsPorts(id); shown || view_->hasPorts(id))
      menu.addAction(shown ? tr("Show Weights as Notches") : tr("Show Weights as Nodes"), this,
                     [this, id, shown] { scenes_->showPorts(id, !shown); });
    menu.addSeparator();
    menu.addAction(tr("Trace Inputs"), this, [traceFrom] { traceFrom(Trace::Inputs); });
    menu.addAction(tr("Trace Outputs"), this, [traceFrom] { traceFrom(Trace::Outputs); });
    menu.addAction(tr("Trace Both"), this, [traceFrom] { traceFrom(Trace::Both); });
    menu.addSeparator();
    emit menuShown(&menu, id);
    menu.addSeparator();
  }
  menu.addActions({actions_.fit, actions_.fitSelection, actions_.fitNeighbours});
  menu.addSeparator();
  menu.addActions({actions_.levelOps, actions_.levelDispatches, actions_.foldConstants});
  menu.addSeparator();
  menu.addActions(menuEnd_);
  menu.exec(position);
}

} // namespace fuselage
