#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/ScheduleMethods.h"
#include "views/panels/SchedulePanel.h"
#include "views/widgets/StepChip.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QRegularExpression>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace fuselage {

/// What a transform has to come to its end when it is cancelled.
static constexpr int cancelGraceMs = 2000;

ScheduleController::ScheduleController(Shell &shell, ScriptController &scripts, StepsController &list,
                                       GraphController &graph, TextController &text)
    : Controller(shell), scripts_(scripts), list_(list), panel_(new SchedulePanel(&steps_, &handles_)),
      dock_(shell.docks().add(
          {.name = u"schedule"_s, .title = tr("Schedule"), .shortcut = u"Alt+K"_s, .beside = u"run"_s, .extent = 320},
          panel_)),
      places_(shell, graph, text, handles_) {
  connect(panel_, &SchedulePanel::fileRequested, this, &ScheduleController::chooseFile);
  connect(panel_, &SchedulePanel::runRequested, this, [this] { run(Stop()); });
  connect(panel_, &SchedulePanel::positionChanged, this, &ScheduleController::request);
  connect(panel_, &SchedulePanel::followChanged, this,
          [this](bool follows) { follows ? request(panel_->position()) : places_.place().leave(); });
  connect(panel_, &SchedulePanel::handleChosen, this, [this](int row) {
    if (const protocol::ScheduleHandle *handle = handles_.handleAt(row))
      places_.select(*handle);
  });
  connect(panel_, &SchedulePanel::cancelRequested, this, &ScheduleController::cancel);
  connect(panel_, &SchedulePanel::recordRequested, this, &ScheduleController::recordAsSteps);
  connect(&shell.docks().chip(dock_), &StepChip::clicked, this, [this] {
    if (isOver_)
      return forget(tr("No schedule has run"), {});
    list_.goTo(tracedSnapshot_);
  });
  connectEditor();
}

void ScheduleController::connectEditor() {
  ScriptEdit &edit = scripts_.edit();
  connect(&scripts_, &ScriptController::scriptChanged, this, [this] { panel_->setPath(scripts_.path()); });
  connect(&edit, &QPlainTextEdit::textChanged, this, [this] { panel_->setRunnable(isReady(), !scripts_.isEmpty()); });
  connect(panel_, &SchedulePanel::continueRequested, this, &ScheduleController::continueTo);
  connect(&edit, &ScriptEdit::continueRequested, this, &ScheduleController::continueTo);
  connect(&edit, &ScriptEdit::runToLineRequested, this, &ScheduleController::runToLine);
  connect(panel_, &SchedulePanel::stepActivated, this, [this](int row) {
    const int line = steps_.lineIn(tracedPath_, row);
    scripts_.showEditor();
    if (line > 0)
      scripts_.edit().goToLine(scripts_.edit().lineNow(line));
    scripts_.edit().setFocus();
  });
  edit.addActions(panel_->stepActions());
  const QString script = tr("In the schedule");
  shell().menus().addKeys({
      {script,
       tr("Continue to the next breakpoint; back to the last one"),
       {QKeySequence(Qt::Key_F5), QKeySequence(Qt::SHIFT | Qt::Key_F5)}},
      {script, tr("Set or remove a breakpoint"), {QKeySequence(Qt::Key_F9)}},
      {script, tr("Run to the line of the caret"), {QKeySequence(Qt::CTRL | Qt::Key_F10)}},
      {script, tr("Step over, and back"), {QKeySequence(Qt::Key_F10), QKeySequence(Qt::SHIFT | Qt::Key_F10)}},
      {script, tr("Step into, and out"), {QKeySequence(Qt::Key_F11), QKeySequence(Qt::SHIFT | Qt::Key_F11)}},
  });
}

