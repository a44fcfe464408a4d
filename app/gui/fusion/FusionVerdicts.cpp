#include "app/gui/fusion/FusionVerdicts.h"
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/FusionMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include "views/panels/FusionPanel.h"
#include <QScopedValueRollback>
#include <QSet>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Larger modules take seconds to judge: somebody should have asked.
static constexpr qint64 manyOps = 50'000;

FusionVerdicts::FusionVerdicts(EngineSession &session, Views views, QObject *parent)
    : QObject(parent), session_(session), views_(views) {
  const auto names = [this](qint64 op) { return views_.graphs.knownName(views_.model.report().snapshot, op); };
  views_.model.setNames(names);
  views_.panel.setNames(names);
  views_.graph.setEdgeToolTipProvider([this](int edge) { return toolTip(edge); });
  views_.graph.setToolTipProvider([this](NodeId node) {
    const int missed = missedInside_.value(node).missed;
    return missed == 0 ? QString() : tr("%1 inside").arg(counted(missed, tr("missed fusion"), tr("missed fusions")));
  });
  // Who goes through the steps does not wait for verdicts on each.
  rest_.setSingleShot(true);
  rest_.setInterval(200);
  connect(&rest_, &QTimer::timeout, this, &FusionVerdicts::request);
  connect(&views_.graph, &GraphView::edgeSelected, this, &FusionVerdicts::edgePicked);
  connect(&views_.panel, &FusionPanel::rowSelected, this, [this](int row) { selectRow(row, true); });
  connect(&views_.panel, &FusionPanel::policyChanged, this, [this] {
    asked_ = -1;
    request();
  });
  connect(&views_.panel, &FusionPanel::opActivated, this, [this](qint64 op) { views_.texts.select(op, true); });
  connect(&views_.texts, &TextController::selectionMoved, this, [this](NodeId op) {
    if (isRevealing_) // the box around the edge, which stays selected here
      return;
    // The panel follows: of an op's edges, the one that costs most.
    const int row = op == noNode ? -1 : views_.model.missedRowOf(op);
    selectedRow_ = row;
    views_.panel.setCurrentRow(row);
    sayWhere();
    emit selectionChanged();
  });
}

void FusionVerdicts::setShown(bool inGraph, bool inPanel) {
  const bool more = (inGraph && !inGraph_) || (inPanel && !inPanel_);
  const bool isMarkedOtherwise = inGraph != inGraph_;
  inGraph_ = inGraph;
  inPanel_ = inPanel;
  if (isMarkedOtherwise)
    paintMarks();
  if (more)
    request();
}

bool FusionVerdicts::wantsReport() const {
  return session_.hasDocument() && (inPanel_ || (inGraph_ && session_.document().ops <= manyOps));
}

void FusionVerdicts::reset() {
  asked_ = selectedRow_ = -1;
  present({});
}

void FusionVerdicts::leaveFor(int snapshot) {
  isLeft_ = loading_ && asked_ != snapshot;
  if (isLeft_)
    session_.client().cancel(request_);
}

void FusionVerdicts::sceneShown() {
  lines_.clear();
  // Numbers of ops mean others in another snapshot.
  if (views_.model.report().snapshot != views_.graphs.snapshot())
    present({});
  paintMarks();
  if (const int edge = lines().lineOf(selectedRow_); edge >= 0)
    views_.graph.setCurrentEdge(edge, std::exchange(revealsLine_, false));
  sayWhere();
  if (asked_ < 0 && !std::exchange(isLeft_, false))
    request();
  else
    rest_.start();
}

void FusionVerdicts::request() {
  const int snapshot = views_.graphs.snapshot();
  if (!wantsReport()) {
    const bool isLarge = session_.hasDocument() && session_.document().ops > manyOps;
    views_.panel.setHint(tr("No verdicts"), isLarge
                                                ? tr("This module is large. Open the panel to compute its verdicts.")
                                                : tr("Open a module: every value between two ops gets a verdict."));
    return;
  }
  // Trying transforms takes longer than colours should have to wait for: it comes second.
  if (asked_ == snapshot && askedProven_)
    return;
  askedProven_ = inPanel_ || asked_ == snapshot;
  asked_ = snapshot;
  loading_ = true;
  views_.panel.setHint(tr("Computing verdicts\u2026"), {});
  protocol::Request<method::ReportFusion> request{
      .snapshot = snapshot, .policy = views_.panel.policy(), .prove = askedProven_};
  if (gbps_ > 0)
    request.gbps = gbps_;
  request_ = session_.client().call<method::ReportFusion>(
      request, this,
      [this](const protocol::FusionReport &report) {
        loading_ = false;
        if (report.snapshot != views_.graphs.snapshot())
          return;
        present(report);
        if (!askedProven_ && report.totals.notTried > 0)
          rest_.start();
      },
      [this](const protocol::Error &error) {
        loading_ = false;
        asked_ = -1;
        if (error.code == protocol::Error::Cancelled || error.code == protocol::Error::EngineGone)
          return;
        present({});
        views_.panel.setHint(tr("No verdicts"), error.message);
      },
      u"fusion"_s);
}

