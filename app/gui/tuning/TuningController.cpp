#include "app/gui/tuning/TuningController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/replies/ViewData.h"
#include "app/gui/run/DeviceList.h"
#include "app/gui/run/RunController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tuning/TuneJournals.h"
#include "app/gui/tuning/TuneSearch.h"
#include "app/gui/tuning/TuneTiles.h"
#include "views/models/Format.h"
#include "views/tiles/TileCanvas.h"
#include "views/tuning/KnobList.h"
#include "views/tuning/OutcomeText.h"
#include "views/tuning/TrialDialog.h"
#include "views/tuning/TrialViews.h"
#include "views/tuning/TuningPanel.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int typingMs = 400, watchingMs = 4;

static QJsonObject jsonOf(const QMap<QString, QString> &texts) {
  QJsonObject object;
  for (auto it = texts.begin(); it != texts.end(); ++it)
    object.insert(it.key(), it.value());
  return object;
}

TuningController::TuningController(Shell &shell, GraphController &graph, TextController &text,
                                   RunController &run, ScriptController &scripts,
                                   ScheduleController &schedule, TileController &tiles)
    : Controller(shell), panel_(new TuningPanel(&trials_)),
      dock_(shell.docks().add({.name = u"tuning"_s,
                               .title = tr("Tuning"),
                               .shortcut = u"Alt+G"_s,
                               .beside = u"run"_s,
                               .extent = 360},
                              panel_)),
      devices_(new DeviceList(session(), this)), run_(run), scripts_(scripts), schedule_(schedule),
      tiles_(new TuneTiles(session(), panel_->tile(), tiles, this)),
      search_(new TuneSearch(session(), this)),
      journals_(new TuneJournals(session(), shell.window(), this)), text_(text), graph_(graph) {
  connect(&watching_, &QTimer::timeout, this, &TuningController::checkShown);
  connect(&text, &TextController::selectionChanged, this, [this](int snapshot, NodeId id) {
    selectedSnapshot_ = snapshot;
    selected_ = id;
    place_ = id == noNode || !session().hasDocument() ? QString() : run_.dispatchPlace(id);
    refresh();
  });
  typing_.setSingleShot(true);
  connect(&scripts.edit(), &QPlainTextEdit::textChanged, this, [this] { typing_.start(typingMs); });
  connect(&scripts, &ScriptController::scriptChanged, this, [this] {
    if (!scripts_.isEmpty() && panel_->state() == TuningPanel::State::Idle)
      panel_->setSubject(TuningPanel::Subject::Schedule);
    typing_.start(0);
  });
  connect(&typing_, &QTimer::timeout, this, &TuningController::refresh);
  connect(search_, &TuneSearch::progressed, this, &TuningController::take);
  connect(search_, &TuneSearch::failed, this, &TuningController::stopWith);
  connect(devices_, &DeviceList::listed, panel_, &TuningPanel::setDevices);
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) {
      devices_->requestOnce();
      refresh();
    }
  });
  connectPanel();
  hintAtSubject();
}

