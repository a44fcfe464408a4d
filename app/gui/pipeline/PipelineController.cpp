#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/run/DeviceModels.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/DocumentMethods.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/Banner.h"
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>

using namespace Qt::StringLiterals;

namespace fuselage {

PipelineController::PipelineController(Shell &shell, DocumentController &documents, StepsController &steps,
                                       ProblemsController &problems)
    : Controller(shell), panel_(new PipelinePanel),
      dock_(shell.docks().add(
          {.name = u"pipeline"_s, .title = tr("Pipeline"), .shortcut = u"Alt+5"_s, .beside = u"run"_s}, panel_)),
      documents_(documents), steps_(steps), problems_(problems), draft_(shell, u"pipeline"_s) {
  addCommands();
  connectPanel();
  followSession(session());
  followTool(session());
}

void PipelineController::addCommands() {
  edit_ = command(tr("Edit &Pipeline…"), u"pipeline"_s, {QKeySequence(u"Ctrl+P"_s)});
  loadSchedule_ = command(tr("Record &Schedule…"), u"open"_s);
  record_ = command(tr("&Record Again"), u"steps"_s, {QKeySequence(u"Ctrl+Shift+R"_s)});
  on(edit_, [this] {
    shell().docks().raise(dock_);
    panel_->edit()->setFocus(Qt::ShortcutFocusReason);
  });
  on(loadSchedule_, [this] { chooseSchedule(); });
  on(record_, [this] { steps_.record(session().recordRequest(), steps_.currentRow()); });
  shell().menus().add(Place::StepRecord, {edit_, loadSchedule_, record_});
  const QString pipeline = tr("In the pipeline editor");
  shell().menus().addKeys({
      {pipeline, tr("Record"), {QKeySequence(u"Ctrl+Return"_s)}},
      {pipeline, tr("Complete the name of a pass"), {QKeySequence(u"Ctrl+Space"_s)}},
  });
}

void PipelineController::connectPanel() {
  connect(panel_, &PipelinePanel::recordRequested, this,
          [this](const RecordRequest &request) { steps_.record(request, steps_.currentRow()); });
  connect(panel_, &PipelinePanel::originRequested, &documents_, &DocumentController::reload);
  connect(panel_, &PipelinePanel::scheduleRequested, this, &PipelineController::chooseSchedule);
  connect(&steps_.panel(), &StepsPanel::recordFromRequested, this,
          [this](int row) { steps_.record(panel_->request(), row); });
  connect(panel_->edit(), &QPlainTextEdit::textChanged, this, &PipelineController::keepDraft);
  connect(panel_->toolBox()->lineEdit(), &QLineEdit::textEdited, this, [this](const QString &text) {
    typedTool_ = text;
    keepDraft();
  });
  connect(&steps_, &StepsController::sourceChanged, this, &PipelineController::showOrigin);
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (!visible || session().state() != EngineSession::State::Ready)
      return;
    requestCatalog();
    requestTools();
    offerModels(session(), panel_->target());
  });
}

/// A pipeline has no file: it is kept until the editor is empty.
void PipelineController::keepDraft() {
  QJsonObject draft;
  if (const QString text = panel_->edit()->toPlainText(); !text.trimmed().isEmpty())
    draft.insert("text"_L1, text);
  if (!typedTool_.isEmpty())
    draft.insert("tool"_L1, typedTool_);
  draft_.keep(draft);
}

void PipelineController::restoreDraft(const QString &tab) {
  const QJsonObject draft = draft_.restore(tab);
  if (const QString text = draft["text"_L1].toString(); !text.isEmpty())
    panel_->setPipeline(text);
  if (draft.contains("tool"_L1)) {
    typedTool_ = draft["tool"_L1].toString();
    panel_->toolBox()->setEditText(typedTool_);
    keepDraft();
  }
}

void PipelineController::followSession(EngineSession &session) {
  connect(&session, &EngineSession::initialized, this, &PipelineController::forgetCatalog);
  connect(&session, &EngineSession::recordingStarted, this, [this] { panel_->setError({}); });
  connect(&session, &EngineSession::recordFailed, this, [this](const protocol::Error &error) {
    if (error.code == protocol::Error::Cancelled)
      return shell().tell(tr("Cancelled before a step had finished"));
    panel_->setError(error.message, error.diagnostics);
    const bool isInFront = !panel_->visibleRegion().isEmpty(), hasKeyboard = panel_->edit()->hasFocus();
    emit shell().errorReported(u"record"_s, tr("The pipeline cannot be recorded"), error);
    if (isInFront) // the list of problems has it, too, and does not cover the editor
      shell().docks().raise(dock_);
    if (hasKeyboard)
      panel_->edit()->setFocus(Qt::OtherFocusReason);
  });
  connect(&session, &EngineSession::recorded, this, [this](const protocol::Recording &recording) {
    tellCut(recording.notes);
    tellLeft(recording);
    requestCatalog();
  });
}