void FusionVerdicts::present(const protocol::FusionReport &report) {
  // The same edge stays selected where the policy alone changed.
  const protocol::FusionEdge *selected = selectedEdge();
  const EdgeUse use =
      selected ? EdgeUse{.from = selected->from, .to = selected->to, .operand = selected->operand} : EdgeUse();
  const bool same = selected && report.snapshot == views_.model.report().snapshot;
  lines_.clear();
  views_.model.setReport(report);
  selectedRow_ = same ? views_.model.rowOf(use) : -1;
  if (report.snapshot >= 0) {
    views_.panel.showSummary(bandwidthText());
    const bool anyDecided = std::any_of(report.edges.begin(), report.edges.end(), [](const protocol::FusionEdge &edge) {
      return edge.verdict == protocol::FusionVerdict::Separate && !edge.missed && edge.bytes != 0;
    });
    views_.panel.setHint(tr("No missed fusions"),
                         report.edges.isEmpty() ? tr("No op on tensors here reads the result of another.")
                         : anyDecided ? tr("What is fused was decided in step Form dispatches. Select that step to see "
                                           "why, and the input to fuse more.")
                                      : tr("Every value stays in the dispatch that computes it."));
  } else {
    views_.panel.clearSummary();
    if (wantsReport())
      views_.panel.setHint(tr("Computing verdicts\u2026"), {});
  }
  views_.panel.setCurrentRow(selectedRow_);
  paintMarks();
  emit reportChanged();
  emit selectionChanged();
  if (wantsDearest_ && report.snapshot >= 0)
    selectDearest();
  if (report.snapshot >= 0 && report.snapshot == decision_.snapshot)
    goToDecision();
}

void FusionVerdicts::findDecision(NodeId op) {
  const protocol::FusionEdge *edge = selectedEdge();
  protocol::Request<method::FindDecision> request{.snapshot = views_.graphs.snapshot(),
                                                  .policy = views_.panel.policy()};
  if (op != noNode) {
    request.from = op;
  } else if (edge) {
    request.from = edge->from;
    request.to = edge->to;
  } else {
    return;
  }
  session_.client().call<method::FindDecision>(
      request, this,
      [this](const protocol::FusionDecision &decision) {
        decision_ = decision;
        emit decisionFound(decision.snapshot, decision.name);
      },
      [this](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          emit decisionMissing(error.message);
      },
      u"decided"_s);
}

/// In the snapshot that it names, with its report.
void FusionVerdicts::goToDecision() {
  const protocol::FusionDecision decision = std::exchange(decision_, {});
  const int row = views_.model.rowOf({.from = decision.from, .to = decision.to, .operand = decision.operand});
  if (row >= 0)
    selectRow(row, true);
  else if (decision.from >= 0)
    views_.texts.select(decision.from, true);
}

void FusionVerdicts::selectDearest() {
  wantsDearest_ = views_.model.report().snapshot < 0;
  if (!wantsDearest_ && selectedRow_ < 0)
    views_.panel.move(0);
}

QString FusionVerdicts::bandwidthText() const {
  if (isMeasured_)
    return tr("at %1 GB/s, %2").arg(formatRate(gbps_), source_);
  return gbps_ > 0 ? tr("at the %1 GB/s that a kernel reached on %2").arg(formatRate(gbps_), measuredOn_)
                   : tr("at %1 GB/s, assumed").arg(formatRate(views_.model.report().gbps));
}

QString FusionVerdicts::shortSummary() const {
  const protocol::FusionReport &report = views_.model.report();
  if (report.snapshot < 0 || report.totals.dispatches == 0) // of other dialects: nothing here is ours to fuse
    return {};
  return countedDispatches(report.totals.dispatches) + tr(", %1 missed").arg(groupedNumber(report.totals.missed));
}

const FusionLines &FusionVerdicts::lines() const {
  lines_.look(views_.graph.scene(), views_.model);
  return lines_;
}

/// Of several, the separate one that costs most; a fused one if all are.
int FusionVerdicts::dearest(std::span<const int> rows) const {
  const auto worth = [this](int row) {
    const protocol::FusionEdge *edge = views_.model.edgeAt(row);
    return std::pair(edge->missed, edge->bytes);
  };
  const auto best = std::max_element(rows.begin(), rows.end(), [&](int a, int b) { return worth(a) < worth(b); });
  return best == rows.end() ? -1 : *best;
}

