#include "app/gui/tuning/TuningController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/run/DeviceList.h"
#include "app/gui/run/RunController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tuning/TuneKnobs.h"
#include "app/gui/tuning/TuneTrials.h"
#include "views/tuning/KnobList.h"
#include "views/tuning/TuningPanel.h"
#include <QDockWidget>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int typingMs = 400;

TuningController::TuningController(Shell &shell, GraphController &graph, TextController &text, RunController &run,
                                   ScriptController &scripts, ScheduleController &schedule, TileController &tiles)
    : Controller(shell), panel_([this] { return new TuningPanel(&model_); }),
      dock_(shell.docks().add(
          {.name = u"tuning"_s, .title = tr("Tuning"), .shortcut = u"Alt+G"_s, .beside = u"run"_s, .extent = 360},
          panel_.place())),
      devices_(new DeviceList(session(), this)) {
  const TunedViews views{
      .graph = graph, .text = text, .run = run, .scripts = scripts, .schedule = schedule, .tiles = tiles};
  panel_.tell([this, views](TuningPanel &panel) { connectPanel(panel, views); });
  typing_.setSingleShot(true);
  connect(&scripts.edit(), &QPlainTextEdit::textChanged, this, [this] { typing_.start(typingMs); });
  connect(&scripts, &ScriptController::scriptChanged, this, [this, &scripts] {
    panel_.tell(u"script"_s, [isEmpty = scripts.isEmpty()](TuningPanel &panel) {
      if (!isEmpty && panel.isIdle())
        panel.setSubject(TuningPanel::Subject::Schedule);
    });
    typing_.start(0);
  });
  connect(&typing_, &QTimer::timeout, this, &TuningController::refresh);
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) {
      devices_->requestOnce();
      refresh();
    }
  });
}

void TuningController::connectPanel(TuningPanel &panel, const TunedViews &views) {
  knobs_ = new TuneKnobs(shell(), panel, views, this);
  trials_ = new TuneTrials(shell(), panel, model_, this);
  connect(devices_, &DeviceList::listed, &panel, &TuningPanel::setDevices);
  connect(&panel, &TuningPanel::subjectChanged, this, &TuningController::refresh);
  connect(&panel, &TuningPanel::tuneRequested, this, &TuningController::start);
  connect(&panel, &TuningPanel::followChanged, this,
          [this](bool follows) { follows ? knobs_->follow() : knobs_->leave(); });
  connect(&panel.knobs(), &KnobList::fixedChanged, this, &TuningController::refresh);
  connect(knobs_, &TuneKnobs::selected, this, &TuningController::refresh);
  connect(knobs_, &TuneKnobs::spaceShown, this, [this] {
    if (std::exchange(tuneWhenKnown_, false))
      start();
  });
  connect(knobs_, &TuneKnobs::spaceFailed, this, [this] { tuneWhenKnown_ = false; });
  connect(trials_, &TuneTrials::pointWanted, knobs_, &TuneKnobs::set);
  connect(trials_, &TuneTrials::scheduleWanted, this, [&scripts = views.scripts](const QString &script) {
    if (scripts.newScript(script))
      scripts.showEditor();
  });
  connect(trials_, &TuneTrials::ended, this, [this] {
    if (panel_->plan().items.size() < 2)
      knobs_->renew(); // it can say what the trials make likely
    refresh();
  });
}

TuningPanel &TuningController::panel() { return panel_.get(); }

void TuningController::raise() { shell().docks().raise(dock_, 0.5); }

void TuningController::refresh() {
  if (panel_.isMade())
    knobs_->refresh(dock_->isVisible(), panel_->isIdle());
}

void TuningController::tuneOn(const QString &device, int trials) {
  raise();
  panel_->setDevice(device);
  panel_->setBudget(trials, false);
  tuneWhenKnown_ = true;
  knobs_->forgetSubject();
  refresh();
}

void TuningController::start() {
  if (!panel_->isIdle() || !knobs_->subject())
    return;
  raise();
  trials_->start(*knobs_->subject());
}

double TuningController::lastMilliseconds() const { return knobs_ ? knobs_->lastMilliseconds() : -1; }

void TuningController::openTrial(int row) {
  panel();
  trials_->open(row);
}

void TuningController::showJournal(const QString &path) {
  panel();
  trials_->showJournal(path);
}

void TuningController::opened(const protocol::Document &) {
  if (!panel_.isMade())
    return;
  trials_->opened();
  knobs_->opened();
}

void TuningController::stepShown(const ShownStep &step) {
  if (knobs_)
    knobs_->stepShown(step);
  if (!step.isPlace)
    refresh();
}

void TuningController::sessionChanged() {
  if (dock_->isVisible())
    devices_->requestOnce();
  if (panel_.isMade())
    panel_->setRunnable(isReady() && panel_->knobs().hasSpace() && panel_->knobs().space().problem.isEmpty());
  refresh();
}

void TuningController::engineDied(const CrashReport &) {
  if (!panel_.isMade())
    return;
  const bool wasTuning = trials_->engineDied();
  knobs_->engineDied();
  if (wasTuning)
    panel_->setMessage(
        tr("The engine ended, and tuning with it. Its trials are in the journal, and Tune continues after them."),
        true);
}

void TuningController::engineRecovered(int) { refresh(); }

void TuningController::saveState(Settings &settings) const {
  Controller::saveState(settings);
  if (!panel_.isMade())
    return; // the settings are what they were
  settings.setText(u"tuneDevice"_s, panel_->device());
  settings.setText(u"tuneBudget"_s, QString::number(panel_->budget()) + (panel_->isBudgetTime() ? u"s"_s : QString()));
  settings.setText(u"tuneStrategy"_s, panel_->strategy());
  settings.setText(u"tuneObjective"_s, panel_->objective());
  settings.setFlag(u"tuneBudgetOfEach"_s, panel_->wantsBudgetOfEach());
  settings.setFlag(u"tuneFollows"_s, panel_->follows());
}

void TuningController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  panel_.tell(u"settings"_s, [&settings](TuningPanel &panel) { restore(panel, settings); });
}

void TuningController::restore(TuningPanel &panel, const Settings &settings) {
  if (const QString device = settings.text(u"tuneDevice"_s); !device.isEmpty())
    panel.setDevice(device);
  QString budget = settings.text(u"tuneBudget"_s);
  const bool isTime = budget.endsWith(u's');
  if (isTime)
    budget.chop(1);
  if (const int number = budget.toInt(); number > 0)
    panel.setBudget(number, isTime);
  panel.setBudgetOfEach(settings.flag(u"tuneBudgetOfEach"_s, false));
  if (const QString strategy = settings.text(u"tuneStrategy"_s); !strategy.isEmpty())
    panel.setStrategy(strategy);
  if (const QString objective = settings.text(u"tuneObjective"_s); !objective.isEmpty())
    panel.setObjective(objective);
  panel.setFollows(settings.flag(u"tuneFollows"_s, true));
}

void TuningController::restoreDraft(const QString &tab) {
  if (!settings().drafts().find({u"knobs"_s, tab}).isEmpty())
    panel(); // whose knobs keep it from now on
  panel_.tell(u"draft"_s, [this, tab](TuningPanel &) { knobs_->restoreDraft(tab); });
  refresh();
}

bool TuningController::isSettled() const {
  if (!panel_.isMade())
    return true;
  return knobs_->isSettled() && !trials_->isReading() && !tuneWhenKnown_ && panel_->isIdle() &&
         !(typing_.isActive() && dock_->isVisible());
}

} // namespace fuselage
