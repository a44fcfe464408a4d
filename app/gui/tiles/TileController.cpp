#include "app/gui/tiles/TileController.h"
#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/run/DeviceList.h"
#include "app/gui/run/RunController.h"
#include "app/gui/shell/Sides.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/panels/RunPanel.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/widgets/StepChip.h"
#include <QDockWidget>

using namespace Qt::StringLiterals;

namespace fuselage {

TileController::TileController(Shell &shell, StepsController &steps, TextController &text, RunController &run,
                               PipelineController &pipeline)
    : Controller(shell),
      dock_(shell.docks().add(
          {.name = u"tiles"_s, .title = tr("Tile Explorer"), .shortcut = u"Alt+8"_s, .beside = u"log"_s},
          panel_.place())),
      steps_(steps), text_(text), run_(run), pipeline_(pipeline) {
  connectPanel();
  connect(&text, &TextController::selectionChanged, this, &TileController::select);
  run.tellPanel([this](RunPanel &panel) { connect(&panel, &RunPanel::sizesChanged, this, &TileController::resize); });
  connect(&run.devices(), &DeviceList::listed, this, &TileController::setDevices);
}

/// Dynamic sizes are others.
void TileController::resize() {
  if (isCurrent_ && visible_)
    requestDomain();
  else
    isCurrent_ = false;
}

void TileController::connectPanel() {
  connect(&shell().docks().chip(dock_), &StepChip::clicked, this, [this] {
    unfollow();
    select(shown_, text_.selected());
  });
  panel_.tell([this](const TileExplorerPanel &panel) {
    connect(&panel, &TileExplorerPanel::questionChanged, this, &TileController::requestFootprint);
    connect(&panel, &TileExplorerPanel::fusionChanged, this, &TileController::requestDomain);
    connect(&panel, &TileExplorerPanel::traceRequested, this, &TileController::requestTrace);
    connect(&panel, &TileExplorerPanel::scheduleRequested, this,
            [this] { emit tileChosen(snapshot_, panel_->op(), panel_->question().fuse, panel_->tileSizes()); });
    connect(&panel, &TileExplorerPanel::pipelineRequested, this, [this] {
      pipeline_.useTileSizes(panel_->workgroupSizes().remove(u' '), panel_->tileSizes().remove(u' '));
    });
    connect(&panel, &TileExplorerPanel::valueActivated, this, &TileController::activate);
  });
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    setVisible(visible);
    if (visible)
      run_.devices().requestOnce();
  });
}

TileExplorerPanel &TileController::panel() { return panel_.get(); }

const protocol::TileReport *TileController::report() const {
  return panel_.isMade() && panel_->hasDomain() && !report_.loops.isEmpty() ? &report_ : nullptr;
}

void TileController::raise() { shell().docks().raise(dock_, 0.6); }

/// What their workgroups share is a limit to choose.
void TileController::setDevices(const QList<protocol::Device> &devices) {
  QList<std::pair<QString, qint64>> limits;
  for (const protocol::Device &device : devices)
    limits.append({device.id, device.maxSharedBytes});
  panel_.tell(u"devices"_s, [limits](TileExplorerPanel &panel) { panel.setDevices(limits); });
}

void TileController::documentReset() {
  unfollow();
  select(0, noNode);
  refresh();
}

/// Ops of the steps that are gone are gone, whatever their numbers are now.
void TileController::stepsReplaced(int) {
  if (snapshot_ == 0 && !followed_)
    return;
  unfollow();
  snapshot_ = 0;
  id_ = noNode;
  refresh();
}

void TileController::stepShown(const ShownStep &step) {
  shown_ = step.snapshot;
  showWhere();
}

void TileController::graphShown(int) {
  if (!followed_)
    select(shown_, text_.selected());
}

void TileController::showWhere() {
  StepChip &chip = shell().docks().chip(dock_);
  if (id_ == noNode || snapshot_ == shown_)
    chip.clear();
  else if (snapshot_ >= firstPlace)
    chip.tell(tr("The dispatch alone, as it is tuned"), tr("A click goes to what is selected in the current step"));
  else
    chip.tell(steps_.nameOf(snapshot_),
              tr("The op is of this step. A click goes to what is selected in the current one"));
}

void TileController::engineRecovered(int) { refresh(); }

void TileController::select(int snapshot, NodeId id) {
  if ((snapshot == snapshot_ && id == id_ && isCurrent_) ||
      (followed_ && id == noNode)) // a graph that is drawn anew selects nothing
    return;
  unfollow();
  snapshot_ = snapshot;
  id_ = id;
  isCurrent_ = false;
  showWhere();
  if (visible_)
    requestDomain();
}

void TileController::follow(int snapshot, NodeId id, const QList<qint64> &sizes, const QList<qint64> &inner,
                            const std::optional<QList<int>> &order) {
  const bool isSame = snapshot == snapshot_ && id == id_ && isCurrent_ && panel_.isMade() && panel_->hasDomain();
  snapshot_ = snapshot;
  id_ = id;
  followed_ = Followed{.sizes = sizes, .inner = inner, .order = order};
  showWhere();
  if (isSame)
    return takeFollowed();
  isCurrent_ = false;
  if (visible_)
    requestDomain();
}

void TileController::unfollow() {
  followed_.reset();
  panel_.tell(u"inner"_s, [](TileExplorerPanel &panel) { panel.setInner({}); });
}

void TileController::takeFollowed() {
  if (!followed_)
    return;
  panel_->setInner(followed_->inner);
  panel_->setSizes(followed_->sizes);
  if (followed_->order)
    panel_->setOrder(*followed_->order);
}