/// Counts what is not fused within collapsed boxes, where no line shows it.
void FusionVerdicts::countInside() {
  missedInside_.clear();
  const QHash<NodeId, NodeId> &hidden = views_.graph.scene().hiddenOps;
  if (views_.model.report().snapshot != views_.graph.scene().snapshot)
    return;
  for (const protocol::FusionEdge &edge : views_.model.report().edges)
    if (const NodeId box = edge.missed ? hidden.value(edge.from, noNode) : noNode;
        box != noNode && box == hidden.value(edge.to, noNode)) {
      EdgeMark &mark = missedInside_[box];
      ++mark.missed;
      if (hopeOf(markOf(edge)) > hopeOf(mark.mark))
        mark.mark = markOf(edge);
    }
}

/// Of fused values only those that a line shows or a box hides: nobody would find the others, such as empty tensors.
FusionCounts FusionVerdicts::legendCounts() const {
  const QList<protocol::FusionEdge> &edges = views_.model.report().edges;
  if (edges.isEmpty()) // as when a picture comes, before its edges are judged
    return {};
  const SceneData &scene = views_.graph.scene();
  const FusionLines &lines = this->lines();
  const auto isInside = [&](const protocol::FusionEdge &edge) {
    const NodeId box = scene.hiddenOps.value(edge.from, noNode);
    return box != noNode && box == scene.hiddenOps.value(edge.to, noNode);
  };
  FusionCounts counts;
  for (int row = 0; row < edges.size(); ++row)
    if (const FusionMark mark = markOf(edges[row]);
        mark != FusionMark::Fused || lines.lineOf(row) >= 0 || isInside(edges[row]))
      ++counts.of[int(mark)];
  return counts;
}

void FusionVerdicts::paintMarks() {
  countInside();
  const SceneData &scene = views_.graph.scene();
  QList<EdgeMark> marks;
  if (inGraph_ && views_.model.report().snapshot == scene.snapshot && views_.model.rowCount() > 0) {
    const FusionLines &lines = this->lines();
    marks.resize(scene.edges.size());
    for (int i = 0; i < scene.edges.size(); ++i) {
      for (const int row : lines.rowsOf(i)) {
        const protocol::FusionEdge *edge = views_.model.edgeAt(row);
        marks[i].missed += edge->missed;
        if (hopeOf(markOf(*edge)) > hopeOf(marks[i].mark))
          marks[i].mark = markOf(*edge);
      }
    }
  }
  views_.graph.setMarks(marks, legendCounts(), inGraph_ ? missedInside_ : QHash<NodeId, EdgeMark>());
}

QString FusionVerdicts::toolTip(int sceneEdge) const {
  const std::span<const int> rows = lines().rowsOf(sceneEdge);
  const protocol::FusionEdge *edge = views_.model.edgeAt(dearest(rows));
  if (!edge || views_.model.report().snapshot != views_.graph.scene().snapshot)
    return {};
  QString text = summarizeEdge(*edge, views_.model.report(), views_.panel.palette());
  const auto missed =
      std::count_if(rows.begin(), rows.end(), [this](int row) { return views_.model.edgeAt(row)->missed; });
  if (rows.size() > 1)
    text += u"<p>"_s +
            tr("This line stands for %1 values, %2 of them not fused. The most expensive one is above.")
                .arg(rows.size())
                .arg(missed) +
            u"</p>"_s;
  return text;
}

const protocol::FusionEdge *FusionVerdicts::selectedEdge() const { return views_.model.edgeAt(selectedRow_); }

void FusionVerdicts::edgePicked(int sceneEdge) {
  const int row = dearest(lines().rowsOf(sceneEdge));
  selectRow(row, false);
  if (sceneEdge >= 0 && row < 0) { // nobody judges it, such as an argument's
    const EdgeData &edge = views_.graph.scene().edges[sceneEdge];
    views_.texts.selectEdge(edge.from, edge.to);
  }
}

void FusionVerdicts::sayWhere() {
  const protocol::FusionEdge *edge = selectedEdge();
  views_.panel.setWhere(edge ? foldedText(*edge) : QString());
}

/// The picture has no box for it, open or closed: a weight, or what is made of weights alone.
bool FusionVerdicts::isFolded(NodeId op) const {
  const SceneData &scene = views_.graph.scene();
  return scene.snapshot == views_.model.report().snapshot && !scene.hiddenOps.contains(op) &&
         !views_.graph.contains(op);
}