void TuningController::connectPanel() {
  connect(panel_, &TuningPanel::subjectChanged, this, &TuningController::refresh);
  connect(panel_, &TuningPanel::tuneRequested, this, &TuningController::start);
  connect(panel_, &TuningPanel::pauseRequested, this,
          [this](bool pauses) { search_->control(pauses ? u"pause"_s : u"resume"_s); });
  connect(panel_, &TuningPanel::cancelRequested, this, [this] { search_->control(u"cancel"_s); });
  connect(panel_, &TuningPanel::journalRequested, this,
          [this] { journals_->choose(panel_->objective()); });
  connect(journals_, &TuneJournals::failed, this,
          [this](const QString &why) { panel_->setMessage(why, true); });
  connect(journals_, &TuneJournals::chosen, this,
          [this](const QList<protocol::TuneTrial> &trials, const QString &name) {
            tuned_ = shown_;
            baseline_.clear();
            forgetTrials();
            trials_.setTrials(trials);
            panel_->setProgress({}, 0, -1);
            panel_->setMessage(name, false);
          });
  connect(panel_, &TuningPanel::csvRequested, this, &TuningController::exportCsv);
  connect(panel_, &TuningPanel::bestRequested, this, [this] {
    if (trials_.best() >= 0)
      setKnobs(trials_.trials()[trials_.best()].parameters);
  });
  connect(panel_, &TuningPanel::followChanged, this, &TuningController::follow);
  connect(panel_, &TuningPanel::itemChosen, this, [this](int item) {
    item_ = item;
    showItem(item);
  });
  connect(&panel_->knobs(), &KnobList::valueChosen, this,
          [this](const QString &name, const QString &value) {
            QMap<QString, QString> values = panel_->knobs().values();
            values.insert(name, value);
            moved_.start();
            lastMilliseconds_ = -1;
            watching_.start(watchingMs);
            requestSpace(values, name);
          });
  connect(&panel_->knobs(), &KnobList::fixedChanged, this, &TuningController::refresh);
  connect(&panel_->trials(), &TrialViews::trialOpened, this, &TuningController::openTrial);
}

void TuningController::raise() { shell().docks().raise(dock_, 0.5); }

QJsonObject TuningController::subject() const {
  const bool isSchedule = panel_->subject() == TuningPanel::Subject::Schedule,
             isAll = panel_->subject() == TuningPanel::Subject::All;
  if (!session().hasDocument() || (isSchedule ? scripts_.isEmpty() : !isAll && place_.isEmpty()))
    return {};
  QJsonObject subject{{u"device"_s, panel_->device()}};
  if (const QJsonObject sizes = run_.dynamicSizes(); !sizes.isEmpty())
    subject[u"sizes"_s] = sizes;
  if (!isSchedule) {
    subject[u"snapshot"_s] = session().keptSteps();
    if (isAll)
      subject[u"all"_s] = true;
    else
      subject[u"dispatch"_s] = place_;
    return subject;
  }
  subject[u"snapshot"_s] = schedule_.startSnapshot();
  subject[u"path"_s] = scripts_.path().isEmpty() ? scripts_.fileName() : scripts_.path();
  subject[u"text"_s] = scripts_.text();
  if (const QMap<QString, QString> fixed = panel_->knobs().fixed();
      !fixed.isEmpty() && shown_.contains(u"path"_s))
    subject[u"fixed"_s] = jsonOf(fixed);
  return subject;
}

void TuningController::hintAtSubject() {
  if (!session().hasDocument())
    panel_->knobs().setHint(
        tr("No module is open"),
        tr("Open one, and a schedule with knobs, or select a dispatch in the graph."));
  else if (panel_->subject() == TuningPanel::Subject::Schedule)
    panel_->knobs().setHint(
        tr("No schedule is open"),
        tr("Open a script with transform.tune.knob in the Schedule panel, such as "
           "samples/schedules/batch_matmul_knobs.mlir; "
           "or tune a dispatch: what the pipeline chooses for it is a space, too."));
  else
    panel_->knobs().setHint(tr("No dispatch is selected"),
                            tr("Select a box of the graph, or an op in one."));
}

void TuningController::refresh() {
  panel_->setSubjects(scripts_.isEmpty() ? QString() : QFileInfo(scripts_.fileName()).fileName(),
                      withoutDirectories(place_));
  const bool isIdle = panel_->state() == TuningPanel::State::Idle;
  if (!dock_->isVisible() || !isIdle)
    return;
  if (scripts_.isEmpty() && !place_.isEmpty()) // there is nothing else
    panel_->setSubject(TuningPanel::Subject::Dispatch);
  const QJsonObject wanted = subject();
  if (wanted.isEmpty()) {
    shown_ = {};
    panel_->setRunnable(false);
    return hintAtSubject();
  }
  if (wanted == shown_ || !isReady())
    return;
  // Of the same knobs, they stay where they are: those of a script, or of a dispatch on one device.
  const auto isAlike = [&](const QString &key) { return shown_.value(key) == wanted.value(key); };
  const bool isSame = panel_->knobs().hasSpace() && isAlike(u"text"_s) && isAlike(u"dispatch"_s) &&
                      (wanted.contains(u"text"_s) || isAlike(u"device"_s));
  const QMap<QString, QString> values =
      isSame ? panel_->knobs().values() : QMap<QString, QString>();
  shown_ = wanted;
  panel_->setMessage({}, false);
  if (wanted.contains(u"all"_s))
    return showAll();
  requestSpace(values, {});
}

