#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/shell/Settings.h"
#include "views/panels/SchedulePanel.h"
#include <QDockWidget>
#include <QFileDialog>

using namespace Qt::StringLiterals;

namespace fuselage {

ScheduleController::ScheduleController(Shell &shell, ScriptController &scripts, GraphController &graph, TextController &text)
    : Controller(shell), scripts_(scripts), panel_(new SchedulePanel(&steps_, &handles_)),
      dock_(shell.docks().add(
          {.name = u"schedule"_s, .title = tr("Schedule"), .shortcut = u"Alt+K"_s, .beside = u"run"_s, .extent = 320}, panel_)),
      places_(shell, graph, text, handles_) {
  connect(panel_, &SchedulePanel::fileRequested, this, &ScheduleController::chooseFile);
  connect(panel_, &SchedulePanel::runRequested, this, &ScheduleController::run);
  connect(panel_, &SchedulePanel::positionChanged, this, &ScheduleController::request);
  connect(panel_, &SchedulePanel::followChanged, this,
          [this](bool follows) { follows ? request(panel_->position()) : places_.leave(); });
  connect(panel_, &SchedulePanel::handleChosen, this, [this](int row) {
    if (const protocol::ScheduleHandle *handle = handles_.handleAt(row))
      places_.select(*handle);
  });
  connect(&scripts_, &ScriptController::scriptChanged, this, [this] { panel_->setPath(scripts_.path()); });
  connect(&scripts_.edit(), &QPlainTextEdit::textChanged, this, [this] { panel_->setRunnable(isReady(), !scripts_.isEmpty()); });
  connect(panel_, &SchedulePanel::cancelRequested, this, [this] {
    if (asked_)
      session().client().cancel(asked_);
  });
}

void ScheduleController::raise() { shell().docks().raise(dock_); }

void ScheduleController::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(&shell().window(), tr("Run a schedule"), panel_->path(),
                                                    tr("Transform scripts (*.mlir);;All files (*)"));
  if (!path.isEmpty())
    runScript(path);
}

void ScheduleController::runScript(const QString &path) {
  raise();
  panel_->setPath(path);
  run();
}

void ScheduleController::run() {
  if (!isReady() || asked_ || !takePath())
    return;
  const QString path = panel_->path().isEmpty() ? scripts_.fileName() : panel_->path();
  // What the editor cannot hold, the engine may: a file on its machine, or bytecode.
  const QString text = panel_->path() == scripts_.path() ? scripts_.text() : QString();
  forget(tr("Running \u2026"), path);
  panel_->setBusy(true);
  asked_ = session().client().call<protocol::ScheduleTrace>(
      u"schedule/trace"_s,
      {{u"snapshot"_s, places_.stepSnapshot()}, {u"path"_s, path}, {u"text"_s, text}, {u"normalize"_s, panel_->normalizes()}}, this,
      [this](const protocol::ScheduleTrace &trace) {
        finish();
        show(trace);
      },
      [this](const protocol::Error &error) {
        finish();
        if (error.code == protocol::Error::Cancelled)
          return forget(tr("Cancelled"), {});
        forget(tr("The schedule did not run"), error.message.section(u'\n', 0, 4));
        if (error.code != protocol::Error::EngineGone)
          emit shell().errorReported(u"schedule"_s, tr("The schedule did not run"), error);
      });
}

/// The script that the panel names is in the editor then, if it can be. False: there is none, or the user keeps another.
bool ScheduleController::takePath() {
  const QString path = panel_->path();
  if (path == scripts_.path())
    return !scripts_.isEmpty();
  QString why;
  const bool isOpen = scripts_.open(path, &why);
  return isOpen || !why.isEmpty();
}

