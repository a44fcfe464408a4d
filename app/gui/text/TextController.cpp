#include "app/gui/text/TextController.h"
#include "views/graph/GraphView.h"
#include "views/models/DetailsModel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"

using namespace Qt::StringLiterals;

namespace fuselage {

TextController::TextController(EngineSession &session, Views views, QObject *parent)
    : QObject(parent), session_(session), views_(views), texts_(session) {
  connect(&views_.graph, &GraphView::selectionChanged, this, [this](qint64 current) {
    selectionFromText_ = false;
    requestDetails(current);
    emit selectionMoved(current);
  });
  connect(&views_.text, &TextView::currentLineChanged, this, &TextController::selectLine);
  connect(&views_.diff, &DiffView::lineClicked, this, [this](DiffSide side, int line) {
    if (side == DiffSide::After)
      selectLine(line);
  });
}

void TextController::reset() {
  dropSteps();
  views_.text.setSource(nullptr);
  texts_.dropFrom(0);
  snapshot_ = 0;
  step_.reset();
  selected_ = noNode;
  views_.details.clear();
}

void TextController::dropSteps() {
  views_.diff.clear();
  diffStep_ = -1;
  if (snapshot_ > 0)
    views_.text.setSource(nullptr);
  texts_.dropFrom(1);
}

void TextController::show(int snapshot, const protocol::Step *step) {
  const bool isOther = snapshot != snapshot_;
  snapshot_ = snapshot;
  step_ = step ? std::optional(*step) : std::nullopt;
  if (isOther) {
    // Ops are numbered anew in every snapshot; the graph view knows what became of the selection.
    selected_ = noNode;
    views_.details.clear();
    views_.text.highlightLines(-1, -1);
  }
  TextSource *source = texts_.of(snapshot);
  if (views_.text.source() != source)
    views_.text.setSource(source);
  requestDiff();
}

void TextController::setDiffVisible(bool visible) {
  diffVisible_ = visible;
  requestDiff();
}

void TextController::requestDiff() {
  if (!step_ || step_->before < 0 || step_->after < 0) {
    views_.diff.clear();
    if (!step_)
      views_.diff.setEmptyText(tr("Nothing to compare"), tr("Select a step to see what it changed."));
    else if (step_->before < 0)
      views_.diff.setEmptyText(tr("Nothing to compare"), tr("What was before this pass is not in the log. --mlir-print-ir-before-all dumps it."));
    else
      views_.diff.setEmptyText(tr("Nothing to compare"), tr("What this pass led to is not in the log. --mlir-print-ir-after-all dumps it."));
    diffStep_ = -1;
    return;
  }
  const int step = step_->index;
  if (!diffVisible_ || step == diffStep_)
    return;
  diffStep_ = step;
  loadingDiff_ = true;
  session_.client().call<DiffData>(
      u"step/diff"_s, {{u"step"_s, step}}, this,
      [this, step](const DiffData &diff) {
        loadingDiff_ = false;
        if (!step_ || step != step_->index)
          return;
        views_.diff.setTitles(tr("before"), tr("after %1").arg(step_->name));
        views_.diff.setDiff(diff, texts_.of(step_->before), texts_.of(step_->after));
        emit diffShown(step, diff.added, diff.removed, diff.changed);
      },
      [this, step](const protocol::Error &error) {
        loadingDiff_ = false;
        if (diffStep_ == step)
          diffStep_ = -1;
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          emit failed(error);
      },
      u"diff"_s);
}

void TextController::select(NodeId id, bool revealInGraph) {
  selectionFromText_ = false;
  views_.graph.setSelection({views_.graph.scene().hiddenOps.value(id, id)}, revealInGraph);
  requestDetails(id);
}

void TextController::selectEdge(NodeId from, NodeId to) {
  selectionFromText_ = false;
  requestDetails(to);
  session_.client().call<protocol::OpDetails>(
      u"op/details"_s, {{u"snapshot"_s, snapshot_}, {u"id"_s, from}}, this,
      [this, snapshot = snapshot_, to](const protocol::OpDetails &details) {
        if (snapshot == snapshot_ && to == selected_)
          views_.text.highlightAlso(details.first, details.last);
      },
      {}, u"producer"_s);
}

void TextController::goToLine(int line) {
  views_.text.setCurrentLine(line);
  views_.text.scrollToLine(line);
  selectLine(line);
}

void TextController::selectLine(int line) {
  session_.client().call<protocol::OpAt>(
      u"text/opAt"_s, {{u"snapshot"_s, snapshot_}, {u"line"_s, line}}, this,
      [this, snapshot = snapshot_](const protocol::OpAt &op) {
        if (snapshot != snapshot_ || op.first < 0)
          return;
        selectionFromText_ = true;
        views_.text.highlightLines(op.first, op.last);
        const NodeId shown = views_.graph.scene().hiddenOps.value(op.id, op.id);
        views_.graph.setSelection({shown}, true);
        requestDetails(op.id);
        emit selectionMoved(op.id);
      },
      {}, u"opAt"_s);
}

void TextController::requestDetails(NodeId id) {
  selected_ = id;
  emit selectionChanged(snapshot_, id);
  if (id == noNode) {
    views_.details.clear();
    views_.text.highlightLines(-1, -1);
    views_.diff.highlightLines(DiffSide::After, -1, -1);
    loadingDetails_ = false;
    return;
  }
  loadingDetails_ = true;
  session_.client().call<protocol::OpDetails>(
      u"op/details"_s, {{u"snapshot"_s, snapshot_}, {u"id"_s, id}}, this,
      [this, snapshot = snapshot_, id](const protocol::OpDetails &details) {
        loadingDetails_ = false;
        if (snapshot != snapshot_ || id != selected_)
          return;
        views_.details.setDetails(details);
        views_.text.highlightLines(details.first, details.last);
        views_.diff.highlightLines(DiffSide::After, details.first, details.last);
        // The text stays where the user has just clicked.
        if (!selectionFromText_ && details.first >= 0) {
          views_.text.scrollToLine(details.first, true);
          views_.text.setCurrentLine(details.first);
        }
      },
      [this](const protocol::Error &) { loadingDetails_ = false; }, u"details"_s);
}

void TextController::refresh() {
  texts_.retry();
  diffStep_ = -1;
  requestDiff();
  if (selected_ != noNode)
    requestDetails(selected_);
}

} // namespace fuselage
