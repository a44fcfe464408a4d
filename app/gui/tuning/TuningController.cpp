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
    : Controller(shell), panel_(new TuningPanel(&model_)),
      dock_(shell.docks().add(
          {.name = u"tuning"_s, .title = tr("Tuning"), .shortcut = u"Alt+G"_s, .beside = u"run"_s, .extent = 360},
          panel_)),
      devices_(new DeviceList(session(), this)),
      knobs_(new TuneKnobs(
          shell, *panel_,
          {.graph = graph, .text = text, .run = run, .scripts = scripts, .schedule = schedule, .tiles = tiles}, this)),
      trials_(new TuneTrials(shell, *panel_, model_, this)) {
  typing_.setSingleShot(true);
  connect(&scripts.edit(), &QPlainTextEdit::textChanged, this, [this] { typing_.start(typingMs); });
  connect(&scripts, &ScriptController::scriptChanged, this, [this, &scripts] {
    if (!scripts.isEmpty() && panel_->isIdle())
      panel_->setSubject(TuningPanel::Subject::Schedule);
    typing_.start(0);
  });
  connect(&typing_, &QTimer::timeout, this, &TuningController::refresh);
  connect(devices_, &DeviceList::listed, panel_, &TuningPanel::setDevices);
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) {
      devices_->requestOnce();
      refresh();
    }
  });
  connect(panel_, &TuningPanel::subjectChanged, this, &TuningController::refresh);
  connect(panel_, &TuningPanel::tuneRequested, this, &TuningController::start);
  connect(panel_, &TuningPanel::followChanged, this,
          [this](bool follows) { follows ? knobs_->follow() : knobs_->leave(); });
  connect(&panel_->knobs(), &KnobList::fixedChanged, this, &TuningController::refresh);
  connect(knobs_, &TuneKnobs::selected, this, &TuningController::refresh);
  connect(knobs_, &TuneKnobs::spaceShown, this, [this] {
    if (std::exchange(tuneWhenKnown_, false))
      start();
  });
  connect(knobs_, &TuneKnobs::spaceFailed, this, [this] { tuneWhenKnown_ = false; });
  connect(trials_, &TuneTrials::pointWanted, knobs_, &TuneKnobs::set);
  connect(trials_, &TuneTrials::scheduleWanted, this, [&scripts](const QString &script) {
    if (scripts.newScript(script))
      scripts.showEditor();
  });
  connect(trials_, &TuneTrials::ended, this, [this] {
    if (panel_->plan().items.size() < 2)
      knobs_->renew(); // it can say what the trials make likely
    refresh();
  });
}

void TuningController::raise() { shell().docks().raise(dock_, 0.5); }

void TuningController::refresh() { knobs_->refresh(dock_->isVisible(), panel_->isIdle()); }

void TuningController::tuneOn(const QString &device, int trials) {
  raise();
  panel_->setDevice(device);
  panel_->setBudget(trials, false);
  tuneWhenKnown_ = true;
  knobs_->forgetSubject();
  refresh();
}

void TuningController::start() {
  if (!knobs_->subject() || !panel_->isIdle())
    return;
  raise();
  trials_->start(*knobs_->subject());
}

double TuningController::lastMilliseconds() const { return knobs_->lastMilliseconds(); }

void TuningController::openTrial(int row) { trials_->open(row); }

void TuningController::showJournal(const QString &path) { trials_->showJournal(path); }

void TuningController::opened(const protocol::Document &) {
  trials_->opened();
  knobs_->opened();
}

void TuningController::stepShown(const ShownStep &step) {
  knobs_->stepShown(step);
  if (!step.isPlace)
    refresh();
}

void TuningController::sessionChanged() {
  if (dock_->isVisible())
    devices_->requestOnce();
  panel_->setRunnable(isReady() && panel_->knobs().hasSpace() && panel_->knobs().space().problem.isEmpty());
  refresh();
}

void TuningController::engineDied(const CrashReport &) {
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
  settings.setText(u"tuneDevice"_s, panel_->device());
  settings.setText(u"tuneBudget"_s, QString::number(panel_->budget()) + (panel_->isBudgetTime() ? u"s"_s : QString()));
  settings.setText(u"tuneStrategy"_s, panel_->strategy());
  settings.setText(u"tuneObjective"_s, panel_->objective());
  settings.setFlag(u"tuneBudgetOfEach"_s, panel_->wantsBudgetOfEach());
  settings.setFlag(u"tuneFollows"_s, panel_->follows());
}

void TuningController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  if (const QString device = settings.text(u"tuneDevice"_s); !device.isEmpty())
    panel_->setDevice(device);
  QString budget = settings.text(u"tuneBudget"_s);
  const bool isTime = budget.endsWith(u's');
  if (isTime)
    budget.chop(1);
  if (const int number = budget.toInt(); number > 0)
    panel_->setBudget(number, isTime);
  panel_->setBudgetOfEach(settings.flag(u"tuneBudgetOfEach"_s, false));
  if (const QString strategy = settings.text(u"tuneStrategy"_s); !strategy.isEmpty())
    panel_->setStrategy(strategy);
  if (const QString objective = settings.text(u"tuneObjective"_s); !objective.isEmpty())
    panel_->setObjective(objective);
  panel_->setFollows(settings.flag(u"tuneFollows"_s, true));
}

void TuningController::restoreDraft(const QString &tab) {
  knobs_->restoreDraft(tab);
  refresh();
}

bool TuningController::isSettled() const {
  return knobs_->isSettled() && !trials_->isReading() && !tuneWhenKnown_ && panel_->isIdle() &&
         !(typing_.isActive() && dock_->isVisible());
}

} // namespace fuselage