/// The op itself, or else the first one after it in the picture that needs it.
NodeId FusionVerdicts::visibleReaderOf(NodeId op) const {
  QList<NodeId> open{op};
  QSet<NodeId> seen{op};
  for (qsizetype at = 0; at < open.size(); ++at) {
    if (!isFolded(open[at]))
      return open[at];
    for (const protocol::FusionEdge &edge : views_.model.report().edges)
      if (edge.from == open[at] && !seen.contains(edge.to)) {
        seen.insert(edge.to);
        open.append(edge.to);
      }
  }
  return op;
}

/// Where an edge is that the picture has no line for, however many boxes are open; empty: it has one.
QString FusionVerdicts::foldedText(const protocol::FusionEdge &edge) const {
  if (!isFolded(edge.from) && !isFolded(edge.to))
    return {};
  const NodeId reader = visibleReaderOf(edge.to);
  const QString producer = views_.model.producerText(edge);
  if (isFolded(reader))
    return tr("The graph has no box for %1: it works on weights alone. The IR text shows it").arg(producer);
  const QString name = views_.graphs.knownName(views_.model.report().snapshot, reader);
  return tr("The graph has no box for %1: it works on weights alone. %2, which reads the result, is selected there")
      .arg(producer, name.isEmpty() ? views_.model.consumerText(edge) : name);
}

void FusionVerdicts::selectRow(int row, bool revealInGraph) {
  selectedRow_ = row;
  if (views_.panel.currentRow() != row)
    views_.panel.setCurrentRow(row);
  const protocol::FusionEdge *edge = selectedEdge();
  if (edge && revealInGraph) {
    const QHash<NodeId, NodeId> &hidden = views_.graph.scene().hiddenOps;
    revealsLine_ = false;
    if (const int line = lines().lineOf(row); line >= 0) {
      views_.graph.setCurrentEdge(line, true);
    } else { // both ends are in closed boxes, or no box: what stands for the consumer, until it is open
      const QScopedValueRollback revealing(isRevealing_, true);
      const NodeId reader = visibleReaderOf(edge->to);
      views_.graph.setSelection({hidden.value(reader, reader)}, true);
      revealsLine_ = true;
      emit hiddenEdgeSelected(reader);
      if (const QString where = foldedText(*edge); !where.isEmpty())
        emit foldedEdgeSelected(where);
    }
  }
  if (edge)
    views_.texts.selectEdge(edge->from, edge->to);
  sayWhere();
  emit selectionChanged();
}

void FusionVerdicts::fuseSelected() { fuseSelected(true); }
void FusionVerdicts::fuseSelectedEverywhere() { fuseSelected(false); }
void FusionVerdicts::judgeAgain() {
  asked_ = -1;
  request();
}

void FusionVerdicts::fuseSelected(bool onlyThere) {
  if (const protocol::FusionEdge *edge = selectedEdge())
    start({.what = FuseRequest::What::Edge,
           .from = edge->from,
           .to = edge->to,
           .operand = edge->operand,
           .onlyThere = onlyThere});
}

void FusionVerdicts::applyTransform(const QString &name) {
  start({.what = FuseRequest::What::Pipeline, .pipeline = u"builtin.module(func.func(fuselage-%1))"_s.arg(name)});
}

void FusionVerdicts::start(FuseRequest request) {
  request.snapshot = views_.graphs.snapshot();
  request.policy = views_.panel.policy();
  session_.fuse(request);
}

void FusionVerdicts::setReport(const protocol::RunReport &report) {
  double best = 0;
  for (const protocol::Kernel &kernel : report.kernels)
    best = std::max(best, kernel.gbps);
  if (best <= 0 || (isMeasured_ && report.device == measuredOn_))
    return;
  isMeasured_ = false;
  gbps_ = best;
  measuredOn_ = report.device;
  asked_ = -1;
  request();
}

void FusionVerdicts::measure(const QString &device, Telling telling) {
  const bool tells = telling == Telling::Progress;
  if (tells)
    views_.panel.setMessage(tr("Measuring the memory of %1\u2026").arg(device), false);
  session_.client().call<method::MeasureBandwidth>(
      {.device = device}, this,
      [this, tells](const protocol::Bandwidth &bandwidth) {
        if (tells)
          views_.panel.setMessage({}, false);
        isMeasured_ = true;
        gbps_ = bandwidth.gbps;
        measuredOn_ = bandwidth.device;
        source_ = bandwidth.source;
        asked_ = -1;
        request();
      },
      [this, tells](const protocol::Error &error) {
        if (tells && error.code != protocol::Error::EngineGone)
          views_.panel.setMessage(error.message, true);
      },
      u"bandwidth"_s);
}

} // namespace fuselage
