#include "app/gui/mesh/MeshController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/mesh/MeshPanel.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/MeshMethods.h"
#include "views/graph/GraphView.h"
#include <QDockWidget>

using namespace Qt::StringLiterals;

namespace fuselage {

MeshController::MeshController(Shell &shell, GraphController &graph, TextController &text)
    : Controller(shell), panel_([this] { return new MeshPanel(&model_); }),
      dock_(shell.docks().add({.name = u"mesh"_s, .title = tr("Mesh"), .beside = u"run"_s, .extent = 300},
                              panel_.place())),
      graph_(graph), text_(text) {
  panel_.tell(
      [this](const MeshPanel &panel) { connect(&panel, &MeshPanel::rowSelected, this, &MeshController::select); });
  connect(dock_, &QDockWidget::visibilityChanged, this, &MeshController::setVisible);
  connect(&text_, &TextController::selectionChanged, this, [this](int snapshot, qint64 op) {
    if (isVisible_ && snapshot == reported_ && op != noNode)
      if (const int row = model_.rowOf(op); row >= 0)
        panel_->setCurrentRow(row);
  });
}

MeshPanel &MeshController::panel() { return panel_.get(); }

void MeshController::raise() { shell().docks().raise(dock_, 0.45); }

void MeshController::setVisible(bool visible) {
  isVisible_ = visible;
  if (visible && reported_ != snapshot_)
    request();
  mark();
}

void MeshController::opened(const protocol::Document &) {
  snapshot_ = 0;
  reported_ = -1;
  model_.setReport({});
  if (isVisible_)
    request();
}

void MeshController::stepsReplaced(int) {
  reported_ = -1;
  if (isVisible_)
    request();
}

void MeshController::stepShown(const ShownStep &step) {
  if (step.snapshot == snapshot_ && reported_ == snapshot_)
    return;
  snapshot_ = step.snapshot;
  if (isVisible_)
    request();
}

void MeshController::graphShown(int) { mark(); }

void MeshController::engineRecovered(int) {
  if (isVisible_ && reported_ != snapshot_)
    request();
}

void MeshController::request() {
  if (!session().hasDocument())
    return;
  session().client().call<method::ReportMeshes>(
      {.snapshot = snapshot_}, this, [this](const protocol::MeshReport &report) { take(report); },
      [this](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          panel_->setMessage(tr("There is no report"), error.message);
      },
      u"meshes"_s);
}

void MeshController::take(const protocol::MeshReport &report) {
  if (report.snapshot != snapshot_)
    return;
  reported_ = report.snapshot;
  model_.setReport(report);
  panel_->showReport();
  if (const int row = model_.rowOf(text_.selected()); row >= 0)
    panel_->setCurrentRow(row);
  mark();
}

void MeshController::select(int row) {
  const protocol::MeshValue *value = model_.valueAt(row);
  const protocol::MeshCollective *collective = model_.collectiveAt(row);
  if (reported_ != snapshot_ || (!value && !collective))
    return;
  if (value && value->place != protocol::MeshPlace::Result)
    text_.goToLine(value->line - 1);
  else
    text_.select(value ? value->op : collective->op, true);
}

void MeshController::mark() {
  GraphView &view = graph_.view();
  QList<NodeMark> marks;
  if (isVisible_ && graph_.scenes().shownSnapshot() == reported_)
    for (const protocol::MeshCollective &collective : model_.report().collectives)
      if (!collective.isAnnotation)
        marks.append({.id = view.scene().hiddenOps.value(collective.op, collective.op),
                      .kind = MarkKind::Read,
                      .text = MeshModel::badgeOf(collective),
                      .what = tr("collectives")});
  view.setMeshMarks(marks);
}

} // namespace fuselage