/// Another engine may know other passes: its plugins may be others.
void PipelineController::forgetCatalog() {
  if (std::exchange(hasCatalog_, false))
    requestCatalog();
}

void PipelineController::requestCatalog() {
  if (std::exchange(hasCatalog_, true))
    return;
  session().client().call<method::ListPipelines>(
      {}, this,
      [this](const protocol::Catalog &catalog) {
        catalog_ = catalog;
        panel_->setCatalog(catalog);
        emit catalogArrived();
      },
      [this](const protocol::Error &) { hasCatalog_ = false; });
}

void PipelineController::chooseSchedule() {
  const QString path =
      QFileDialog::getOpenFileName(&shell().window(), tr("Record a schedule"), settings().text(u"schedule"_s),
                                   tr("Transform scripts (*.mlir *.mlirbc);;All files (*)"));
  if (path.isEmpty())
    return;
  settings().setText(u"schedule"_s, path);
  recordSchedule(path);
}

void PipelineController::recordSchedule(const QString &path) {
  panel_->setSchedule(path);
  shell().docks().raise(dock_);
  steps_.record(panel_->request(), steps_.currentRow());
}

void PipelineController::setScheduleRan(bool ran) {
  scheduleRan_ = ran;
  showOrigin();
}

/// Recording begins with the program, whatever a schedule has made of it since: that is said where somebody may have
/// expected something else.
void PipelineController::tellLeft(const protocol::Recording &recording) {
  Banner &banner = shell().banner();
  if (!leftText_.isEmpty() && banner.text() == leftText_)
    banner.hide();
  leftText_.clear();
  const bool isTaken = banner.isVisible() || !session().recordRequest().schedule.isEmpty();
  if (!scheduleRan_ || !steps_.leftPlace() || recording.failed || isTaken)
    return;
  const QString steps = counted(recording.steps.size(), tr("step"), tr("steps"));
  QString from = steps_.nameOf(session().keptSteps());
  from[0] = from[0].toLower();
  leftText_ =
      steps_.recordedTheSame()
          ? tr("Recorded %1 from %2, the same as before. The schedule that ran is not part of them.").arg(steps, from)
          : tr("Recorded %1 from %2. The schedule that ran is not part of them.").arg(steps, from);
  banner.showMessage(Banner::Kind::Info, leftText_);
  banner.addButton(tr("Record the Schedule"), this, [this] {
    shell().banner().hide();
    emit scheduleWanted();
  });
}

void PipelineController::useTileSizes(const QString &workgroups, const QString &all) {
  QString text = PipelinePanel::withTileSizes(panel_->edit()->toPlainText(), workgroups, all);
  if (text.isEmpty()) { // what is recorded now, step by step
    QStringList steps;
    for (const protocol::Step &step : session().steps().mid(session().keptSteps()))
      if (!step.pipeline.isEmpty() && !steps.contains(step.pipeline))
        steps.append(step.pipeline);
    if (session().recordRequest().schedule.isEmpty() && !session().showsLog())
      text = PipelinePanel::withTileSizes(steps.join(u",\n"_s), workgroups, all);
  }
  if (text.isEmpty())
    text = u"builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=%1}),canonicalize,cse)"_s.arg(all);
  panel_->setPipeline(text);
  edit_->trigger();
  shell().tell(tr("The tile sizes are in the pipeline; Ctrl+Return records it"));
}

/// Says where the steps are from, and offers what can be done with them.
void PipelineController::showOrigin() {
  const protocol::Document &document = session().document();
  if (session().showsLog())
    panel_->setOrigin(
        tr("These steps were read from %1. Recording starts from the IR of the selected one.").arg(nameOf(document)),
        false);
  else if (document.log)
    panel_->setOrigin(tr("Recorded from %1 of %2.").arg(steps_.startName(), nameOf(document)), true);
  else if (session().hasDocument())
    panel_->setOrigin(whatIsRecorded(), false);
}

/// What Record begins with.
QString PipelineController::whatIsRecorded() const {
  const int kept = session().keptSteps();
  const QString from = kept > 0 ? tr("Recording starts from what was fused: %1.").arg(steps_.nameOf(kept))
                                : tr("Recording starts from the input.");
  return scheduleRan_ ? from + u' ' +
                            tr("The schedule that ran is not part of it: Record as Steps in the Schedule panel "
                               "records its transforms.")
                      : from;
}

