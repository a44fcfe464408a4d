// How the window follows the engine: documents, recordings, runs, crashes.
#include "app/gui/fusion/FusionVerdicts.h"
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/engine/OpenProgress.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tiles/TileController.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include "views/panels/LogPanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/widgets/Banner.h"
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QRegularExpression>
#include <QStatusBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

void MainWindow::connectSession() {
  connect(&session_, &EngineSession::stateChanged, this, &MainWindow::updateState);
  connect(&session_, &EngineSession::opened, this, &MainWindow::documentOpened);
  connect(&session_, &EngineSession::openFailed, this, &MainWindow::openFailed);
  connect(&session_, &EngineSession::recordingStarted, this, [this] {
    problems_.clear(u"record"_s);
    problems_.clear(u"read"_s);
    pipelinePanel_->setError({});
    // The old recording is void: back to the input, or to the last fusion, which stay.
    showHistory(session_.keptSteps());
  });
  connect(&session_, &EngineSession::stepStarted, this, [this](const protocol::StepStarted &step) {
    stepModel_.setRunning(step);
    stepsPanel_->setProgress(step.index, step.total);
    progress_->setRange(0, step.total);
    progress_->setValue(step.index);
  });
  connect(&session_, &EngineSession::stepFinished, this, [this](const protocol::Step &step) { stepModel_.append(step); });
  connect(&session_, &EngineSession::recorded, this, &MainWindow::recordingFinished);
  connect(&session_, &EngineSession::recordFailed, this, [this](const protocol::Error &error) {
    stepModel_.clearRunning();
    stepsPanel_->setProgress(0, 0);
    pipelinePanel_->setError(error.message);
    reportError(u"record"_s, tr("The pipeline cannot be recorded"), error);
  });
  connect(&session_, &EngineSession::runProgress, this, [this](const protocol::RunProgress &progress) {
    runPanel_->setProgress(progress);
    progress_->setRange(0, progress.total);
    progress_->setValue(progress.done);
  });
  connect(&session_, &EngineSession::runFinished, this, &MainWindow::runFinished);
  connect(&session_, &EngineSession::recordingStarted, this, &MainWindow::updateStale);
  connect(&session_, &EngineSession::fused, this, &MainWindow::updateStale);
  connect(&session_, &EngineSession::historyMoved, this, &MainWindow::updateStale);
  connect(&session_, &EngineSession::recovered, this, &MainWindow::updateStale);
  connect(&session_, &EngineSession::runFailed, this, &MainWindow::runFailed);
  connect(&session_, &EngineSession::crashed, this, &MainWindow::engineCrashed);
  connect(&session_, &EngineSession::recovered, this, &MainWindow::engineRecovered);
  connect(&session_, &EngineSession::gaveUp, this, [this](const QString &reason) {
    stepModel_.clearRunning();
    stepsPanel_->setProgress(0, 0);
    banner_->showMessage(Banner::Kind::Error, tr("The engine is not running: %1").arg(reason));
    banner_->addButton(tr("Start again"), this, [this] {
      banner_->hide();
      session_.start();
    });
    banner_->addButton(tr("Engine command…"), this, [this] { chooseEngine(); });
  });
  connect(&session_, &EngineSession::logged, logPanel_, &LogPanel::append);
}

void MainWindow::openFile(const QString &path) {
  if (session_.state() == EngineSession::State::Dead)
    session_.start();
  if (session_.isBusy() && session_.state() != EngineSession::State::Opening && session_.state() != EngineSession::State::Restarting) {
    tell(tr("The engine is busy; cancel first"));
    return;
  }
  session_.open(QFileInfo(path).absoluteFilePath());
}

/// What a document is called: its file's or folder's name.
static QString nameOf(const protocol::Document &document) {
  return document.name.isEmpty() ? QFileInfo(document.path).fileName() : document.name;
}

