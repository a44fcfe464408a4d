#include "app/gui/outcome/OutcomeController.h"
#include "app/gui/baselines/BaselinesController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/outcome/OutcomePanel.h"
#include "app/gui/run/DeviceList.h"
#include "app/gui/run/RunController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/FusionMethods.h"
#include "views/dialogs/FusePartsDialog.h"
#include "views/graph/GraphView.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/RunPanel.h"
#include <QDockWidget>
#include <QMenu>

using namespace Qt::StringLiterals;

namespace fuselage {

OutcomeController::OutcomeController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                                     RunController &run, FusionController &fusion, BaselinesController &baselines)
    : Controller(shell), dock_(shell.docks().add({.area = Qt::RightDockWidgetArea,
                                                  .name = u"outcome"_s,
                                                  .title = tr("Before and After"),
                                                  .shortcut = u"Alt+B"_s,
                                                  .beside = u"details"_s},
                                                 panel_.place())),
      steps_(steps), run_(run), fusion_(fusion), baselines_(baselines) {
  addCommands();
  makeWayForDetails(graph, text);
  connect(&session(), &EngineSession::fused, this, &OutcomeController::fused);
  connect(&session(), &EngineSession::recorded, this, &OutcomeController::recorded);
  connect(&session(), &EngineSession::historyMoved, this, &OutcomeController::refresh);
  connect(&session(), &EngineSession::runFailed, this, [this](const protocol::Error &error) {
    if (outcome_ && error.code != protocol::Error::Cancelled)
      outcome_->problem = tr("Not measured: %1").arg(error.message);
    refresh();
  });
  connect(&baselines, &BaselinesController::ran, this, [this] {
    takeRuns();
    requestCosts(); // the device may be another
  });
  connect(&run.devices(), &DeviceList::listed, this, &OutcomeController::requestCosts);
}

