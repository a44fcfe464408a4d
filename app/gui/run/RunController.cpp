#include "app/gui/run/RunController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/run/DeviceList.h"
#include "app/gui/run/DeviceModels.h"
#include "app/gui/shell/CrashText.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/RunMethods.h"
#include "views/graph/GraphView.h"
#include "views/panels/RunPanel.h"
#include "views/widgets/StepChip.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

RunController::RunController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                             ProblemsController &problems)
    : Controller(shell), panel_([this] { return new RunPanel(&kernels_); }),
      dock_(shell.docks().add(
          {.name = u"run"_s, .title = tr("Run"), .shortcut = u"Alt+4"_s, .beside = u"problems"_s, .extent = 230},
          panel_.place())),
      devices_(new DeviceList(session(), this)), steps_(steps), graph_(graph), text_(text), problems_(problems),
      draft_(shell, u"run"_s) {
  addCommands();
  addPreferences();
  panel_.tell([this](RunPanel &panel) { connectPanel(panel); });
  followDock();
  followDevices();
  followSession(session());
  connect(&graph, &GraphController::menuShown, this, &RunController::addToMenu);
}

RunPanel &RunController::panel() { return panel_.get(); }

void RunController::tellPanel(const LazyPanel<RunPanel>::News &news) { panel_.tell(news); }

void RunController::addCommands() {
  run_ = command(tr("&Run Kernels"), u"run"_s, {QKeySequence(u"Ctrl+R"_s)});
  run_->setIconText(tr("Run"));
  QAction *refresh = command(tr("Refresh &Devices"), u"reload"_s);
  whatDevicesDo_ = command(tr("What &Devices Can Do\u2026"), u"details"_s);
  whatDevicesDo_->setToolTip(tr("Sizes, limits and rates that kernels are compiled for, each with its source"));
  heat_ = toggle(tr("&Heat on the Graph"), u"heat"_s);
  remember(heat_, u"heat"_s);
  lower_ = command(tr("&Lower and Run"), u"run"_s, {QKeySequence(u"Ctrl+Alt+R"_s)});
  lower_->setToolTip(tr("Record the default pipeline after the fusion, and run it"));
  QAction *roofline = command(tr("Roo&fline"), u"roofline"_s);
  roofline->setToolTip(tr("Each dispatch below the peaks of the device"));
  QAction *exportsRoofline = command(tr("E&xport Roofline\u2026"), u"export"_s);
  on(roofline, [this] { showRoofline(); });
  on(exportsRoofline, [this] { exportRoofline(); });
  on(run_, [this] { start(); });
  on(lower_, [this] { lowerAndRun(); });
  on(refresh, [this] {
    raise();
    devices_->request();
  });
  on(whatDevicesDo_, [this] { showDevices(session(), &shell().window()); });
  connect(heat_, &QAction::toggled, this, [this](bool heat) {
    panel_.tell(u"heat"_s, [heat](RunPanel &panel) { panel.setHeat(heat); });
    graph_.scenes().setHeatVisible(heat);
  });
  shell().menus().add(Place::RunStart, {run_, lower_});
  shell().menus().add(Place::RunDevices, {refresh, whatDevicesDo_, heat_, roofline, exportsRoofline});
  shell().menus().add(Place::BarRun, {run_});
}

void RunController::addPreferences() {
  const QString section = tr("Runs");
  shell().addPreference({.section = section,
                         .name = tr("Repeats"),
                         .hint = tr("How often each kernel is launched to be timed"),
                         .kind = Preference::Kind::Number,
                         .least = 1,
                         .most = 1000,
                         .value = [this] { return QString::number(panel_->repeat()); },
                         .set = [this](const QString &value) { panel_->setRepeat(value.toInt()); }});
  shell().addPreference({.section = section,
                         .name = tr("Measure peaks and baselines"),
                         .value = [this] { return panel_->hasBaselines() ? u"on"_s : u"off"_s; },
                         .set = [this](const QString &value) { panel_->setBaselines(value == "on"_L1); }});
  shell().addPreference({.section = section,
                         .name = tr("Caches"),
                         .hint = tr("What timed launches find in the caches of the device"),
                         .kind = Preference::Kind::Choice,
                         .choices = {{u"cold"_s, tr("Cold")}, {u"warm"_s, tr("Warm")}},
                         .value = [this] { return panel_->coldCaches() ? u"cold"_s : u"warm"_s; },
                         .set = [this](const QString &value) { panel_->setColdCaches(value == "cold"_L1); }});
}