void MainWindow::documentOpened(const protocol::Document &document) {
  for (const QString &source : {u"engine"_s, u"record"_s, u"run"_s, u"graph"_s, u"diff"_s, u"read"_s, u"fuse"_s, u"export"_s})
    problems_.clear(source);
  problems_.setDiagnostics(u"open"_s, document.diagnostics);
  banner_->hide();
  details_.clear();
  fusion_->reset();
  runPanel_->clear();
  ranProgram_.clear();
  runWhenListed_ = hasArguments_ = false;
  runPanel_->setFunctions(document.functions);
  startName_.clear();
  // A log has its steps already; recording a very large module is for the user to ask for.
  constexpr qint64 manyOps = 20000;
  recordWhenShown_ = !document.log && document.ops <= manyOps;
  showDocument();
  listStepProblems(document.steps);
  const QString name = nameOf(document);
  setWindowTitle(tr("%1 — Fuselage").arg(name));
  setWindowFilePath(document.path);
  QStringList facts{name};
  if (document.log)
    facts.append(counted(document.steps.size(), tr("step"), tr("steps")));
  else
    facts.append(counted(document.ops, tr("op"), tr("ops")));
  if (document.log || document.lines < 0)
    facts.append(formatBytes(document.bytes));
  else
    facts.append(counted(document.lines, tr("line"), tr("lines")));
  if (document.gaps > 0)
    facts.append(counted(document.gaps, tr("gap"), tr("gaps")));
  documentLabel_->setText(facts.join(u" \u00b7 "_s));
  QString toolTip = document.path;
  if (document.tolerated > 0)
    toolTip += u'\n' + tr("%1 of dialects that MLIR does not know").arg(counted(document.tolerated, tr("op"), tr("ops")));
  documentLabel_->setToolTip(toolTip);
  settings_.addRecentFile(document.path);
  fillRecentMenu();
  updateState();
}

/// Begins anew with what the session holds: rows, graph, text.
void MainWindow::showDocument() {
  textController_->reset();
  tileController_->select(0, noNode);
  tileController_->refresh();
  graphController_->reset();
  graph_->clear();
  graph_->setEmptyText(tr("No graph"), tr("There is no function with a body here."));
  const protocol::Document &document = session_.document();
  stepModel_.setDocument(startName_.isEmpty() || session_.showsLog() ? nameOf(document) : startName_);
  if (session_.showsLog())
    stepModel_.setSteps(session_.steps());
  showStepSource();
  selectStep(0); // asks for graph and text
}

/// Says where the steps are from, and offers what can be done with them.
void MainWindow::showStepSource() {
  const protocol::Document &document = session_.document();
  const bool isLog = session_.showsLog();
  stepsPanel_->setRecordsFrom(isLog);
  if (isLog)
    pipelinePanel_->setOrigin(tr("These steps were read from %1. Recording starts from the IR of the selected one.").arg(nameOf(document)), false);
  else if (document.log)
    pipelinePanel_->setOrigin(tr("Recorded from %1 of %2.").arg(startName_, nameOf(document)), true);
  else
    pipelinePanel_->setOrigin({}, false);
}

/// What the passes of a recording, or the tool that wrote a log, said.
void MainWindow::listStepProblems(const QList<protocol::Step> &steps) {
  problems_.clear(u"record"_s);
  for (const protocol::Step &step : steps)
    for (const protocol::Diagnostic &diagnostic : step.diagnostics)
      problems_.add(u"record"_s, diagnostic, step.index);
}

void MainWindow::noteStart(int row) {
  if (!session_.showsLog())
    return;
  const protocol::Step *step = stepModel_.stepAt(row);
  startName_ = step ? tr("step %1, %2").arg(step->index).arg(step->name) : tr("the first dump");
}

void MainWindow::record(RecordRequest request, int row) {
  const int start = std::max(row, 0);
  noteStart(start);
  if (session_.showsLog())
    request.from = stepModel_.snapshotAt(start);
  session_.record(request);
}

void MainWindow::graphFailed(const protocol::Error &error) {
  if (!session_.showsLog()) {
    reportError(u"graph"_s, tr("The graph cannot be drawn"), error);
    return;
  }
  // A dump that is no MLIR: its text is there all the same.
  graph_->clear();
  graph_->setEmptyText(tr("This dump cannot be read as MLIR"), tr("The text view shows it as it is; Problems says what is wrong with it."));
  readSnapshot();
}

