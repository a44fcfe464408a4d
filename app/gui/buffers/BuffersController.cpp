#include "app/gui/buffers/BuffersController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/reasons/ReasonHelp.h"
#include "app/gui/run/RunController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/graph/GraphView.h"
#include "views/panels/BuffersPanel.h"
#include "views/panels/RunPanel.h"
#include "views/text/TextView.h"
#include <QDockWidget>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Reports of large modules are large: those of a few steps are kept.
static constexpr qsizetype keptReports = 16;

BuffersController::BuffersController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                                     RunController &run)
    : Controller(shell), panel_([this] { return new BuffersPanel(&model_); }), graph_(graph.view()), text_(text.view()),
      run_(run) {
  reasons_ = new ReasonHelp(
      shell, ReasonHelp::Reasons::Buffers,
      tr("Why is there a copy here? Each reason has a page: what it means, the smallest example, and what may help."),
      this);
  dock_ = shell.docks().add({.name = u"buffers"_s, .title = tr("Buffers"), .shortcut = u"Alt+9"_s, .beside = u"run"_s},
                            panel_.place());
  reasonDock_ = shell.docks().add(
      {.area = Qt::RightDockWidgetArea, .name = u"copyReasons"_s, .title = tr("Why Copied"), .beside = u"details"_s},
      reasons_->place());
  panel_.tell([this, &text](BuffersPanel &panel) {
    panel.setObjectName("buffers"_L1);
    connect(&panel, &BuffersPanel::rowSelected, this, &BuffersController::select);
    connect(&panel, &BuffersPanel::opActivated, &text, [&text](qint64 op) { text.select(op, true); });
    connect(&panel, &BuffersPanel::helpRequested, this, &BuffersController::explain);
  });
  connect(&steps.model(), &QAbstractItemModel::modelReset, this, &BuffersController::reset);
  run.tellPanel([this](RunPanel &panel) {
    connect(&panel, &RunPanel::sizesChanged, this, &BuffersController::sizesChanged);
    connect(&panel, &RunPanel::functionChanged, this, &BuffersController::sizesChanged);
  });
  connect(dock_, &QDockWidget::visibilityChanged, this, &BuffersController::setVisible);
}

BuffersPanel &BuffersController::panel() { return panel_.get(); }

void BuffersController::raise() { shell().docks().raise(dock_); }

void BuffersController::explain(const QString &code) {
  shell().docks().raise(reasonDock_);
  reasons_->explain(code);
}

void BuffersController::reset() {
  reports_.clear();
  peaks_.clear();
  stale_ = true;
  panel_.tell(u"message"_s, [](BuffersPanel &panel) {
    panel.setMessage(tr("Nothing to report"), tr("Open a module to see where it copies."));
  });
  // Which snapshot is shown next, is told by then.
  QTimer::singleShot(0, this, [this] {
    if (stale_ && visible_)
      request();
  });
}

void BuffersController::sizesChanged() {
  reports_.clear();
  peaks_.clear();
  stale_ = true;
  if (visible_)
    request();
}

/// What a report is asked for: of a snapshot, with the sizes that the run panel was given.
protocol::Request<method::ReportBuffers> BuffersController::requestOf(int snapshot) const {
  protocol::Request<method::ReportBuffers> request{.snapshot = snapshot, .sizes = run_.dynamicSizes()};
  if (!request.sizes.isEmpty())
    request.sizedFunction = run_.panel().function();
  return request;
}

void BuffersController::stepShown(const ShownStep &step) {
  const int before = step.step ? step.step->before : -1;
  if (step.snapshot == snapshot_ && before == before_ && !stale_)
    return;
  snapshot_ = step.snapshot;
  before_ = before;
  if (visible_)
    request();
  else
    mark();
}

void BuffersController::setVisible(bool visible) {
  visible_ = visible;
  if (visible && (stale_ || model_.report().snapshot != snapshot_))
    request();
  mark();
}