void RunController::connectPanel(RunPanel &panel) {
  connect(&panel, &RunPanel::runRequested, this, [this] { start(); });
  connect(&panel, &RunPanel::csvRequested, this, &RunController::exportCsv);
  connect(&panel, &RunPanel::rooflineRequested, this, &RunController::exportRoofline);
  connect(&panel, &RunPanel::cancelRequested, &session(), &EngineSession::cancel);
  connect(&panel, &RunPanel::refreshRequested, devices_, &DeviceList::request);
  connect(&panel, &RunPanel::heatToggled, heat_, &QAction::setChecked);
  connect(&panel, &RunPanel::parametersRequested, this, &RunController::chooseParameters);
  connect(&panel, &RunPanel::kernelSelected, this, &RunController::showKernel);
  connect(&panel, &RunPanel::functionChanged, this, [this] {
    hasArguments_ = false;
    requestArguments();
  });
  connect(&session(), &EngineSession::runProgress, &panel, &RunPanel::setProgress);
}

void RunController::followDock() {
  connect(&shell().docks().chip(dock_), &StepChip::clicked, this, [this] { steps_.goTo(ranSnapshot_); });
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible)
      devices_->requestOnce();
    requestArguments();
  });
}

void RunController::chooseParameters() {
  const QStringList files = QFileDialog::getOpenFileNames(&shell().window(), tr("Files with the weights"), QString(),
                                                          tr("Weights (*.safetensors *.irpa);;All files (*)"));
  if (!files.isEmpty())
    panel_->setParameters(files);
}

void RunController::followDevices() {
  connect(devices_, &DeviceList::listed, this, [this](const QList<protocol::Device> &devices) {
    panel_.tell(u"devices"_s, [devices](RunPanel &panel) { panel.setDevices(devices); });
    startWhenListed();
  });
  connect(devices_, &DeviceList::failed, this, [this](const protocol::Error &error) {
    panel_.tell(u"devices"_s, [error](RunPanel &panel) {
      panel.setDevices({}); // the host is always there
      panel.setMessage(error.message, true);
    });
    startWhenListed();
  });
}

void RunController::followSession(EngineSession &session) {
  connect(&session, &EngineSession::recorded, this, &RunController::recordingFinished);
  connect(&session, &EngineSession::recordFailed, this, [this] { runWhenRecorded_ = false; });
  constexpr int partialMs = 300;
  partialTimer_.setSingleShot(true);
  partialTimer_.setInterval(partialMs);
  connect(&session, &EngineSession::runProgress, &partialTimer_, [this] {
    if (!partialTimer_.isActive())
      partialTimer_.start();
  });
  connect(&partialTimer_, &QTimer::timeout, this, [this] {
    if (const std::optional<protocol::RunReport> partial = partialReport())
      keepDraft(*partial);
  });
  connect(&session, &EngineSession::runFinished, this, &RunController::runFinished);
  connect(&session, &EngineSession::runFailed, this, &RunController::runFailed);
  connect(&session, &EngineSession::recordingStarted, this, &RunController::updateStale);
  connect(&session, &EngineSession::fused, this, &RunController::updateStale);
  connect(&session, &EngineSession::historyMoved, this, &RunController::updateStale);
}

void RunController::raise() { shell().docks().raise(dock_); }

void RunController::showResults() {
  shell().docks().raise(dock_, 0.5);
  panel_->showResults();
}

void RunController::showRoofline() {
  shell().docks().raise(dock_, 0.5);
  panel_->showRoofline();
}

void RunController::showTab(QWidget *tab) {
  shell().docks().raise(dock_, 0.5);
  panel_->showTab(tab);
}

/// A kernel's dispatch in the graph.
void RunController::showKernel(const protocol::Kernel &kernel) {
  const int dispatch = graph_.scenes().dispatchOf(kernel);
  GraphView &view = graph_.view();
  for (const ClusterData &cluster : view.scene().clusters)
    if (cluster.kind == ClusterData::Kind::Dispatch && cluster.dispatch == dispatch)
      view.reveal(cluster.id);
  for (const NodeData &node : view.scene().nodes)
    if (node.collapsed && node.dispatch == dispatch)
      text_.select(node.id, true);
}

/// What the function of the panel takes, once somebody can see it.
void RunController::requestArguments() {
  if (hasArguments_ || !dock_->isVisible() || !isReady())
    return;
  hasArguments_ = true;
  session().client().call<method::RunArguments>(
      {.snapshot = session().keptSteps(), .function = panel_->function()}, this,
      [this](const protocol::RunArguments &told) { panel_->setArguments(told.arguments); },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::EngineGone)
          hasArguments_ = false;
      });
}

void RunController::runOn(const QString &device) {
  raise();
  if (!isReady() || steps_.awaitsGraph()) {
    pendingRun_ = device;
    return;
  }
  panel_->setDevice(device);
  start();
}