/// Stands at the first failure, else at the end.
void ScheduleController::show(const protocol::ScheduleTrace &trace) {
  steps_.setTrace(trace);
  const int applied = int(std::count_if(trace.steps.begin(), trace.steps.end(), [](const protocol::ScheduleStep &step) { return !step.end; }));
  QStringList words{applied == 1 ? tr("1 application") : tr("%1 applications").arg(applied), tr("%1 ms").arg(trace.milliseconds, 0, 'f', 1)};
  if (trace.failed)
    words.append(tr("failed"));
  QString text = words.join(u", "_s);
  for (const protocol::Diagnostic &note : trace.diagnostics)
    text += u"\n"_s + (note.line > 0 ? tr("Line %1: %2").arg(note.line).arg(note.message) : QString(note.message));
  panel_->setSummary(text);
  panel_->offerNormalizing(trace.failed && !panel_->normalizes() &&
                           std::any_of(trace.diagnostics.begin(), trace.diagnostics.end(),
                                       [](const protocol::Diagnostic &note) { return note.severity == "remark"_L1; }));
  const int failure = trace.failed ? steps_.firstFailure() : -1;
  panel_->setPosition(failure >= 0 ? failure : steps_.rowCount() - 1);
}

void ScheduleController::forget(const QString &title, const QString &hint) {
  places_.leave();
  steps_.setTrace({});
  panel_->showPosition({});
  panel_->setSummary({});
  panel_->offerNormalizing(false);
  panel_->setHint(title, hint);
}

void ScheduleController::request(int row) {
  if (!isReady() || row < 0)
    return;
  awaitsPlace_ = true;
  session().client().call<protocol::SchedulePosition>(
      u"schedule/position"_s, {{u"step"_s, row}}, this,
      [this, row](const protocol::SchedulePosition &position) {
        if (panel_->position() != row) // it has gone on
          return;
        awaitsPlace_ = false;
        panel_->showPosition(position);
        showPlace(position);
      },
      [this](const protocol::Error &error) {
        awaitsPlace_ = false;
        if (error.code != protocol::Error::EngineGone && error.code != protocol::Error::Cancelled)
          emit shell().errorReported(u"schedule"_s, tr("The place cannot be shown"), error);
      });
}

void ScheduleController::showPlace(const protocol::SchedulePosition &position) {
  const protocol::ScheduleStep *step = steps_.stepAt(position.step);
  if (!panel_->follows() || !step)
    return;
  const QString line = step->line > 0 ? tr("line %1").arg(step->line) : QString(step->name);
  places_.show(position, steps_.appliedBefore(position.step),
               step->end ? tr("at the end of the block, %1").arg(line) : tr("in front of %1").arg(line));
}

void ScheduleController::finish() {
  asked_ = 0;
  panel_->setBusy(false);
}

void ScheduleController::opened(const protocol::Document &) {
  forget(tr("No schedule has run"),
         tr("Choose a transform-dialect script: every application becomes a step, with the handles in front of it."));
}

void ScheduleController::stepShown(const ShownStep &step) { places_.stepShown(step); }

void ScheduleController::sessionChanged() { panel_->setRunnable(isReady(), !scripts_.isEmpty()); }

/// The script took the engine with it, most likely: the trace is gone.
void ScheduleController::engineDied(const CrashReport &) {
  const bool wasRunning = asked_ != 0;
  awaitsPlace_ = false;
  finish();
  places_.leave();
  if (wasRunning)
    forget(tr("The engine ended while the schedule ran"), tr("The problems list says at which line."));
  else if (steps_.rowCount() > 0)
    forget(tr("The engine was started again"), tr("Run the schedule once more to look at its places."));
}

void ScheduleController::saveState(Settings &settings) const {
  settings.setText(u"schedule"_s, panel_->path());
  settings.setFlag(u"scheduleFollows"_s, panel_->follows());
}

void ScheduleController::restoreState(const Settings &settings) {
  panel_->setPath(settings.text(u"schedule"_s));
  panel_->setFollows(settings.flag(u"scheduleFollows"_s, true));
}

} // namespace fuselage