void BuffersController::request() {
  if (snapshot_ < 0 || !session().hasDocument())
    return;
  stale_ = false;
  if (const auto known = reports_.constFind(snapshot_); known != reports_.constEnd()) {
    present(*known);
    return;
  }
  panel_->setMessage(tr("Bufferizing\u2026"), tr("A copy of the module is bufferized to see where it copies."));
  session().client().call<method::ReportBuffers>(
      requestOf(snapshot_), this,
      [this](const protocol::BuffersReport &report) {
        if (reports_.size() >= keptReports)
          reports_.clear();
        reports_.insert(report.snapshot, report);
        peaks_.insert(report.snapshot, report.peaks);
        if (report.snapshot == snapshot_)
          present(report);
      },
      [this](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          panel_->setMessage(tr("There is no report"), error.message);
      },
      u"buffers"_s);
}

void BuffersController::present(const protocol::BuffersReport &report) {
  row_ = -1;
  panel_->setReport(report);
  requestBefore();
  mark();
}

void BuffersController::requestBefore() {
  if (before_ < 0)
    return;
  if (const auto known = peaks_.constFind(before_); known != peaks_.constEnd()) {
    panel_->setBefore(*known);
    return;
  }
  protocol::Request<method::ReportBuffers> request = requestOf(before_);
  request.peaksOnly = true;
  session().client().call<method::ReportBuffers, protocol::SnapshotPeaks>(
      request, this,
      [this](const protocol::SnapshotPeaks &before) {
        peaks_.insert(before.snapshot, before.peaks);
        if (before.snapshot == before_ && model_.report().snapshot == snapshot_)
          panel_->setBefore(before.peaks);
      },
      [](const protocol::Error &) {}, // the bars stand alone
      u"buffersBefore"_s);
}

void BuffersController::select(int row) {
  row_ = row;
  mark();
}

void BuffersController::graphShown(int snapshot) {
  graphSnapshot_ = snapshot;
  mark();
}

/// The ops of the selected row's conflict, where they are on screen.
void BuffersController::mark() {
  QList<NodeMark> nodes;
  QList<LineMark> lines;
  const protocol::BuffersReport &report = model_.report();
  const auto add = [&](MarkKind kind, qint64 node, qint64 op, const QString &text, int operand) {
    const QString name = opName(report, op);
    nodes.append(
        {.id = node,
         .kind = kind,
         .text = text,
         .what = operand >= 0 ? tr("%1: %2, operand %3").arg(text, name).arg(operand) : tr("%1: %2").arg(text, name)});
    if (const protocol::BufferOp *found = report.op(op))
      lines.append({.line = found->line, .kind = kind, .text = text});
  };
  const bool shown = visible_ && report.snapshot >= 0 && report.snapshot == snapshot_;
  if (const protocol::BufferOperand *operand = shown ? model_.operandAt(row_) : nullptr) {
    const protocol::BufferConflict &conflict = operand->conflict;
    const bool isRead = conflict.read.op >= 0;
    if (conflict.write.op != operand->place.op)
      add(MarkKind::Subject, operand->place.op, operand->place.op,
          operand->buffer >= 0 ? tr("copied for") : tr("selected"), operand->place.operand);
    if (isRead)
      add(MarkKind::Read, conflict.read.op, conflict.read.op, tr("read"), conflict.read.operand);
    if (conflict.write.op >= 0)
      add(MarkKind::Write, conflict.write.op, conflict.write.op, tr("conflicting write"), conflict.write.operand);
    if (conflict.definition >= 0)
      add(MarkKind::Definition, report.nodeOf(conflict), conflict.definition,
          isRead ? tr("last write") : tr("read-only"), -1);
    if (conflict.argument >= 0)
      nodes.last().what = tr("%1: argument %2 of %3")
                              .arg(nodes.last().text)
                              .arg(conflict.argument)
                              .arg(opName(report, conflict.definition));
  } else if (const protocol::BufferMove *move = shown ? model_.moveAt(row_) : nullptr) {
    add(MarkKind::Subject, move->op, move->op, tr("moves data"), -1);
  }
  text_.setLineMarks(lines);
  graph_.setNodeMarks(graphSnapshot_ == snapshot_ ? nodes : QList<NodeMark>());
  if (lines.isEmpty())
    return;
  text_.scrollToLine(lines.first().line);
  if (graphSnapshot_ == snapshot_)
    graph_.reveal(nodes.first().id, false);
}

} // namespace fuselage