/// Each dispatch has knobs of its own, which are known once it is its turn.
void TuningController::showAll() {
  panel_->setRunnable(isReady());
  panel_->knobs().setHint(tr("All dispatches of the function"),
                          tr("Tune searches the sizes of each, the dearest first, equal ones once. "
                             "The budget is of all together: "
                             "some 40 trials a dispatch find most of what there is. What is faster "
                             "goes to the library that runs read."));
  tiles_->clear(tr("No dispatch is chosen"),
                tr("Choose one dispatch at the top left to see its tiles."));
  if (std::exchange(tuneWhenKnown_, false))
    start();
}

void TuningController::requestSpace(const QMap<QString, QString> &values, const QString &moved) {
  if (shown_.isEmpty())
    return;
  QJsonObject params = shown_;
  params[u"values"_s] = jsonOf(values);
  if (!moved.isEmpty())
    params[u"moved"_s] = moved;
  const bool moves = !moved.isEmpty();
  asked_ = session().client().call<protocol::TuneSpace>(
      u"tune/space"_s, params, this,
      [this, moves](const protocol::TuneSpace &space) {
        asked_ = 0;
        takeSpace(space);
        if (moves)
          follow();
        else if (space.tile && trials_.rowCount() == 0)
          panel_->trials().setCurrentWidget(&panel_->tile()); // there is nothing else to see yet
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::Cancelled) // another one is asked for
          return;
        asked_ = 0;
        tuneWhenKnown_ = false;
        shown_ = {};
        panel_->setRunnable(false);
        panel_->knobs().setHint(tr("There is nothing to tune"), error.message.section(u'\n', 0, 4));
      },
      u"tune/space"_s);
}

void TuningController::takeSpace(const protocol::TuneSpace &space) {
  panel_->knobs().setSpace(space, shown_.contains(u"path"_s));
  panel_->trials().setKnobs(space.knobs);
  panel_->setRunnable(space.problem.isEmpty() && isReady());
  showTile(space);
  if (std::exchange(tuneWhenKnown_, false))
    start();
}

void TuningController::showTile(const protocol::TuneSpace &space) {
  const bool isScript = shown_.contains(u"path"_s);
  if (!space.tile && isScript)
    return tiles_->clear(tr("The tiles are not known"),
                         tr("They are of an op that a transform.structured.match finds by its name "
                            "alone, with sizes that follow from the knobs."));
  if (!space.tile || (!isScript && selected_ < 0))
    return tiles_->clear(
        tr("The pipeline chooses the tiles"),
        tr("Move a knob of a GPU's dispatch away from 0, and its tiles are shown here."));
  tiles_->show(isScript ? schedule_.startSnapshot() : selectedSnapshot_,
               isScript ? space.tile->op : selected_, space.tile->sizes, run_.dynamicSizes());
}

void TuningController::checkShown() {
  const bool follows = panel_->follows() && shown_.contains(u"path"_s),
             awaitsPlace =
                 follows && !(schedule_.isSettled() && graph_.isSettled() && text_.isSettled());
  if (asked_ != 0 || !tiles_->isSettled() || awaitsPlace)
    return;
  watching_.stop();
  lastMilliseconds_ = double(moved_.nsecsElapsed()) / 1e6;
}