/// `snapshot`: -1 for what was fused, or the input.
void RunController::start(const QString &dispatch, int snapshot) {
  raise();
  if (!session().hasDocument())
    return;
  if (panel_->needsDevices()) {
    // Which one the panel is about to show is the one that is meant.
    runWhenListed_ = true;
    dispatchWhenListed_ = dispatch;
    snapshotWhenListed_ = snapshot;
    panel_->setMessage(tr("Looking for devices\u2026"), false);
    if (!devices_->isAsked())
      devices_->request();
    return;
  }
  problems_.model().clear(u"run"_s);
  panel_->begin();
  panel_->setMessage(tr("Compiling\u2026"), false);
  RunRequest request = panel_->request();
  request.snapshot = snapshot < 0 ? session().keptSteps() : snapshot;
  request.dispatch = dispatch;
  if (!dispatch.isEmpty())
    request.inputs.clear(); // those of the panel are the function's
  runningDispatch_ = dispatch;
  runningSnapshot_ = request.snapshot;
  runningProgram_ = session().programKey();
  if (request.snapshot != session().keptSteps()) // another program than the present one
    runningProgram_ += u"\n@"_s + session().programKey(request.snapshot);
  running_ = request;
  session().run(request);
}

void RunController::startWhenListed() {
  if (std::exchange(runWhenListed_, false))
    start(std::exchange(dispatchWhenListed_, {}), std::exchange(snapshotWhenListed_, -1));
}

void RunController::measure(const QList<int> &snapshots) {
  queue_ = snapshots;
  runNext();
}

void RunController::runNext() {
  if (queue_.isEmpty())
    return;
  if (isReady())
    start({}, queue_.takeFirst());
  else
    queue_.clear(); // something else goes on
}

void RunController::recordingFinished(const protocol::Recording &recording) {
  if (std::exchange(runWhenRecorded_, false) && !recording.failed && !recording.cancelled)
    start();
  if (!devices_->isAsked() && (dock_->isVisible() || !pendingRun_.isEmpty()))
    devices_->request();
  if (pendingRun_.isEmpty())
    return;
  panel_->setDevice(std::exchange(pendingRun_, {}));
  start();
}

void RunController::lowerAndRun() {
  if (!isReady())
    return;
  raise();
  runWhenRecorded_ = true;
  steps_.record({}, steps_.currentRow());
}

void RunController::runDispatch(const QString &place) {
  if (isReady())
    start(place);
}

QString RunController::dispatchPlace(qint64 id) const {
  const SceneData &scene = graph_.view().scene();
  int dispatch = -1;
  for (const NodeData &node : scene.nodes)
    if (node.id == id)
      dispatch = node.dispatch;
  for (const ClusterData &cluster : scene.clusters)
    if (cluster.id == id && cluster.kind == ClusterData::Kind::Dispatch)
      dispatch = cluster.dispatch;
  return dispatch < 0 ? QString() : scene.dispatchLocs.value(dispatch);
}

/// Of a dispatch, as a box or as an op in one.
void RunController::addToMenu(QMenu *menu, NodeId id) {
  const SceneData &scene = graph_.view().scene();
  const QString place = dispatchPlace(id);
  if (place.isEmpty())
    return;
  // It is told by its place; an exporter may have given several the same one.
  const bool isOne = scene.dispatchLocs.count(place) == 1;
  menu->addAction(isOne ? tr("Run This Dispatch")
                        : tr("Run This Dispatch (several come from %1)").arg(QFileInfo(place).fileName()),
                  this, [this, place] { runDispatch(place); })
      ->setEnabled(isOne && run_->isEnabled());
}

void RunController::saveState(Settings &settings) const {
  Controller::saveState(settings);
  if (!panel_.isMade())
    return; // they are as they were
  settings.setText(u"runRepeats"_s, QString::number(panel_->repeat()));
  settings.setText(u"runSeed"_s, QString::number(panel_->seed()));
  settings.setText(u"runBaselines"_s, panel_->hasBaselines() ? u"on"_s : u"off"_s);
  settings.setText(u"runCaches"_s, panel_->coldCaches() ? u"cold"_s : u"warm"_s);
  if (!panel_->needsDevices())
    settings.setText(u"runDevice"_s, panel_->device());
}

void RunController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  const QString device = settings.text(u"runDevice"_s), seed = settings.text(u"runSeed"_s);
  const int repeat = settings.text(u"runRepeats"_s).toInt();
  const bool hasBaselines = settings.text(u"runBaselines"_s) != "off"_L1;
  const bool coldCaches = settings.text(u"runCaches"_s) != "warm"_L1;
  panel_.tell(u"settings"_s, [=](RunPanel &panel) {
    panel.preferDevice(device);
    if (repeat > 0)
      panel.setRepeat(repeat);
    if (!seed.isEmpty())
      panel.setSeed(seed.toInt());
    panel.setBaselines(hasBaselines);
    panel.setColdCaches(coldCaches);
  });
}