/// Lists what reading the dump on screen said.
void MainWindow::readSnapshot() {
  problems_.clear(u"read"_s);
  if (!session_.showsLog())
    return;
  const int row = stepsPanel_->currentRow();
  session_.client().call<protocol::SnapshotRead>(
      u"snapshot/read"_s, {{u"snapshot"_s, graphController_->snapshot()}}, this,
      [this, row](const protocol::SnapshotRead &read) {
        if (row != stepsPanel_->currentRow() || !session_.showsLog())
          return;
        QList<protocol::Diagnostic> list = read.diagnostics;
        if (!read.parsed && list.isEmpty())
          list.append({.severity = u"error"_s, .message = read.problem, .file = {}, .notes = {}});
        problems_.setDiagnostics(u"read"_s, list, row - 1);
        if (read.gaps > 0)
          tell(tr("%1 in this dump").arg(counted(read.gaps, tr("gap"), tr("gaps"))));
      },
      {}, u"read"_s);
}

void MainWindow::openFailed(const QString &path, const protocol::Error &error) {
  // The command line's caller reads stderr; the window has its panel.
  qWarning().noquote() << error.message;
  for (const protocol::Diagnostic &diagnostic : error.diagnostics)
    qWarning().noquote() << formatLocation(diagnostic, true) + u": "_s + diagnostic.severity + u": "_s + diagnostic.message;
  reportError(u"open"_s, tr("%1 cannot be opened").arg(QFileInfo(path).fileName()), error);
}

void MainWindow::reportError(const QString &source, const QString &what, const protocol::Error &error, int step) {
  QList<protocol::Diagnostic> list = error.diagnostics;
  if (list.isEmpty() || list.first().message != error.message)
    list.prepend({.severity = u"error"_s, .message = error.message.isEmpty() ? what : error.message, .file = {}, .notes = {}});
  problems_.setDiagnostics(source, list, step);
  tell(what);
  raise(problemsDock_);
}

void MainWindow::recordingFinished(const protocol::Recording &recording) {
  stepsPanel_->setProgress(0, 0);
  stepModel_.setSteps(recording.steps);
  listStepProblems(recording.steps);
  if (recording.failed) {
    raise(problemsDock_);
    selectStep(int(recording.steps.size()));
    tell(tr("Step %1 failed; every step before it is kept").arg(recording.steps.size() - 1));
  } else if (!recording.steps.isEmpty()) {
    tell(tr("%1 recorded").arg(counted(recording.steps.size(), tr("step"), tr("steps"))));
  }
  tellCut(recording.notes);
  if (!hasCatalog_)
    requestCatalog();
  if (!hasDevices_ && (runDock_->isVisible() || !pendingRun_.isEmpty()))
    requestDevices();
  if (!pendingRun_.isEmpty()) {
    runPanel_->setDevice(std::exchange(pendingRun_, {}));
    startRun();
  }
}

/// Says why the default pipeline was cut for a module of foreign dialects, and what can be done instead.
void MainWindow::tellCut(const QList<protocol::Diagnostic> &notes) {
  if (!cutText_.isEmpty() && banner_->text() == cutText_)
    banner_->hide();
  cutText_.clear();
  if (notes.isEmpty())
    return;
  for (const protocol::Diagnostic &note : notes)
    problems_.add(u"record"_s, note);
  cutText_ = notes.first().message;
  cutText_[0] = cutText_[0].toUpper();
  banner_->showMessage(Banner::Kind::Info, cutText_);
  banner_->addButton(tr("Edit pipeline\u2026"), this, [this] { actions_->editPipeline->trigger(); });
}

void MainWindow::requestCatalog() {
  hasCatalog_ = true;
  session_.client().call<protocol::Catalog>(
      u"pipeline/list"_s, {}, this,
      [this](const protocol::Catalog &catalog) {
        catalog_ = catalog;
        pipelinePanel_->setCatalog(catalog);
      },
      [this](const protocol::Error &) { hasCatalog_ = false; });
}