/// Asks first; a transform that does not listen is ended with the engine.
void ScheduleController::cancel() {
  if (!asked_)
    return;
  session().client().cancel(asked_);
  QTimer::singleShot(cancelGraceMs, this, [this, asked = asked_] {
    if (asked_ == asked)
      session().endEngine();
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
  run(Stop());
}

void ScheduleController::runEditor() {
  raise();
  panel_->setPath(scripts_.path());
  run(Stop());
}

void ScheduleController::runWithKnobs(const QMap<QString, QString> &knobs) {
  if (asked_) {
    waiting_ = knobs;
    return;
  }
  panel_->setPath(scripts_.path());
  run(Stop(), knobs);
}

void ScheduleController::run(const Stop &stop, const QMap<QString, QString> &knobs) {
  if (!isReady() || asked_ || !takePath())
    return;
  const QString path = panel_->path().isEmpty() ? scripts_.fileName() : panel_->path();
  protocol::Request<method::TraceSchedule> request{.snapshot = places_.place().stepSnapshot(),
                                                   .script = {.path = path, .options = scripts_.options()},
                                                   .normalize = panel_->normalizes(),
                                                   .knobs = knobs};
  // What the editor cannot hold, the engine may: a file on its machine, or bytecode.
  const bool isEdited = panel_->path() == scripts_.path();
  if (isEdited)
    request.script.text = scripts_.text();
  if (knobs.isEmpty() || steps_.rowCount() == 0) // a knob that moves leaves the views in peace
    forget(tr("Running\u2026"), path);
  stop_ = stop;
  tracedSnapshot_ = int(request.snapshot);
  tracedName_ = list_.nameOf(tracedSnapshot_);
  isOver_ = false;
  tracedPath_ = path;
  tracedText_ = isEdited ? std::optional(scripts_.text()) : std::nullopt;
  scripts_.edit().anchorLines();
  session().client().forgive<method::TraceSchedule>();
  panel_->setBusy(true);
  asked_ = session().client().call<method::TraceSchedule>(
      request, this,
      [this](const protocol::ScheduleTrace &trace) {
        finish();
        show(trace);
      },
      [this](const protocol::Error &error) {
        finish();
        endedEngine_ = error.code == protocol::Error::EngineGone;
        if (error.code == protocol::Error::Cancelled)
          return forget(tr("Cancelled"), {});
        forget(tr("The schedule did not run"), error.message.section(u'\n', 0, 4));
        const bool isListed = tracedText_ && scripts_.hasErrors();
        if (error.code != protocol::Error::EngineGone && !isListed)
          emit shell().errorReported(u"schedule"_s, tr("The schedule did not run"), error);
      });
}

/// The script that the panel names is in the editor then, if it can be. False: there is none, or the user keeps
/// another.
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
  const int applied = int(std::count_if(trace.steps.begin(), trace.steps.end(),
                                        [](const protocol::ScheduleStep &step) { return !step.end; }));
  QStringList words{applied == 1 ? tr("1 application") : tr("%1 applications").arg(applied),
                    tr("%1 ms").arg(trace.milliseconds, 0, 'f', 1)};
  if (trace.failed)
    words.append(tr("failed"));
  QString text = words.join(u", "_s);
  for (const protocol::Diagnostic &note : trace.diagnostics)
    text += u"\n"_s + (note.line > 0 ? tr("Line %1: %2").arg(note.line).arg(note.message) : QString(note.message));
  panel_->setSummary(text);
  panel_->offerNormalizing(trace.failed && !panel_->normalizes() &&
                           std::any_of(trace.diagnostics.begin(), trace.diagnostics.end(),
                                       [](const protocol::Diagnostic &note) { return note.severity == "remark"_L1; }));
  markFailures(trace);
  showForms(trace);
  panel_->offerRecording(!trace.failed);
  emit shell().errorOver(u"schedule"_s);
  emit traced(true);
  showWhere();
  goToStop(stop_);
}

/// In the editor's column.
void ScheduleController::showForms(const protocol::ScheduleTrace &trace) {
  QHash<int, QStringList> forms;
  if (tracedText_)
    for (const protocol::LineForms &line : trace.forms)
      forms.insert(line.line, line.forms);
  scripts_.edit().setForms(forms);
}

void ScheduleController::goToStop(const Stop &stop) {
  int row = -1;
  if (stop.at == Stop::At::Breakpoint)
    row = steps_.nextAt(-1, tracedBreakpoints(), tracedPath_);
  else if (stop.at == Stop::At::Line)
    row = steps_.nextAt(-1, {scripts_.edit().lineThen(stop.line)}, tracedPath_);
  if (stop.at == Stop::At::Line && row < 0)
    shell().tell(tr("The schedule never reaches line %1").arg(stop.line));
  if (row < 0 && steps_.trace().failed)
    row = steps_.firstFailure();
  panel_->setPosition(row >= 0 ? row : steps_.rowCount() - 1);
}

bool ScheduleController::hasTrace() const {
  return steps_.rowCount() > 0 && panel_->path() == scripts_.path() && tracedText_ == scripts_.text();
}

QList<int> ScheduleController::tracedBreakpoints() const {
  QList<int> lines;
  for (const int line : scripts_.edit().breakpoints())
    lines.append(scripts_.edit().lineThen(line));
  return lines;
}

/// From the end it begins anew.
void ScheduleController::continueTo(bool back) {
  if (!hasTrace())
    return run({.at = Stop::At::Breakpoint});
  const int last = steps_.rowCount() - 1, from = !back && panel_->position() == last ? -1 : panel_->position();
  const int row = steps_.nextAt(from, tracedBreakpoints(), tracedPath_, back);
  panel_->setPosition(row >= 0 ? row : back ? 0 : last);
}

/// The next time that it comes to the line; where it does not any more, the first time.
void ScheduleController::runToLine(int line) {
  if (!hasTrace())
    return run({.at = Stop::At::Line, .line = line});
  const int row = steps_.nextAt(panel_->position(), {scripts_.edit().lineThen(line)}, tracedPath_);
  if (row >= 0)
    panel_->setPosition(row);
  else
    goToStop({.at = Stop::At::Line, .line = line});
}

void ScheduleController::markStep(int row) {
  ScriptEdit &edit = scripts_.edit();
  const bool isOfEditor = tracedText_ && panel_->path() == scripts_.path();
  edit.setStepLine(isOfEditor ? edit.lineNow(steps_.lineIn(tracedPath_, row)) : 0);
}

/// What failed for good is marked where it stands.
void ScheduleController::markFailures(const protocol::ScheduleTrace &trace) {
  QList<protocol::Diagnostic> problems;
  for (const protocol::ScheduleStep &step : trace.steps)
    if (!step.suppressed && step.outcome != "success"_L1)
      for (protocol::Diagnostic diagnostic : step.diagnostics) {
        diagnostic.line = steps_.lineIn(tracedPath_, step.index);
        diagnostic.column = 0;
        diagnostic.file = tracedPath_;
        problems.append(diagnostic);
      }
  scripts_.setRunProblems(tracedText_ ? problems : QList<protocol::Diagnostic>());
}

void ScheduleController::forget(const QString &title, const QString &hint) {
  places_.place().leave();
  awaitsPlace_ = false;
  steps_.setTrace({});
  scripts_.edit().setStepLine(0);
  scripts_.edit().setForms({});
  scripts_.setRunProblems({});
  panel_->showPosition({});
  panel_->setSummary({});
  panel_->offerNormalizing(false);
  panel_->offerRecording(false);
  panel_->setHint(title, hint);
  emit traced(false);
  showWhere();
}

void ScheduleController::request(int row) {
  markStep(row);
  if (!isReady() || row < 0)
    return;
  awaitsPlace_ = true;
  session().client().call<method::SchedulePosition>(
      {.step = row}, this,
      [this, row](const protocol::SchedulePosition &position) {
        if (panel_->position() != row) // it has gone on
          return;
        awaitsPlace_ = false;
        panel_->showPosition(position);
        showPlace(position);
        session().client().call<method::PreparePosition>({.step = row}, this, {}, {}, u"schedule/prepare"_s);
      },
      [this](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled) // another place is asked for
          awaitsPlace_ = false;
        if (error.code != protocol::Error::EngineGone && error.code != protocol::Error::Cancelled)
          emit shell().errorReported(u"schedule"_s, tr("The place cannot be shown"), error);
      },
      u"schedule/position"_s);
}