void OutcomeController::addCommands() {
  show_ = command(tr("&Show Before and After"));
  show_->setToolTip(tr("The card of the last fusion or recorded pipeline"));
  measure_ = command(tr("Measure Bot&h"), u"run"_s, {QKeySequence(u"Ctrl+Alt+M"_s)});
  measure_->setIconText(tr("Measure Both"));
  measure_->setToolTip(tr("Run the step before and the step after on the device of the Run panel"));
  compare_ = command(tr("&Differences of Both Runs"), u"diff"_s);
  compare_->setIconText(tr("Differences"));
  compare_->setToolTip(tr("The two runs as a table of differences"));
  parts_ = command(tr("What &Each Part Gains\u2026"));
  parts_->setIconText(tr("Each Part"));
  lower_ = run_.lowerAction();
  on(show_, [this] {
    shell().docks().raise(dock_);
    panel_->setFocus(Qt::ShortcutFocusReason);
  });
  on(measure_, [this] { measureBoth(); });
  on(compare_, [this] { baselines_.compare(*outcome_->before.run, *outcome_->after.run); });
  on(parts_, [this] {
    auto *dialog = new FusePartsDialog(result_, &shell().window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
  shell().menus().addMenu(Place::FuseOutcome, tr("Before and A&fter"))->addActions({show_, measure_, compare_, parts_});
  panel_.tell([this](OutcomePanel &panel) {
    connect(&panel, &OutcomePanel::closeRequested, this, &OutcomeController::close);
    panel.setCommands({measure_, compare_, lower_, parts_});
  });
}

OutcomePanel &OutcomeController::panel() { return panel_.get(); }

/// Whoever selects an op or an edge looks at its details next: the card goes behind them, if they are open.
void OutcomeController::makeWayForDetails(GraphController &graph, TextController &text) {
  const auto await = [this] { awaitsDetails_ = dock_->isVisible() && !dock_->visibleRegion().isEmpty(); };
  connect(&graph.view(), &GraphView::selectionChanged, this, [await](qint64 current) {
    if (current != noNode)
      await();
  });
  connect(&graph.view(), &GraphView::edgeSelected, this, [await](int edge) {
    if (edge >= 0)
      await();
  });
  const FusionController::Actions &actions = fusion_.actions();
  for (QAction *action : {actions.nextMissed, actions.previousMissed, actions.nextPlace, actions.previousPlace})
    connect(action, &QAction::triggered, this, await);
  // An empty panel of details is shown first.
  const auto show = [this] {
    QDockWidget *details = shell().docks().find(u"details"_s);
    if (std::exchange(awaitsDetails_, false) && details && !details->isHidden())
      shell().docks().raise(details);
  };
  connect(&text.detailsPanel(), &DetailsPanel::filled, this, show, Qt::QueuedConnection);
}

void OutcomeController::fused(const protocol::FuseResult &result) {
  if (!result.fused || result.first >= result.history.steps.size())
    return;
  result_ = result;
  begin(result.history.steps, result.first);
  outcome_->times = result.times;
  outcome_->check = result.history.steps.last().fusion;
  outcome_->leftOut = result.dropped;
  requestCosts();
}

/// The default pipeline only lowers what there is.
void OutcomeController::recorded(const protocol::Recording &recording) {
  const RecordRequest &request = session().recordRequest();
  if (recording.failed || recording.kept >= recording.steps.size() ||
      (request.pipeline.isEmpty() && request.schedule.isEmpty()))
    return refresh();
  result_ = {};
  begin(recording.steps, recording.kept);
  requestCosts();
}

void OutcomeController::begin(const QList<protocol::Step> &steps, int first) {
  ++number_;
  askedDevice_.reset();
  awaitsDetails_ = false;
  const auto sideOf = [this](int snapshot) {
    return OutcomeSide{.name = steps_.nameOf(snapshot),
                       .snapshot = snapshot,
                       .program = session().programKey(snapshot),
                       .cost = {},
                       .run = {}};
  };
  outcome_ = Outcome{.before = sideOf(steps[first].before), .after = sideOf(steps.last().after)};
  shell().docks().raise(dock_); // the keyboard stays where it is
  takeRuns();
}

void OutcomeController::close() {
  dock_->hide();
  emit shell().docks().left();
}

/// That predictions and Measure Both are for; empty: nobody chose one.
QString OutcomeController::device() const { return run_.panel().needsDevices() ? QString() : run_.panel().device(); }

void OutcomeController::requestCosts() {
  if (!outcome_ || outcome_->isOver || askedDevice_ == device())
    return refresh();
  askedDevice_ = device();
  requestCost(false);
  requestCost(true);
  refresh();
}

void OutcomeController::requestCost(bool isAfter) {
  ++asked_;
  session().client().call<method::CostOfStep>(
      {.snapshot = isAfter ? outcome_->after.snapshot : outcome_->before.snapshot,
       .policy = fusion_.panel().policy(),
       .device = device(),
       .function = run_.panel().function(),
       .sizes = run_.dynamicSizes()},
      this,
      [this, isAfter, number = number_](const protocol::StepCost &cost) {
        --asked_;
        if (!outcome_ || number != number_)
          return;
        (isAfter ? outcome_->after : outcome_->before).cost = cost;
        refresh();
      },
      [this, number = number_](const protocol::Error &error) {
        --asked_;
        if (!outcome_ || number != number_)
          return;
        if (error.code != protocol::Error::EngineGone) // else they are asked for again
          outcome_->problem = tr("Not counted: %1").arg(error.message);
        refresh();
      });
}

/// The last runs of both ends, on one device.
void OutcomeController::takeRuns() {
  if (!outcome_)
    return;
  OutcomeSide &before = outcome_->before, &after = outcome_->after;
  const KeptRun *last = baselines_.findRun(after.program);
  if (!last)
    last = baselines_.findRun(before.program);
  const QString device = last ? QString::fromStdString(last->run.device) : QString();
  for (OutcomeSide *side : {&before, &after}) {
    const KeptRun *run = last ? baselines_.findRun(side->program, device) : nullptr;
    side->run = run ? std::optional(*run) : std::nullopt;
  }
  if (outcome_->hasBothRuns())
    outcome_->problem.clear();
  refresh();
}

void OutcomeController::measureBoth() {
  outcome_->problem.clear();
  run_.measure({outcome_->before.snapshot, outcome_->after.snapshot});
}

bool OutcomeController::isThere(const OutcomeSide &side) const {
  return session().programKey(side.snapshot) == side.program;
}

void OutcomeController::refresh() {
  if (outcome_) {
    outcome_->isOver = !isThere(outcome_->before) || !isThere(outcome_->after);
    outcome_->device = device().isEmpty() ? tr("the device of the Run panel") : device();
    panel_->show(*outcome_);
  } else {
    panel_.tell(u"outcome"_s, &OutcomePanel::clear);
  }
  sessionChanged();
}

void OutcomeController::opened(const protocol::Document &) {
  outcome_.reset();
  ++number_;
  result_ = {};
  refresh();
}

void OutcomeController::stepsReplaced(int) { refresh(); }

void OutcomeController::engineRecovered(int) {
  if (outcome_ && (!outcome_->before.cost || !outcome_->after.cost))
    askedDevice_.reset();
  refresh();
  requestCosts();
}

void OutcomeController::sessionChanged() {
  measure_->setEnabled(isReady() && outcome_ && !outcome_->isOver);
  compare_->setEnabled(outcome_ && outcome_->hasBothRuns());
  parts_->setEnabled(outcome_ && outcome_->times && !result_.parts.isEmpty());
  parts_->setVisible(parts_->isEnabled());
}

} // namespace fuselage