void TuningController::setKnobs(const QMap<QString, QString> &values) {
  if (shown_.contains(u"all"_s)) // each dispatch has knobs of its own
    return;
  requestSpace(values, values.isEmpty() ? QString() : values.firstKey());
}

void TuningController::follow() {
  if (panel_->follows() && dock_->isVisible() && shown_.contains(u"path"_s) &&
      panel_->state() == TuningPanel::State::Idle)
    schedule_.runWithKnobs(panel_->knobs().values());
}

void TuningController::tuneOn(const QString &device, int trials) {
  raise();
  panel_->setDevice(device);
  panel_->setBudget(trials, false);
  tuneWhenKnown_ = true;
  shown_ = {};
  refresh();
}

void TuningController::start() {
  if (shown_.isEmpty() || panel_->state() != TuningPanel::State::Idle)
    return;
  raise();
  QJsonObject params = shown_;
  params[panel_->isBudgetTime() ? u"seconds"_s : u"trials"_s] = panel_->budget();
  params[u"strategy"_s] = panel_->strategy();
  params[u"objective"_s] = panel_->objective();
  tuned_ = shown_;
  baseline_.clear();
  forgetTrials();
  panel_->setMessage({}, false);
  panel_->setState(TuningPanel::State::Starting);
  panel_->setProgress({}, 0, -1);
  if (panel_->trials().currentWidget() == &panel_->tile())
    panel_->showSearch();
  search_->start(params);
}

void TuningController::stopWith(const QString &problem) {
  panel_->setState(TuningPanel::State::Idle);
  panel_->setProgress({}, 0, -1);
  panel_->setMessage(problem, true);
}

void TuningController::take(const protocol::TuneProgress &progress) {
  const int running = progress.isRunning && progress.begin ? progress.begin->item : -1;
  if (item_ < 0 && running >= 0 && running != shownItem_) {
    showItem(running);
  } else {
    QList<protocol::TuneTrial> fresh;
    for (const protocol::TuneTrial &trial : progress.trials)
      if (trial.work == shownItem_)
        fresh.append(trial);
    trials_.append(fresh);
  }
  panel_->setPlan(progress.plan, running, search_->roofs());
  panel_->setState(!progress.isRunning ? TuningPanel::State::Idle
                   : progress.isPaused ? TuningPanel::State::Paused
                                       : TuningPanel::State::Running);
  panel_->setProgress(progress.begin, progress.elapsed, progress.remaining);
  if (!progress.isRunning)
    finish(progress);
  else if (trials_.best() >= 0)
    panel_->setMessage(tr("Best so far: %1, %2 as fast as the baseline")
                           .arg(pointText(trials_.trials()[trials_.best()].parameters),
                                formatSpeed(speedOf(trials_.trials()[trials_.best()]))),
                       false);
}

void TuningController::showItem(int item) {
  shownItem_ = item;
  trials_.setTrials(search_->trialsOf(item));
}

void TuningController::forgetTrials() {
  search_->forget();
  trials_.setTrials({});
  item_ = -1;
  shownItem_ = 0;
  panel_->setPlan({}, -1, std::nullopt);
}

void TuningController::finish(const protocol::TuneProgress &progress) {
  const auto &outcome = progress.outcome;
  const bool isCancelled = progress.problem == "cancelled"_L1;
  if (!outcome) {
    panel_->setMessage(isCancelled ? tr("Cancelled") : QString(progress.problem), !isCancelled);
    return refresh();
  }
  baseline_ = outcome->baseline;
  panel_->setMessage(outcomeText(progress),
                     progress.plan.items.size() < 2 && outcome->best.isEmpty());
  if (progress.plan.items.size() < 2)
    requestSpace(panel_->knobs().values(), {}); // it can say what the trials make likely
  refresh();
}