void MainWindow::requestDevices() {
  hasDevices_ = true;
  session_.client().call<protocol::Devices>(
      u"devices/list"_s, {}, this, [this](const protocol::Devices &devices) {
        runPanel_->setDevices(devices.devices);
        QList<std::pair<QString, qint64>> limits;
        for (const protocol::Device &device : devices.devices)
          limits.append({device.id, device.maxSharedBytes});
        tilePanel_->setDevices(limits);
        if (std::exchange(runWhenListed_, false))
          startRun();
      },
      [this](const protocol::Error &error) {
        hasDevices_ = false;
        if (error.code == protocol::Error::EngineGone)
          return;
        runPanel_->setDevices({}); // the host is always there
        runPanel_->setMessage(error.message, true);
        if (std::exchange(runWhenListed_, false))
          startRun();
      });
}

void MainWindow::requestArguments() {
  if (hasArguments_ || !runDock_->isVisible() || !session_.hasDocument() || session_.state() != EngineSession::State::Ready)
    return;
  hasArguments_ = true;
  session_.client().call<protocol::RunArguments>(
      u"run/arguments"_s, {{u"snapshot"_s, session_.keptSteps()}, {u"function"_s, runPanel_->function()}}, this,
      [this](const protocol::RunArguments &told) { runPanel_->setArguments(told.arguments); },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::EngineGone)
          hasArguments_ = false;
      });
}

void MainWindow::runOn(const QString &device) {
  raise(runDock_);
  if (session_.state() != EngineSession::State::Ready || recordWhenShown_ || !session_.hasDocument()) {
    pendingRun_ = device;
    return;
  }
  runPanel_->setDevice(device);
  startRun();
}

void MainWindow::startRun() {
  raise(runDock_);
  if (!session_.hasDocument())
    return;
  if (runPanel_->needsDevices()) {
    // Which one the panel is about to show is the one that is meant.
    runWhenListed_ = true;
    runPanel_->setMessage(tr("Looking for devices\u2026"), false);
    if (!hasDevices_)
      requestDevices();
    return;
  }
  problems_.clear(u"run"_s);
  runPanel_->setMessage(tr("Compiling\u2026"), false);
  RunRequest request = runPanel_->request();
  request.snapshot = session_.keptSteps(); // what was fused, or the input
  session_.run(request);
}

void MainWindow::runFinished(const protocol::RunReport &report) {
  problems_.setDiagnostics(u"run"_s, report.remarks);
  runPanel_->setReport(report);
  ranProgram_ = session_.programKey();
  graphController_->setReport(report);
}

void MainWindow::updateStale() {
  if (ranProgram_.isEmpty())
    return;
  const bool isStale = session_.programKey() != ranProgram_;
  runPanel_->setStale(isStale);
  graphController_->setReportStale(isStale);
}

/// "arg0.1": the dynamic sizes that a message of the engine names.
static QStringList sizesNamedIn(const protocol::Error &error) {
  static const QRegularExpression name(u"\\barg\\d+\\.\\d+\\b"_s);
  QString text = error.message;
  for (const protocol::Diagnostic &diagnostic : error.diagnostics)
    text += u' ' + diagnostic.message;
  QStringList names;
  for (auto matches = name.globalMatch(text); matches.hasNext();)
    if (const QString size = matches.next().captured(); !names.contains(size))
      names.append(size);
  return names;
}

void MainWindow::runFailed(const protocol::Error &error) {
  if (error.code == protocol::Error::Cancelled) {
    runPanel_->setMessage(tr("Cancelled"), false);
    return;
  }
  runPanel_->setMessage(error.message, true);
  const QStringList sizes = sizesNamedIn(error);
  if (!sizes.isEmpty()) {
    runPanel_->askForSizes(sizes);
    return;
  }
  problems_.setDiagnostics(u"run"_s, error.diagnostics);
  if (!error.diagnostics.isEmpty())
    raise(problemsDock_);
}