/// Says why the default pipeline was cut for a module of foreign dialects, and what can be done instead.
void PipelineController::tellCut(const QList<protocol::Diagnostic> &notes) {
  Banner &banner = shell().banner();
  if (!cutText_.isEmpty() && banner.text() == cutText_)
    banner.hide();
  cutText_.clear();
  if (offerAdvice() || notes.isEmpty())
    return;
  for (const protocol::Diagnostic &note : notes)
    problems_.model().add(u"record"_s, note);
  cutText_ = notes.first().message;
  cutText_[0] = cutText_[0].toUpper();
  banner.showMessage(Banner::Kind::Info, cutText_);
  banner.addButton(tr("Edit Pipeline\u2026"), this, [this] { edit_->trigger(); });
}

void PipelineController::followTool(EngineSession &session) {
  connect(panel_, &PipelinePanel::toolRequested, this, &PipelineController::requestTool);
  connect(panel_, &PipelinePanel::toolStopRequested, &session, &EngineSession::stopTool);
  connect(&session, &EngineSession::toolProgressed, this, &PipelineController::showTool);
  connect(&session, &EngineSession::toolFailed, this, [this](const protocol::Error &error) {
    panel_->setError(error.message);
    shell().docks().raise(dock_);
    emit shell().errorReported(u"tool"_s, tr("The compiler was not run"), error);
  });
}

void PipelineController::requestTools() {
  if (std::exchange(hasTools_, true))
    return;
  session().client().call<method::ListTools>(
      {}, this, [this](const protocol::Tools &found) { panel_->setTools(found.tools); },
      [this](const protocol::Error &) { hasTools_ = false; });
}

/// On the user's file; in the tab that already shows a compiler, again there.
void PipelineController::requestTool(const QString &command) {
  const protocol::Document &document = session().document();
  const QString path = document.source.isEmpty() ? document.path : document.source;
  if (!makeTab_ || !session().hasDocument() || !document.tool.isEmpty())
    return runTool(path, command);
  PipelineController &there = makeTab_();
  there.edit_->trigger();
  there.panel_->toolBox()->setEditText(command);
  there.runTool(path, command);
}

void PipelineController::runTool(const QString &path, const QString &command) {
  panel_->setError({});
  problems_.model().clear(u"tool"_s);
  session().runTool(path, command);
}

/// What a tool is at stands in the banner, since everything else can be used meanwhile.
void PipelineController::showTool(const protocol::ToolProgress &progress) {
  const protocol::Document &document = session().document();
  Banner &banner = shell().banner();
  const QString program = document.tool.section(u' ', 0, 0).section(u'/', -1);
  const QString steps =
      counted(document.steps.size(), tr("pass that changed the IR"), tr("passes that changed the IR"));
  panel_->setToolRunning(progress.running);
  if (progress.running) {
    toolText_ = tr("%1 is running: %2, %3 of IR").arg(program, steps, formatBytes(progress.bytes));
    banner.showMessage(Banner::Kind::Info, toolText_);
    banner.addButton(tr("Stop"), this, [this] { session().stopTool(); });
    return;
  }
  if (!progress.problem.isEmpty()) {
    const QStringList lines = progress.problem.split(u'\n');
    toolText_ = lines.mid(0, 3).join(u' ').simplified();
    banner.showMessage(Banner::Kind::Error, toolText_);
    protocol::Diagnostic problem;
    problem.severity = u"error"_s;
    problem.message = progress.problem;
    problems_.model().add(u"tool"_s, problem);
  } else if (banner.text() == toolText_) {
    banner.hide();
  }
  shell().tell(tr("%1 finished: %2").arg(program, steps));
}

bool PipelineController::offerAdvice() {
  const std::optional<protocol::Advice> &advice = session().document().advice;
  if (!advice || session().keptSteps() > 0)
    return false;
  cutText_ = advice->sentence;
  cutText_[0] = cutText_[0].toUpper();
  Banner &banner = shell().banner();
  banner.showMessage(Banner::Kind::Info, cutText_);
  if (!advice->isThere && !advice->install.isEmpty())
    banner.addButton(tr("Copy '%1'").arg(advice->install), this, [this, install = advice->install] {
      QApplication::clipboard()->setText(install);
      shell().tell(tr("Copied. Install it, then reload the file (F5)."));
    });
  if (!advice->isThere)
    return true;
  banner.addButton(tr("Lower it by %1").arg(advice->program), this, [this, pipeline = advice->pipeline] {
    shell().banner().hide();
    FuseRequest request;
    request.what = FuseRequest::What::Pipeline;
    request.pipeline = pipeline;
    session().fuse(request);
  });
  return true;
}

void PipelineController::opened(const protocol::Document &document) {
  panel_->setToolRunning(session().isToolRunning());
  if (!document.log)
    offerAdvice();
}

void PipelineController::sessionChanged() {
  loadSchedule_->setEnabled(isReady());
  record_->setEnabled(isReady());
  panel_->setEnabledToRecord(isReady());
  panel_->setEnabledToRunTool(isReady());
}

} // namespace fuselage