void ScheduleController::showPlace(const protocol::SchedulePosition &position) {
  const protocol::ScheduleStep *step = steps_.stepAt(position.step);
  if (!panel_->follows() || !step)
    return;
  const QString line = step->line > 0 ? tr("line %1").arg(step->line) : QString(step->name);
  places_.show(position, steps_.appliedBefore(position.step),
               step->end ? tr("at the end of the block, %1").arg(line) : tr("before %1").arg(line));
}

void ScheduleController::finish() {
  asked_ = 0;
  panel_->setBusy(false);
  if (waiting_)
    QTimer::singleShot(0, this, [this] {
      if (const auto knobs = std::exchange(waiting_, std::nullopt))
        runWithKnobs(*knobs);
    });
}

void ScheduleController::opened(const protocol::Document &) {
  waiting_.reset();
  places_.place().forgetDocument();
  forget(tr("No schedule has run"),
         tr("Choose a transform-dialect script: every application becomes a step, with the handles before it."));
}

void ScheduleController::recordAsSteps() {
  const bool isEdited = panel_->path() == scripts_.path();
  if (isEdited && (scripts_.path().isEmpty() || scripts_.edit().isModified()) && !scripts_.save())
    return;
  emit recordRequested(isEdited ? scripts_.path() : panel_->path());
}

