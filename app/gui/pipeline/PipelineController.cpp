#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/Banner.h"
#include <QDockWidget>
#include <QFileDialog>

using namespace Qt::StringLiterals;

namespace fuselage {

PipelineController::PipelineController(Shell &shell, DocumentController &documents, StepsController &steps,
                                       ProblemsController &problems)
    : Controller(shell), panel_(new PipelinePanel),
      dock_(shell.docks().add(
          {.name = u"pipeline"_s, .title = tr("Pipeline"), .shortcut = u"Alt+5"_s, .beside = u"run"_s}, panel_)),
      documents_(documents), steps_(steps), problems_(problems) {
  addCommands();
  connectPanel();
  followSession(session());
}

void PipelineController::addCommands() {
  edit_ = command(tr("Edit &Pipeline…"), u"pipeline"_s, {QKeySequence(u"Ctrl+P"_s)});
  loadSchedule_ = command(tr("Load &Schedule…"), u"open"_s);
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
  connect(&steps_, &StepsController::sourceChanged, this, &PipelineController::showOrigin);
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible && session().state() == EngineSession::State::Ready)
      requestCatalog();
  });
}

void PipelineController::followSession(EngineSession &session) {
  connect(&session, &EngineSession::recordingStarted, this, [this] { panel_->setError({}); });
  connect(&session, &EngineSession::recordFailed, this, [this](const protocol::Error &error) {
    panel_->setError(error.message);
    emit shell().errorReported(u"record"_s, tr("The pipeline cannot be recorded"), error);
  });
  connect(&session, &EngineSession::recorded, this, [this](const protocol::Recording &recording) {
    tellCut(recording.notes);
    requestCatalog();
  });
}

void PipelineController::requestCatalog() {
  if (std::exchange(hasCatalog_, true))
    return;
  session().client().call<protocol::Catalog>(
      u"pipeline/list"_s, {}, this,
      [this](const protocol::Catalog &catalog) {
        catalog_ = catalog;
        panel_->setCatalog(catalog);
      },
      [this](const protocol::Error &) { hasCatalog_ = false; });
}

void PipelineController::chooseSchedule() {
  const QString path =
      QFileDialog::getOpenFileName(&shell().window(), tr("Load a transform schedule"), settings().text(u"schedule"_s),
                                   tr("Transform scripts (*.mlir *.mlirbc);;All files (*)"));
  if (path.isEmpty())
    return;
  settings().setText(u"schedule"_s, path);
  panel_->setSchedule(path);
  shell().docks().raise(dock_);
  steps_.record(panel_->request(), steps_.currentRow());
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
  else
    panel_->setOrigin({}, false);
}

/// Says why the default pipeline was cut for a module of foreign dialects, and what can be done instead.
void PipelineController::tellCut(const QList<protocol::Diagnostic> &notes) {
  Banner &banner = shell().banner();
  if (!cutText_.isEmpty() && banner.text() == cutText_)
    banner.hide();
  cutText_.clear();
  if (notes.isEmpty())
    return;
  for (const protocol::Diagnostic &note : notes)
    problems_.model().add(u"record"_s, note);
  cutText_ = notes.first().message;
  cutText_[0] = cutText_[0].toUpper();
  banner.showMessage(Banner::Kind::Info, cutText_);
  banner.addButton(tr("Edit pipeline\u2026"), this, [this] { edit_->trigger(); });
}

void PipelineController::sessionChanged() {
  loadSchedule_->setEnabled(isReady());
  record_->setEnabled(isReady());
  panel_->setEnabledToRecord(isReady());
}

} // namespace fuselage
