#include "app/gui/baselines/BaselinesController.h"
#include "app/gui/baselines/DifferencesPanel.h"
#include "app/gui/run/RunController.h"
#include "app/gui/shell/Drafts.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "views/panels/RunPanel.h"
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QJsonArray>
#include <QMessageBox>
#include <QSaveFile>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Runs of a session that are kept in memory.
static constexpr int mostRuns = 12;

BaselinesController::BaselinesController(Shell &shell, StepsController &steps, RunController &run)
    : Controller(shell), panel_([] { return new DifferencesPanel; }), steps_(steps), run_(run) {
  addCommands();
  run.tellPanel([this](RunPanel &panel) { panel.addTab(panel_.place(), tr("Differences")); });
  panel_.tell([this](DifferencesPanel &panel) {
    panel.setBaselineActions({keep_, rename_, remove_});
    connect(&panel, &DifferencesPanel::chosen, this, &BaselinesController::updateActions);
    connect(&panel, &DifferencesPanel::csvRequested, this, &BaselinesController::exportCsv);
  });
  connect(&run, &RunController::ran, this, &BaselinesController::take);
  updateActions();
}

DifferencesPanel &BaselinesController::panel() { return panel_.get(); }
int BaselinesController::before() const { return panel_.isMade() ? panel_->before() : -1; }
int BaselinesController::after() const { return panel_.isMade() ? panel_->after() : -1; }

void BaselinesController::addCommands() {
  keep_ = command(tr("&Keep Run as Baseline\u2026"), u"bookmark"_s);
  keep_->setToolTip(tr("Keep the times of the last run with the document, under a name, to compare others with"));
  rename_ = command(tr("Rena&me Baseline\u2026"));
  remove_ = command(tr("Delete &Baseline\u2026"));
  compare_ = command(tr("&Compare Runs"), u"diff"_s);
  compare_->setToolTip(tr("Two runs, or a run and a baseline, as a table of differences"));
  on(keep_, [this] { askAndKeep(); });
  on(rename_, [this] { askAndRename(); });
  on(remove_, [this] { askAndRemove(); });
  on(compare_, [this] { raise(); });
  shell().menus().add(Place::RunBaselines, {compare_, keep_, rename_, remove_});
}

void BaselinesController::raise() {
  run_.showTab(panel_.place());
  panel_->setFocus(Qt::ShortcutFocusReason);
}

qsizetype BaselinesController::baselineCount() const {
  return std::count_if(runs_.begin(), runs_.end(), [](const KeptRun &run) { return run.isBaseline(); });
}

const KeptRun *BaselinesController::findRun(const QString &program, const QString &device) const {
  const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const KeptRun &run) {
    return !run.isBaseline() && run.program == program && (device.isEmpty() || run.run.device == device.toStdString());
  });
  return found == runs_.end() ? nullptr : &*found;
}

static bool isSame(const KeptRun &one, const KeptRun &other) {
  return one.name == other.name && one.when == other.when && one.program == other.program;
}

static int indexOfRun(const QList<KeptRun> &runs, const KeptRun &run) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const KeptRun &one) { return isSame(one, run); });
  return found == runs.end() ? -1 : int(found - runs.begin());
}

/// What the new run is compared with: the chosen baseline, else the last run that differs from it.
static int partnerOf(const QList<KeptRun> &runs, const KeptRun &run, const KeptRun *chosen) {
  if (chosen && chosen->isBaseline())
    return indexOfRun(runs, *chosen);
  const auto other = std::find_if(runs.begin(), runs.end(), [&](const KeptRun &one) {
    return !one.isBaseline() && (one.program != run.program || one.run.device != run.run.device);
  });
  if (other != runs.end())
    return int(other - runs.begin());
  for (int i = 0; i < runs.size(); ++i)
    if (!isSame(runs[i], run))
      return i;
  return -1;
}

void BaselinesController::take(const protocol::RunReport &report, int snapshot, const QString &dispatch) {
  if (report.cancelled || report.kernels.isEmpty() || !dispatch.isEmpty())
    return;
  KeptRun run = keptRun(report);
  run.of = steps_.nameOf(snapshot);
  run.program = session().programKey(snapshot);
  run.file = RunController::stampOf(session().document().path);
  const std::optional<KeptRun> chosen = before() < 0 ? std::nullopt : std::optional(runs_[before()]);
  const qsizetype first = baselineCount();
  runs_.insert(first, run);
  while (runs_.size() - first > mostRuns)
    runs_.removeLast();
  show(partnerOf(runs_, run, chosen ? &*chosen : nullptr), int(first));
  emit ran();
}

void BaselinesController::show(int before, int after) {
  if (panel_.isMade() || !runs_.isEmpty())
    panel_->setRuns(runs_, before, after);
  updateActions();
}

void BaselinesController::compare(const KeptRun &before, const KeptRun &after) {
  run_.showTab(panel_.place());
  panel_->choose(indexOfRun(runs_, before), indexOfRun(runs_, after));
  updateActions();
}

int BaselinesController::indexOf(const QString &name) const {
  for (int i = 0; i < runs_.size(); ++i)
    if (runs_[i].isBaseline() && runs_[i].name == name)
      return i;
  return -1;
}