void TuningController::openTrial(int row) {
  if (row < 0 || row >= trials_.rowCount())
    return;
  const protocol::TuneTrial trial = trials_.trials()[row];
  if (!tuned_.contains(u"path"_s))
    return setKnobs(trial.parameters);
  QJsonObject params = tuned_;
  params[u"values"_s] = jsonOf(trial.parameters);
  params[u"baseline"_s] = jsonOf(baseline_);
  session().client().call<ScheduleDiff>(
      u"tune/schedule"_s, params, this,
      [this, trial](const ScheduleDiff &shown) {
        auto *dialog = new TrialDialog(&shell().window());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setTrial(trial, shown.before, shown.after, shown.diff);
        connect(dialog, &TrialDialog::applyRequested, this, &TuningController::setKnobs);
        connect(dialog, &TrialDialog::editRequested, this, [this](const QString &text) {
          if (scripts_.newScript(text))
            scripts_.showEditor();
        });
        dialog->show();
      },
      [this](const protocol::Error &error) { panel_->setMessage(error.message, true); });
}

void TuningController::exportCsv() {
  const QString name = QFileInfo(session().document().path).completeBaseName() + u"-trials.csv"_s;
  const QString path = QFileDialog::getSaveFileName(&shell().window(), tr("Export the trials"),
                                                    name, tr("CSV (*.csv);;All files (*)"));
  if (path.isEmpty())
    return;
  QSaveFile file(path);
  const QByteArray bytes = trials_.csv();
  if (file.open(QFile::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
    shell().tell(tr("Written: %1").arg(path));
  else
    panel_->setMessage(tr("%1 cannot be written: %2").arg(path, file.errorString()), true);
}

void TuningController::showJournal(const QString &path) {
  journals_->show(path, panel_->objective());
}

void TuningController::forget() {
  search_->stop();
  watching_.stop();
  asked_ = 0;
  shown_ = tuned_ = {};
  panel_->setState(TuningPanel::State::Idle);
  panel_->setProgress({}, 0, -1);
}

void TuningController::opened(const protocol::Document &) {
  if (panel_->state() != TuningPanel::State::Idle)
    search_->control(u"cancel"_s); // it was of another document
  forget();
  place_.clear();
  forgetTrials();
  panel_->setMessage({}, false);
  hintAtSubject();
}

void TuningController::stepShown(const ShownStep &step) {
  if (!step.isPlace)
    refresh();
}

void TuningController::sessionChanged() {
  if (dock_->isVisible())
    devices_->requestOnce();
  panel_->setRunnable(isReady() && panel_->knobs().hasSpace() &&
                      panel_->knobs().space().problem.isEmpty());
  refresh();
}

void TuningController::engineDied(const CrashReport &) {
  const bool wasTuning = panel_->state() != TuningPanel::State::Idle;
  forget();
  if (wasTuning)
    panel_->setMessage(tr("The engine ended, and the tuning with it; its trials are in the "
                          "journal: Tune goes on behind them"),
                       true);
}

void TuningController::engineRecovered(int) { refresh(); }

void TuningController::saveState(Settings &settings) const {
  Controller::saveState(settings);
  settings.setText(u"tuneDevice"_s, panel_->device());
  settings.setText(u"tuneBudget"_s, QString::number(panel_->budget()) +
                                        (panel_->isBudgetTime() ? u"s"_s : QString()));
  settings.setText(u"tuneStrategy"_s, panel_->strategy());
  settings.setText(u"tuneObjective"_s, panel_->objective());
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
  if (const QString strategy = settings.text(u"tuneStrategy"_s); !strategy.isEmpty())
    panel_->setStrategy(strategy);
  if (const QString objective = settings.text(u"tuneObjective"_s); !objective.isEmpty())
    panel_->setObjective(objective);
  panel_->setFollows(settings.flag(u"tuneFollows"_s, true));
}

bool TuningController::isSettled() const {
  return asked_ == 0 && !tuneWhenKnown_ && tiles_->isSettled() &&
         panel_->state() == TuningPanel::State::Idle && !(typing_.isActive() && dock_->isVisible());
}

} // namespace fuselage