/// "Step 7 fuselage-tile-reductions died with SIGSEGV"
static QString describe(const CrashReport &report) {
  const QString end = report.cancelled ? MainWindow::tr("was stopped") : MainWindow::tr("died with %1").arg(report.exit.reason());
  if (report.step)
    return MainWindow::tr("Step %1 %2 %3").arg(report.step->index).arg(report.step->name.isEmpty() ? report.step->pass : report.step->name, end);
  if (!report.activity.isEmpty())
    return MainWindow::tr("The engine %1 while %2").arg(end, report.activity);
  return MainWindow::tr("The engine %1").arg(end);
}

void MainWindow::engineCrashed(const CrashReport &report) {
  stepModel_.clearRunning();
  stepsPanel_->setProgress(0, 0);
  crashText_ = describe(report);
  logPanel_->append(crashText_);
  const auto kind = report.cancelled ? Banner::Kind::Info : Banner::Kind::Error;
  banner_->showMessage(kind, tr("%1 — restarting\u2026").arg(crashText_));
  if (!report.cancelled)
    problems_.setDiagnostics(u"engine"_s, {{.severity = u"error"_s, .message = crashText_, .file = {}, .notes = {}}});
  if (report.activity == tr("running kernels"))
    runPanel_->setMessage(crashText_, true);
}

void MainWindow::engineRecovered(int steps) {
  stepModel_.setSteps(session_.steps());
  showStepSource();
  fusion_->reset();
  graphController_->refresh();
  textController_->refresh();
  tileController_->refresh();
  if (stepsPanel_->currentRow() < 0)
    selectStep(0);
  const std::optional<CrashReport> &crash = session_.lastCrash();
  if (crashText_.isEmpty() || !crash)
    return;
  const auto kind = crash->cancelled ? Banner::Kind::Info : Banner::Kind::Error;
  const QString back = steps > 0 ? tr("restarted with %1").arg(counted(steps, tr("step"), tr("steps"))) : tr("restarted");
  banner_->showMessage(kind, tr("%1 — %2").arg(crashText_, back));
  if (crash->step)
    banner_->addButton(tr("Save reproducer\u2026"), this, [this] { saveCrashReproducer(); });
  banner_->addButton(tr("Details"), this, [this] { raise(logDock_); });
  crashText_.clear();
  if (!pendingRun_.isEmpty())
    runOn(std::exchange(pendingRun_, {}));
}

void MainWindow::updateState() {
  using State = EngineSession::State;
  const State state = session_.state();
  engineLabel_->setText(tr("Engine: %1").arg(EngineSession::stateText(state)));
  engineLabel_->setToolTip(session_.command().join(u' '));
  const bool isBusy = session_.isBusy() || (openProgress_ && openProgress_->isActive());
  const bool isReady = state == State::Ready && session_.hasDocument();
  actions_->cancel->setEnabled(isBusy);
  cancelButton_->setVisible(isBusy);
  progress_->setVisible(isBusy);
  if (isBusy)
    progress_->setRange(0, 0);
  showCentre();
  updateFusionState();
  actions_->nextStep->setEnabled(session_.hasDocument());
  actions_->previousStep->setEnabled(stepsPanel_->currentRow() > 0);
  actions_->run->setEnabled(isReady);
  actions_->record->setEnabled(isReady);
  actions_->loadSchedule->setEnabled(isReady);
  actions_->reload->setEnabled(isReady);
  actions_->exportGraph->setEnabled(isReady);
  actions_->exportReport->setEnabled(isReady && !session_.steps().isEmpty());
  actions_->reproducer->setEnabled(isReady && stepModel_.stepAt(stepsPanel_->currentRow()));
  runPanel_->setRunning(state == State::Running, isReady);
  pipelinePanel_->setEnabledToRecord(isReady);
  if (state == State::Ready && runDock_->isVisible() && !hasDevices_)
    requestDevices();
  requestArguments();
}

} // namespace fuselage