int BaselinesController::keep(const KeptRun &run, const QString &name) {
  const std::optional<KeptRun> after = this->after() < 0 ? std::nullopt : std::optional(runs_[this->after()]);
  KeptRun kept = run;
  kept.name = name;
  int index = indexOf(name);
  if (index >= 0)
    runs_[index] = kept;
  else
    runs_.insert(index = int(baselineCount()), kept);
  save();
  show(index, after ? indexOfRun(runs_, *after) : -1);
  shell().tell(tr("Baseline: %1").arg(kept.title()));
  return index;
}

void BaselinesController::rename(int baseline, const QString &name) {
  if (name.isEmpty() || indexOf(name) >= 0)
    return;
  const int before = this->before(), after = this->after();
  runs_[baseline].name = name;
  save();
  show(before, after);
}

void BaselinesController::remove(int baseline) {
  const int before = this->before(), after = this->after();
  shell().tell(tr("Deleted the baseline %1").arg(runs_[baseline].name));
  runs_.removeAt(baseline);
  save();
  const auto moved = [baseline](int index) { return index == baseline ? -1 : index - (index > baseline); };
  show(moved(before), moved(after));
}

int BaselinesController::chosenBaseline() const {
  for (const int index : {before(), after()})
    if (index >= 0 && runs_[index].isBaseline())
      return index;
  return -1;
}

void BaselinesController::updateActions() {
  keep_->setEnabled(baselineCount() < runs_.size());
  rename_->setEnabled(chosenBaseline() >= 0);
  remove_->setEnabled(chosenBaseline() >= 0);
}

/// The run in the box After, if it is one of this session, else the last one.
void BaselinesController::askAndKeep() {
  const int after = this->after();
  const KeptRun run = after >= 0 && !runs_[after].isBaseline() ? runs_[after] : runs_[baselineCount()];
  bool isGiven = false;
  const QString name =
      QInputDialog::getText(&shell().window(), tr("Keep Run as Baseline"),
                            tr("Name of the baseline (%1):").arg(run.title()), QLineEdit::Normal,
                            tr("%1 on %2").arg(run.of, QString::fromStdString(run.run.device)), &isGiven)
          .trimmed();
  if (!isGiven || name.isEmpty())
    return;
  if (indexOf(name) >= 0 && QMessageBox::question(&shell().window(), tr("Keep Run as Baseline"),
                                                  tr("Replace the baseline %1?").arg(name)) != QMessageBox::Yes)
    return;
  keep(run, name);
}

void BaselinesController::askAndRename() {
  const int baseline = chosenBaseline();
  bool isGiven = false;
  const QString name = QInputDialog::getText(&shell().window(), tr("Rename Baseline"), tr("Name of the baseline:"),
                                             QLineEdit::Normal, runs_[baseline].name, &isGiven)
                           .trimmed();
  if (!isGiven || name.isEmpty() || name == runs_[baseline].name)
    return;
  if (indexOf(name) >= 0)
    shell().tell(tr("There is a baseline %1 already").arg(name));
  else
    rename(baseline, name);
}

void BaselinesController::askAndRemove() {
  const int baseline = chosenBaseline();
  if (QMessageBox::question(&shell().window(), tr("Delete Baseline"),
                            tr("Delete the baseline %1? Its times are lost.").arg(runs_[baseline].name)) ==
      QMessageBox::Yes)
    remove(baseline);
}

void BaselinesController::exportCsv() {
  const QString name = QFileInfo(session().document().path).completeBaseName() + u"-differences.csv"_s;
  const QString path = QFileDialog::getSaveFileName(&shell().window(), tr("Export the differences"), name,
                                                    tr("CSV (*.csv);;All files (*)"));
  if (path.isEmpty())
    return;
  QSaveFile file(path);
  const QByteArray text = QByteArray::fromStdString(differencesCsv(panel_->model().differences()));
  if (file.open(QFile::WriteOnly) && file.write(text) == text.size() && file.flush() && file.commit())
    shell().tellExported(path);
  else
    shell().tell(tr("%1 cannot be written: %2").arg(path, file.errorString()));
}

/// At once: a baseline outlives a window that is killed.
void BaselinesController::save() {
  QJsonArray baselines;
  for (const KeptRun &run : runs_)
    if (run.isBaseline())
      baselines.append(toJson(run));
  Drafts &drafts = settings().drafts();
  drafts.keep({u"baselines"_s, session().document().path},
              baselines.isEmpty() ? QJsonObject() : QJsonObject{{u"baselines"_s, baselines}});
  drafts.flush();
}

void BaselinesController::load() {
  const QJsonObject kept = settings().drafts().find({u"baselines"_s, session().document().path});
  for (const QJsonValue baseline : kept["baselines"_L1].toArray())
    if (const KeptRun run = keptRunOf(baseline.toObject()); run.isBaseline() && !run.run.dispatches.empty())
      runs_.append(run);
}

void BaselinesController::opened(const protocol::Document &) {
  runs_.clear();
  load();
  show(runs_.isEmpty() ? -1 : 0, -1);
}

} // namespace fuselage