std::optional<protocol::RunReport> RunController::partialReport() const {
  return panel_.isMade() ? panel_->partialReport() : std::nullopt;
}

bool RunController::hasRun() const {
  return ran_ && lastProgram_ == session().programKey() && ran_->dispatch.isEmpty();
}

RunRequest RunController::valueRequest() const { return hasRun() ? *ran_ : panel_->request(); }

QMap<QString, qint64> RunController::dynamicSizes() const {
  return panel_.isMade() ? panel_->sizes() : QMap<QString, qint64>();
}

void RunController::saveDocument(QJsonObject &state) const {
  QJsonObject sizes;
  const QMap<QString, qint64> given = dynamicSizes();
  for (auto it = given.begin(); it != given.end(); ++it)
    sizes.insert(it.key(), it.value());
  if (!sizes.isEmpty())
    state[u"dynamicSizes"_s] = sizes;
}

void RunController::restoreDocument(const QJsonObject &state) {
  static const QRegularExpression name(u"^arg\\d{1,6}\\.\\d{1,3}$"_s);
  const QJsonObject sizes = state[u"dynamicSizes"_s].toObject();
  QMap<QString, qint64> given;
  for (auto it = sizes.begin(); it != sizes.end(); ++it)
    if (const qint64 size = it.value().toInteger(); name.match(it.key()).hasMatch() && size > 0 && size <= 1 << 20)
      given.insert(it.key(), size);
  if (panel_.isMade() || !given.isEmpty())
    panel_->setSizes(given);
}

void RunController::stepShown(const ShownStep &step) {
  shown_ = step.snapshot;
  showWhere();
}

/// Results that are out of date say so themselves.
void RunController::showWhere() {
  StepChip &chip = shell().docks().chip(dock_);
  if (ranProgram_.isEmpty() || ranProgram_ != session().programKey() || ranSnapshot_ == shown_)
    chip.clear();
  else
    chip.tell(steps_.nameOf(ranSnapshot_), tr("The results are of this step. A click shows it"));
}

/// Results of another program than the present one are out of date.
void RunController::updateStale() {
  if (ranProgram_.isEmpty())
    return;
  const bool isStale = session().programKey() != ranProgram_;
  panel_->setStale(isStale);
  graph_.scenes().setReportStale(this, isStale);
  showWhere();
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

void RunController::runFailed(const protocol::Error &error) {
  queue_.clear();
  if (error.code == protocol::Error::Cancelled) {
    panel_->setMessage(tr("Cancelled before a dispatch had finished"), false);
    return;
  }
  panel_->setMessage(error.message, true);
  const QStringList sizes = sizesNamedIn(error);
  if (!sizes.isEmpty()) {
    panel_->requestSizes(sizes);
    return;
  }
  problems_.model().setDiagnostics(u"run"_s, error.diagnostics);
  if (!error.diagnostics.isEmpty())
    problems_.raise();
}

void RunController::opened(const protocol::Document &document) {
  panel_.tell(u"document"_s, [functions = document.functions](RunPanel &panel) {
    panel.clear();
    panel.setFunctions(functions);
  });
  partialTimer_.stop();
  draft_.leave();
  ranProgram_.clear();
  showWhere();
  lastProgram_.clear();
  ran_.reset();
  ranDispatch_.clear();
  last_ = {};
  runWhenListed_ = runWhenRecorded_ = hasArguments_ = false;
  queue_.clear();
}

void RunController::sessionChanged() {
  run_->setEnabled(isReady());
  lower_->setEnabled(isReady());
  panel_.tell(u"running"_s, [runs = session().state() == EngineSession::State::Running,
                             isReady = isReady()](RunPanel &panel) { panel.setRunning(runs, isReady); });
  if (dock_->isVisible())
    devices_->requestOnce();
  requestArguments();
}

void RunController::engineDied(const CrashReport &report) {
  died_ = true;
  queue_.clear();
  runWhenListed_ = runWhenRecorded_ = false; // nobody expects it after a restart
  if (!report.wasRunning)
    return;
  std::optional<protocol::RunReport> finished = partialReport();
  if (finished) {
    finished->why = report.cancelled ? QString() : crashText(report);
    keepFinished(*finished);
  } else if (report.cancelled)
    panel_->setMessage(tr("Cancelled before a dispatch had finished"), false);
  else
    panel_->setMessage(crashText(report), true);
}

void RunController::engineRecovered(int) {
  updateStale();
  if (std::exchange(died_, false) && !pendingRun_.isEmpty())
    runOn(std::exchange(pendingRun_, {}));
}

} // namespace fuselage
