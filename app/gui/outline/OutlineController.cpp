#include "app/gui/outline/OutlineController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/GraphMethods.h"
#include "views/graph/GraphView.h"
#include "views/panels/OutlinePanel.h"
#include <QDockWidget>
#include <QTimer>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace fuselage {

OutlineController::OutlineController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text)
    : Controller(shell), panel_(new OutlinePanel(&model_)), dock_(shell.docks().add({.area = Qt::LeftDockWidgetArea,
                                                                                     .name = u"outline"_s,
                                                                                     .title = tr("Outline"),
                                                                                     .shortcut = u"Alt+0"_s,
                                                                                     .beside = u"steps"_s,
                                                                                     .isOpen = true,
                                                                                     .keepsKeyboard = true},
                                                                                    panel_)),
      graph_(graph), text_(text) {
  const QString keys = tr("In the outline");
  shell.menus().addKeys(
      {{keys, tr("Go there in graph and text"), {QKeySequence(Qt::Key_Return)}},
       {keys, tr("Open and close a part"), {QKeySequence(Qt::Key_Right), QKeySequence(Qt::Key_Left)}}});
  connect(panel_, &OutlinePanel::rowSelected, this, &OutlineController::select);
  connect(panel_, &OutlinePanel::rowActivated, this, &OutlineController::reveal);
  connect(panel_, &OutlinePanel::rowExpanded, this, &OutlineController::expand);
  connect(&text_, &TextController::selectionChanged, this, [this](int snapshot, qint64 op) {
    const bool isOurs = panel_->tree()->hasFocus();
    if (snapshot == snapshot_ && !stale_ && !isOurs)
      panel_->setCurrentRow(model_.rowOf(op));
  });
  connect(&session(), &EngineSession::runFinished, this, [this](const protocol::RunReport &report) {
    report_ = report;
    ranProgram_ = session().programKey();
    showTimes();
  });
  connect(&session(), &EngineSession::recordingStarted, this, &OutlineController::showTimes);
  connect(&session(), &EngineSession::historyMoved, this, &OutlineController::showTimes);
  connect(&session(), &EngineSession::fused, this, &OutlineController::showTimes);
  connect(&steps.model(), &QAbstractItemModel::modelReset, this, [this] {
    stale_ = true;
    // Which snapshot is shown next, is told by then.
    QTimer::singleShot(0, this, &OutlineController::request);
  });
  connect(dock_, &QDockWidget::visibilityChanged, this, &OutlineController::request);
  // The graph is on screen first: of a large module both take their time.
  connect(&graph.scenes(), &GraphScenes::loadingChanged, this, &OutlineController::request);
}

void OutlineController::raise() { shell().docks().raise(dock_); }

void OutlineController::opened(const protocol::Document &) {
  report_ = {};
  ranProgram_.clear();
  revealed_ = -1;
  showTimes();
}

void OutlineController::stepShown(const ShownStep &step) {
  if (step.snapshot != snapshot_) {
    stale_ = true;
    if (asked_)
      session().client().cancel(request_);
  }
  snapshot_ = step.snapshot;
  request();
}

void OutlineController::request() {
  if (!stale_ || !dock_->isVisible() || !session().hasDocument() || snapshot_ < 0 || !graph_.scenes().isSettled())
    return;
  stale_ = false;
  asked_ = true;
  revealed_ = -1;
  request_ = session().client().call<method::GraphOutline>(
      {.snapshot = snapshot_}, this,
      [this](const protocol::Outline &outline) {
        asked_ = false;
        if (outline.snapshot == snapshot_)
          present(outline);
      },
      [this](const protocol::Error &error) {
        asked_ = false;
        if (error.code == protocol::Error::Cancelled)
          return;
        stale_ = error.code == protocol::Error::EngineGone;
        model_.setOutline({});
        panel_->setHint(tr("There is no outline"), error.message);
      },
      u"outline"_s);
}

void OutlineController::present(const protocol::Outline &outline) {
  model_.setOutline(outline);
  if (outline.rows.isEmpty())
    panel_->setHint(tr("Nothing to outline"), tr("There are no functions with ops in this step."));
  panel_->restoreOpen();
  panel_->setCurrentRow(model_.rowOf(text_.selected()));
}

/// Times hold for the program that ran, in whichever step its dispatches are.
void OutlineController::showTimes() {
  const bool holds = !ranProgram_.isEmpty() && ranProgram_ == session().programKey();
  model_.setTimes(holds ? report_.kernels : QList<protocol::Kernel>());
}

/// The op in text, tables and details, and the part of the graph that shows it.
void OutlineController::select(int row) {
  const protocol::OutlineRow &data = model_.outline().rows[row];
  GraphView &view = graph_.view();
  if (data.node >= 0)
    text_.select(data.node, true);
  // The smallest part around it that is drawn.
  for (int around = row; around >= 0; around = model_.outline().rows[around].parent) {
    const qint64 cluster = model_.outline().rows[around].cluster;
    if (cluster == -1 || view.rectOf(cluster).isNull())
      continue;
    view.reveal(cluster, around == row);
    return;
  }
}

void OutlineController::reveal(int row) {
  const protocol::OutlineRow &data = model_.outline().rows[row];
  const qint64 drawn = data.cluster != -1 ? data.cluster : data.node;
  if (drawn >= 0 && graph_.view().rectOf(drawn).isNull()) {
    expand(row);
    return;
  }
  select(row);
  graph_.view().setFocus(Qt::OtherFocusReason);
}

/// Opens it in the graph, and what is around it.
void OutlineController::expand(int row) {
  revealed_ = row;
  QList<NodeId> clusters;
  for (int around = row; around >= 0; around = model_.outline().rows[around].parent)
    for (const qint64 cluster : {model_.outline().rows[around].cluster, model_.outline().rows[around].outside})
      if (cluster != -1)
        clusters.prepend(cluster);
  if (!graph_.scenes().expand(clusters))
    graphShown(graph_.scenes().shownSnapshot()); // they all are open
}

void OutlineController::graphShown(int) {
  if (const int row = std::exchange(revealed_, -1); row >= 0 && row < model_.outline().rows.size())
    select(row);
}

} // namespace fuselage