void TileController::setVisible(bool visible) {
  visible_ = visible;
  if (visible && !isCurrent_)
    requestDomain();
  if (!visible && panel_.isMade())
    panel_->setPlaying(false);
}

void TileController::refresh() {
  isCurrent_ = false;
  asksDomain_ = asksFootprint_ = asksTrace_ = again_ = false;
  if (visible_)
    requestDomain();
}

protocol::Request<method::TileFootprint> TileController::wanted(int side) const {
  const TileQuestion question = panel_->question(side);
  protocol::Request<method::TileFootprint> request{.op = {.snapshot = snapshot_,
                                                          .dimensions = run_.dynamicSizes(),
                                                          .id = id_,
                                                          .fuse = question.fuse,
                                                          .kept = question.kept},
                                                   .sizes = question.sizes,
                                                   .tile = question.tile,
                                                   .order = {question.order.begin(), question.order.end()},
                                                   .device = question.device,
                                                   .cache = question.cache};
  if (question.limit >= 0)
    request.limit = question.limit;
  return request;
}

void TileController::requestDomain() {
  if (id_ == noNode || !session().hasDocument()) {
    isCurrent_ = true;
    panel_->setEmpty(tr("No op is selected"), tr("Select an op of the graph to see what a tile of it touches."));
    return;
  }
  asksDomain_ = true;
  protocol::Request<method::TileDomain> request{.op = wanted().op};
  // Which producers stay outside is of the op that is shown.
  if (!isCurrent_)
    request.op.kept.clear();
  session().client().call<method::TileDomain>(
      request, this,
      [this, snapshot = snapshot_, id = id_](const protocol::TileDomain &domain) {
        asksDomain_ = false;
        if (snapshot != snapshot_ || id != id_)
          return;
        isCurrent_ = true;
        if (domain.loops.isEmpty()) {
          panel_->setEmpty(domain.why.isEmpty() ? tr("This op has no loops") : tr("This op cannot be tiled"),
                           domain.why);
          return;
        }
        panel_->setDomain(domain);
        takeFollowed();
        requestFootprint();
      },
      [this](const protocol::Error &error) {
        asksDomain_ = false;
        if (error.code != protocol::Error::Cancelled)
          panel_->setEmpty(tr("The op cannot be explored"), error.message);
      },
      u"tiles"_s);
}

/// Answers come one after the other, and the last question is always answered: a slider would else
/// replace each question before its answer is there.
void TileController::requestFootprint() {
  if (!panel_->hasDomain() || id_ == noNode)
    return;
  again_ = asksFootprint_;
  if (!asksFootprint_)
    requestSide(0);
}

void TileController::requestSide(int side) {
  asksFootprint_ = true;
  QElapsedTimer since;
  since.start();
  session().client().call<method::TileFootprint>(
      wanted(side), this,
      [this, side, since, id = id_](const protocol::TileReport &report) {
        asksFootprint_ = false;
        lastMilliseconds_ = double(since.nsecsElapsed()) / 1e6;
        const bool isShown = id == id_ && panel_->hasDomain();
        if (isShown)
          panel_->setReport(report, side);
        if (isShown && side == 0) {
          report_ = report;
          emit shown();
        }
        if (isShown && side + 1 < panel_->sideCount())
          return requestSide(side + 1);
        if (std::exchange(again_, false))
          return requestFootprint();
        for (int each = 0; isShown && each < panel_->sideCount(); ++each)
          requestSequence(each);
      },
      [this](const protocol::Error &error) {
        asksFootprint_ = false;
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          panel_->setEmpty(tr("The tile cannot be explored"), error.message);
        else if (std::exchange(again_, false))
          requestFootprint();
      },
      u"tiles"_s);
}

/// Once for an order: the tiles on the way are all in it.
void TileController::requestSequence(int side) {
  if (!panel_->side(side).takeQuestion()) // while tiles play, one question would replace the other
    return;
  const protocol::Request<method::TileFootprint> tile = wanted(side);
  session().client().call<method::TileSequence>(
      {.op = tile.op, .sizes = tile.sizes, .order = tile.order}, this,
      [this, side, sizes = tile.sizes, order = tile.order, id = id_](const protocol::TileSequence &sequence) {
        const protocol::Request<method::TileFootprint> now = wanted(side);
        if (id != id_ || !panel_->hasDomain() || now.sizes != sizes || now.order != order)
          return;
        panel_->setSequence(sequence, side);
        if (side == 0)
          emit shown();
      },
      [](const protocol::Error &) {}, u"tiles/sequence%1"_s.arg(side));
}

void TileController::requestTrace() {
  asksTrace_ = true;
  const protocol::Request<method::TileFootprint> tile = wanted();
  session().client().call<method::TraceTiling>(
      {.op = tile.op, .sizes = tile.sizes, .order = tile.order}, this,
      [this](const protocol::TileTrace &trace) {
        asksTrace_ = false;
        panel_->setTrace(trace);
      },
      [this](const protocol::Error &error) {
        asksTrace_ = false;
        QStringList lines{error.message};
        for (const protocol::Diagnostic &diagnostic : error.diagnostics)
          lines.append(diagnostic.message);
        panel_->setTraceError(lines.join(u'\n'));
      },
      u"tiles"_s);
}

void TileController::activate(const QString &value) {
  if (value == report_.op.name)
    return;
  for (const protocol::TileProducer &producer : report_.producers)
    for (const protocol::TileFootprint &result : producer.results)
      if (result.name == value)
        text_.select(producer.op.id, true);
}

} // namespace fuselage