void ScheduleController::stepsReplaced(int) {
  isOver_ |= tracedSnapshot_ > 0;
  showWhere();
}

void ScheduleController::stepShown(const ShownStep &step) {
  places_.place().stepShown(step);
  showWhere();
}

/// Of another step than the current one.
void ScheduleController::showWhere() {
  StepChip &chip = shell().docks().chip(dock_);
  if (steps_.rowCount() == 0 || (!isOver_ && places_.place().stepSnapshot() == tracedSnapshot_))
    chip.clear();
  else if (isOver_)
    chip.tell(tr("%1, before the steps changed").arg(tracedName_), tr("The schedule ran on it. A click forgets it"));
  else
    chip.tell(tracedName_, tr("The schedule ran on it. A click shows it"));
}

void ScheduleController::sessionChanged() { panel_->setRunnable(isReady(), !scripts_.isEmpty()); }

/// The trace is gone.
void ScheduleController::engineDied(const CrashReport &report) {
  awaitsPlace_ = false;
  finish();
  places_.place().leave();
  if (std::exchange(endedEngine_, false)) {
    forget(tr("The engine ended while the schedule ran"), report.step ? report.step->name : QString());
    markCrash(report);
  } else if (steps_.rowCount() > 0)
    forget(tr("The engine was started again"), tr("Run the schedule again to look at its places."));
}

/// The engine had said at which line it is.
void ScheduleController::markCrash(const CrashReport &report) {
  static const QRegularExpression place(u"^line (\\d+): "_s);
  const QRegularExpressionMatch match = place.match(report.step ? report.step->name : QString());
  if (!match.hasMatch() || !tracedText_)
    return;
  const QString what = report.cancelled ? tr("did not finish, and was stopped together with the engine")
                                        : tr("ended the engine: %1").arg(report.exit.reason());
  scripts_.setRunProblems({{.severity = u"error"_s,
                            .message = report.step->pass + u" "_s + what,
                            .file = tracedPath_,
                            .line = match.captured(1).toInt(),
                            .notes = {}}});
}

void ScheduleController::saveState(Settings &settings) const {
  settings.setText(u"schedule"_s, panel_->path());
  settings.setFlag(u"scheduleFollows"_s, panel_->follows());
}

void ScheduleController::restoreState(const Settings &settings) {
  const QString path = settings.text(u"schedule"_s);
  QString why; // it may be gone, or on the engine's machine
  if (path.isEmpty() || !scripts_.open(path, &why))
    panel_->setPath(path);
  panel_->setFollows(settings.flag(u"scheduleFollows"_s, true));
}

} // namespace fuselage
