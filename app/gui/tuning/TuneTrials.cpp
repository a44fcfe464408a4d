#include "app/gui/tuning/TuneTrials.h"
#include "app/gui/replies/ViewData.h"
#include "app/gui/tuning/TuneJournals.h"
#include "app/gui/tuning/TuneKnobs.h"
#include "app/gui/tuning/TuneSearch.h"
#include "views/tiles/TileCanvas.h"
#include "views/tuning/OutcomeText.h"
#include "views/tuning/TrialDialog.h"
#include "views/tuning/TrialViews.h"
#include "views/tuning/TuningPanel.h"
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace fuselage {

TuneTrials::TuneTrials(Shell &shell, TuningPanel &panel, TrialModel &model, QObject *parent)
    : QObject(parent), shell_(shell), panel_(panel), model_(model), search_(new TuneSearch(shell.session(), this)),
      journals_(new TuneJournals(shell.session(), shell.window(), this)) {
  connect(search_, &TuneSearch::progressed, this, &TuneTrials::take);
  connect(search_, &TuneSearch::failed, this, &TuneTrials::stopWith);
  connect(journals_, &TuneJournals::failed, this, [this](const QString &why) { panel_.setMessage(why, true); });
  connect(journals_, &TuneJournals::begun, this, [this] {
    baseline_.clear();
    forget();
    panel_.setProgress({}, 0, -1);
  });
  connect(journals_, &TuneJournals::arrived, this,
          [this](const QList<protocol::TuneTrial> &trials, const QString &text) {
            model_.append(trials);
            panel_.setMessage(text, false);
          });
  connectPanel();
}

void TuneTrials::connectPanel() {
  connect(&panel_, &TuningPanel::pauseRequested, this,
          [this](bool pauses) { search_->control(pauses ? method::TuneAction::Pause : method::TuneAction::Resume); });
  connect(&panel_, &TuningPanel::cancelRequested, this, [this] { search_->control(method::TuneAction::Cancel); });
  connect(&panel_, &TuningPanel::journalRequested, this, [this] { journals_->choose(panel_.objective()); });
  connect(&panel_, &TuningPanel::ownJournalRequested, this, [this] { showJournal({}); });
  connect(&panel_, &TuningPanel::csvRequested, this, &TuneTrials::exportCsv);
  connect(&panel_, &TuningPanel::bestRequested, this, [this] {
    if (model_.best() >= 0)
      emit pointWanted(model_.trials().at(model_.best()).parameters);
  });
  connect(&panel_, &TuningPanel::itemChosen, this, [this](int item) {
    item_ = item;
    showItem(item);
  });
  connect(&panel_.trials(), &TrialViews::trialOpened, this, &TuneTrials::open);
}

void TuneTrials::start(const method::TuneSubject<protocol::QtTypes> &subject) {
  protocol::Request<method::StartTuning> request{.subject = subject,
                                                 .strategy = panel_.strategy(),
                                                 .objective = panel_.objective(),
                                                 .each = panel_.isBudgetOfEach()};
  if (panel_.isBudgetTime())
    request.seconds = panel_.budget();
  else
    request.trials = panel_.budget();
  subject_ = subject;
  baseline_.clear();
  forget();
  panel_.setMessage({}, false);
  panel_.setState(TuningPanel::State::Starting);
  panel_.setProgress({}, 0, -1);
  if (panel_.trials().currentWidget() == &panel_.tile())
    panel_.showSearch();
  search_->start(request);
}

void TuneTrials::stopWith(const QString &problem) {
  panel_.setState(TuningPanel::State::Idle);
  panel_.setProgress({}, 0, -1);
  panel_.setMessage(problem, true);
}

void TuneTrials::take(const protocol::TuneProgress &progress) {
  const int running = progress.isRunning && progress.begin ? progress.begin->item : -1;
  if (item_ < 0 && running >= 0 && running != shownItem_) {
    showItem(running);
  } else {
    QList<protocol::TuneTrial> fresh;
    for (const protocol::TuneTrial &trial : progress.trials)
      if (trial.work == shownItem_)
        fresh.append(trial);
    model_.append(fresh);
  }
  panel_.setPlan(progress.plan, running, search_->peaks());
  panel_.setState(!progress.isRunning ? TuningPanel::State::Idle
                  : progress.isPaused ? TuningPanel::State::Paused
                                      : TuningPanel::State::Running);
  panel_.setProgress(progress.begin, progress.elapsed, progress.remaining);
  if (!progress.isRunning)
    return finish(progress);
  const int best = model_.best();
  tell(best < 0 ? QString()
                : tr("Best so far: %1, %2 as fast as the baseline")
                      .arg(pointText(model_.trials().at(best).parameters), formatSpeed(model_.trials().speed(best))),
       progress, false);
}

/// With what the search said beside, in lines below.
void TuneTrials::tell(const QString &text, const protocol::TuneProgress &progress, bool isError) {
  QStringList lines{text, notesText(progress, search_->note())};
  lines.removeAll(QString());
  panel_.setMessage(lines.join(u'\n'), isError);
}

void TuneTrials::showItem(int item) {
  shownItem_ = item;
  model_.setTrials(search_->trialsOf(item));
}

void TuneTrials::forget() {
  journals_->stop();
  search_->forget();
  model_.setTrials({});
  item_ = -1;
  shownItem_ = 0;
  panel_.setPlan({}, -1, std::nullopt);
}

void TuneTrials::finish(const protocol::TuneProgress &progress) {
  const auto &outcome = progress.outcome;
  const bool isCancelled = progress.problem == "cancelled"_L1;
  if (outcome) {
    baseline_ = outcome->baseline;
    tell(outcomeText(progress), progress, progress.plan.items.size() < 2 && outcome->best.isEmpty());
  } else {
    tell(isCancelled ? tr("Cancelled") : QString(progress.problem), progress, !isCancelled);
  }
  emit ended();
}

void TuneTrials::open(int row) {
  if (row < 0 || row >= model_.rowCount())
    return;
  const protocol::TuneTrial trial = model_.trials().at(row);
  if (subject_.path.isEmpty())
    return emit pointWanted(trial.parameters);
  shell_.session().client().call<method::CompareSchedules, ScheduleDiff>(
      {.subject = subject_, .values = trial.parameters, .baseline = baseline_}, this,
      [this, trial](const ScheduleDiff &shown) {
        auto *dialog = new TrialDialog(&shell_.window());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setTrial(trial, shown.before, shown.after, shown.diff);
        connect(dialog, &TrialDialog::applyRequested, this, &TuneTrials::pointWanted);
        connect(dialog, &TrialDialog::editRequested, this, &TuneTrials::scheduleWanted);
        dialog->show();
      },
      [this](const protocol::Error &error) { panel_.setMessage(error.message, true); });
}

void TuneTrials::exportCsv() {
  const QString name = QFileInfo(shell_.session().document().path).completeBaseName() + u"-trials.csv"_s;
  const QString path =
      QFileDialog::getSaveFileName(&shell_.window(), tr("Export the trials"), name, tr("CSV (*.csv);;All files (*)"));
  if (path.isEmpty())
    return;
  QSaveFile file(path);
  const QByteArray bytes = model_.csv();
  if (file.open(QFile::WriteOnly) && file.write(bytes) == bytes.size() && file.flush() && file.commit())
    shell_.tellExported(path);
  else
    panel_.setMessage(tr("%1 cannot be written: %2").arg(path, file.errorString()), true);
}

void TuneTrials::showJournal(const QString &path) { journals_->show(path, panel_.objective()); }

bool TuneTrials::isReading() const { return journals_->isReading(); }

void TuneTrials::opened() {
  if (!panel_.isIdle())
    search_->control(method::TuneAction::Cancel); // it was of another document
  engineDied();
  forget();
  panel_.setMessage({}, false);
}

bool TuneTrials::engineDied() {
  const bool wasTuning = !panel_.isIdle();
  search_->stop();
  journals_->stop();
  subject_ = {};
  panel_.setState(TuningPanel::State::Idle);
  panel_.setProgress({}, 0, -1);
  return wasTuning;
}

} // namespace fuselage
