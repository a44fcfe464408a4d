#include "app/gui/shell/MainWindow.h"
#include "app/gui/buffers/BuffersController.h"
#include "app/gui/fusion/FusionVerdicts.h"
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/engine/OpenProgress.h"
#include "app/gui/search/SearchController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tiles/TileController.h"
#include "views/common/Theme.h"
#include "views/graph/GraphView.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/LogPanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/ProblemsPanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/panels/Welcome.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/widgets/Banner.h"
#include "views/widgets/Icons.h"
#include "views/widgets/SearchBar.h"
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

MainWindow::MainWindow(EngineSession &session, Settings &settings, QWidget *parent)
    : QMainWindow(parent), session_(session), settings_(settings), actions_(new WindowActions(*this)) {
  setWindowTitle(u"Fuselage"_s);
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
  resize(1440, 900);
  buildCentre();
  buildDocks();
  buildStatusBar();
  graphController_ = new GraphController(session_, *graph_, this);
  textController_ = new TextController(session_, {.graph = *graph_, .text = *text_, .diff = *diff_, .details = details_}, this);
  searchController_ = new SearchController(session_, *searchBar_, *graph_, *text_, *textController_, this);
  tileController_ = new TileController(session_, *tilePanel_, this);
  connectActions();
  connectViews();
  connectSession();
  buildFusion();
  buildBuffers();
  connectFusion();
  restoreSettings();
  updateState();
  updateProblems();
}

MainWindow::~MainWindow() {
  // The session outlives the window: nothing of it may call back into half a window.
  session_.disconnect(this);
  // Views read their models while they are being hidden, which ~QWidget would do after the models
  // have gone.
  hide();
}

void MainWindow::buildCentre() {
  tabs_ = new QTabBar;
  tabs_->setObjectName("views"_L1);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Views"));
  tabs_->addTab(lineIcon(u"graph"_s), tr("Graph"));
  tabs_->addTab(lineIcon(u"text"_s), tr("IR"));
  tabs_->addTab(lineIcon(u"diff"_s), tr("Diff"));
  graph_ = new GraphView;
  graph_->setObjectName("graph"_L1);
  graph_->setAccessibleName(tr("Dispatch graph"));
  graph_->setEmptyText(tr("No module is open"), tr("Open a module, a pass-by-pass log or a folder of dumps, or drop one here."));
  text_ = new TextView;
  text_->setObjectName("text"_L1);
  text_->setAccessibleName(tr("IR text"));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setEmptyText(tr("No text"), tr("The IR of the selected step appears here."));
  diff_ = new DiffView;
  diff_->setObjectName("diff"_L1);
  diff_->setAccessibleName(tr("Diff of the selected step"));
  diff_->setEmptyText(tr("Nothing to compare"), tr("Select a step to see what it changed."));
  split_ = new QSplitter(Qt::Vertical);
  split_->setObjectName("split"_L1);
  split_->setChildrenCollapsible(false);
  split_->addWidget(graph_);
  split_->addWidget(text_);
  split_->setStretchFactor(0, 5);
  split_->setStretchFactor(1, 2);
  split_->setSizes({560, 220});
  stack_ = new QStackedWidget;
  stack_->addWidget(split_);
  stack_->addWidget(diff_);
  welcome_ = new Welcome;
  stack_->addWidget(welcome_);
  banner_ = new Banner;
  banner_->setObjectName("banner"_L1);
  searchBar_ = new SearchBar;
  searchBar_->setObjectName("searchBar"_L1);
  searchBar_->hide();
  auto *centre = new QWidget;
  auto *layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(banner_);
  layout->addWidget(tabs_);
  layout->addWidget(searchBar_);
  layout->addWidget(stack_, 1);
  setCentralWidget(centre);
}

QDockWidget *MainWindow::addDock(Qt::DockWidgetArea area, const QString &name, const QString &title, QWidget *content,
                                 const QString &shortcut) {
  auto *dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(content);
  addDockWidget(area, dock);
  QAction *action = actions_->docksMenu->addAction(title);
  action->setShortcut(QKeySequence(shortcut));
  connect(action, &QAction::triggered, this, [this, dock] { goToDock(dock); });
  return dock;
}

/// Opens a panel, brings it to the front and gives it the keyboard; where it has that, closes it.
void MainWindow::goToDock(QDockWidget *dock) {
  const bool isInFront = dock->isVisible() && !dock->visibleRegion().isEmpty();
  if (isInFront && dock->isAncestorOf(focusWidget())) {
    dock->hide();
    currentView()->setFocus();
    return;
  }
  raise(dock);
  dock->widget()->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::buildDocks() {
  stepsPanel_ = new StepsPanel(&stepModel_);
  detailsPanel_ = new DetailsPanel(&details_);
  problemsPanel_ = new ProblemsPanel(&problems_);
  runPanel_ = new RunPanel(&kernels_);
  pipelinePanel_ = new PipelinePanel;
  logPanel_ = new LogPanel;
  tilePanel_ = new TileExplorerPanel;
  stepsDock_ = addDock(Qt::LeftDockWidgetArea, u"steps"_s, tr("Steps"), stepsPanel_, u"Alt+1"_s);
  detailsDock_ = addDock(Qt::RightDockWidgetArea, u"details"_s, tr("Details"), detailsPanel_, u"Alt+2"_s);
  problemsDock_ = addDock(Qt::BottomDockWidgetArea, u"problems"_s, tr("Problems"), problemsPanel_, u"Alt+3"_s);
  runDock_ = addDock(Qt::BottomDockWidgetArea, u"run"_s, tr("Run"), runPanel_, u"Alt+4"_s);
  pipelineDock_ = addDock(Qt::BottomDockWidgetArea, u"pipeline"_s, tr("Pipeline"), pipelinePanel_, u"Alt+5"_s);
  logDock_ = addDock(Qt::BottomDockWidgetArea, u"log"_s, tr("Log"), logPanel_, u"Alt+6"_s);
  tileDock_ = addDock(Qt::BottomDockWidgetArea, u"tiles"_s, tr("Tile Explorer"), tilePanel_, u"Alt+8"_s);
  tabifyDockWidget(problemsDock_, runDock_);
  tabifyDockWidget(runDock_, pipelineDock_);
  tabifyDockWidget(pipelineDock_, logDock_);
  tabifyDockWidget(logDock_, tileDock_);
  // The bottom opens when there is something to see: the first sight is the graph.
  for (QDockWidget *dock : {problemsDock_, runDock_, pipelineDock_, logDock_, tileDock_})
    dock->hide();
  resizeDocks({stepsDock_, detailsDock_}, {320, 300}, Qt::Horizontal);
  resizeDocks({runDock_}, {230}, Qt::Vertical);
}

void MainWindow::buildStatusBar() {
  documentLabel_ = new QLabel;
  selectionLabel_ = new QLabel;
  engineLabel_ = new QLabel;
  problemsButton_ = new QToolButton;
  problemsButton_->setAutoRaise(true);
  problemsButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  problemsButton_->setIcon(lineIcon(u"problems"_s));
  problemsButton_->setIconSize(QSize(14, 14));
  problemsButton_->setAccessibleName(tr("Show problems"));
  progress_ = new QProgressBar;
  progress_->setTextVisible(false);
  progress_->setFixedSize(110, 8);
  progress_->setVisible(false);
  progress_->setAccessibleName(tr("Progress"));
  cancelButton_ = new QToolButton;
  cancelButton_->setDefaultAction(actions_->cancel);
  cancelButton_->setAutoRaise(true);
  cancelButton_->setIconSize(QSize(14, 14));
  cancelButton_->setVisible(false);
  fusionButton_ = new QToolButton;
  fusionButton_->setAutoRaise(true);
  fusionButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fusionButton_->setIcon(lineIcon(u"fuse"_s));
  fusionButton_->setIconSize(QSize(14, 14));
  fusionButton_->setAccessibleName(tr("Show missed fusions"));
  fusionButton_->setVisible(false);
  statusBar()->addPermanentWidget(documentLabel_);
  statusBar()->addPermanentWidget(fusionButton_);
  statusBar()->addPermanentWidget(problemsButton_);
  statusBar()->addPermanentWidget(engineLabel_);
  statusBar()->addPermanentWidget(progress_);
  statusBar()->addPermanentWidget(cancelButton_);
}

void MainWindow::connectViews() {
  connect(welcome_, &Welcome::openRequested, actions_->open, &QAction::trigger);
  connect(welcome_, &Welcome::openFolderRequested, actions_->openDirectory, &QAction::trigger);
  connect(welcome_, &Welcome::recentRequested, this, &MainWindow::openFile);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { showView(View(tab)); });
  connect(stepsPanel_, &StepsPanel::rowSelected, this, &MainWindow::stepSelected);
  connect(stepsPanel_, &StepsPanel::reproducerRequested, this, &MainWindow::saveReproducer);
  connect(stepsPanel_, &StepsPanel::hideUnchangedChanged, this, [this](bool hide) {
    actions_->hideUnchanged->setChecked(hide);
    settings_.setFlag(u"hideUnchanged"_s, hide);
  });
  connect(stepsPanel_, &StepsPanel::recordFromRequested, this, [this](int row) { record(pipelinePanel_->request(), row); });
  connect(graphController_, &GraphController::removedOps, this, [this](int step, const QStringList &names) {
    if (stepsPanel_->currentRow() == step + 1)
      stepsPanel_->setRemovedOps(names);
  });
  connect(graphController_, &GraphController::failed, this, &MainWindow::graphFailed);
  connect(graphController_, &GraphController::cancelled, this, [this] {
    graph_->setEmptyText(tr("The graph was not drawn"), tr("You cancelled it. Reload the file (F5) to draw it, or read the IR as text."));
    tell(tr("Drawing the graph was cancelled"));
  });
  openProgress_ = new OpenProgress(session_, *graphController_, *graph_);
  connect(openProgress_, &OpenProgress::activeChanged, this, &MainWindow::updateState);
  connect(graphController_, &GraphController::shown, this, [this] {
    emit graphShown();
    fusion_->sceneShown();
    problems_.clear(u"graph"_s);
    readSnapshot();
    searchController_->refresh();
    if (graph_->currentNode() != textController_->selected())
      textController_->select(graph_->currentNode(), false);
    if (!recordWhenShown_)
      return;
    // After the first paint: the graph is what the user waits for.
    QTimer::singleShot(0, this, [this] {
      if (std::exchange(recordWhenShown_, false))
        session_.record({});
    });
  });
  connect(textController_, &TextController::diffShown, this, [this](int, int added, int removed, int changed) {
    tell(added + removed + changed == 0 ? tr("No line is different")
                                        : tr("Lines: %1 added, %2 removed, %3 changed").arg(groupedNumber(added), groupedNumber(removed), groupedNumber(changed)));
  });
  connect(textController_, &TextController::failed, this, [this](const protocol::Error &error) {
    reportError(u"diff"_s, tr("The step cannot be compared"), error);
  });
  connect(graph_, &GraphView::contextMenuRequested, this, &MainWindow::showNodeMenu);
  connect(graph_, &GraphView::minimapVisibleChanged, actions_->minimap, &QAction::setChecked);
  connect(graph_, &GraphView::traceChanged, this, [this](Trace trace) { actions_->trace->setChecked(trace != Trace::None); });
  connect(graph_, &GraphView::nodeActivated, this, [this](qint64 id) {
    actions_->splitText->setChecked(true);
    textController_->select(id, false);
    text_->setFocus();
  });
  connect(detailsPanel_, &DetailsPanel::opActivated, this, [this](qint64 op) { textController_->select(op, true); });
  connect(detailsPanel_, &DetailsPanel::originActivated, this, [this](int line) {
    selectStep(0);
    textController_->goToLine(line);
  });
  connect(problemsPanel_, &ProblemsPanel::opActivated, this, [this](int step, qint64 op, int line) {
    if (session_.showsLog()) { // the dump itself
      selectStep(step + 1);
      textController_->goToLine(line);
      return;
    }
    selectStep(step); // the snapshot in front of the step
    textController_->select(op, true);
  });
  connect(problemsPanel_, &ProblemsPanel::placeActivated, this,
          [this](const QString &file, int line, int) { goToPlace(file, line); });
  connect(problemsButton_, &QToolButton::clicked, this, [this] { raise(problemsDock_); });
  for (auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&problems_, signal, this, &MainWindow::updateProblems);
  connect(runPanel_, &RunPanel::runRequested, this, &MainWindow::startRun);
  connect(runPanel_, &RunPanel::cancelRequested, &session_, &EngineSession::cancel);
  connect(runPanel_, &RunPanel::refreshRequested, this, &MainWindow::requestDevices);
  connect(runPanel_, &RunPanel::heatToggled, actions_->heat, &QAction::setChecked);
  connect(runPanel_, &RunPanel::kernelSelected, this, [this](const protocol::Kernel &kernel) {
    const int dispatch = graphController_->dispatchOf(kernel);
    for (const ClusterData &cluster : graph_->scene().clusters)
      if (cluster.kind == ClusterData::Kind::Dispatch && cluster.dispatch == dispatch)
        graph_->reveal(cluster.id);
    for (const NodeData &node : graph_->scene().nodes)
      if (node.collapsed && node.dispatch == dispatch)
        textController_->select(node.id, true);
  });
  connect(runDock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible && !hasDevices_ && session_.state() == EngineSession::State::Ready)
      requestDevices();
    requestArguments();
  });
  connect(runPanel_, &RunPanel::functionChanged, this, [this] {
    hasArguments_ = false;
    requestArguments();
  });
  connect(tileDock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    tileController_->setVisible(visible);
    if (visible && !hasDevices_ && session_.state() == EngineSession::State::Ready)
      requestDevices();
  });
  connect(textController_, &TextController::selectionChanged, tileController_, &TileController::select);
  connect(tileController_, &TileController::opActivated, this, [this](qint64 op) { textController_->select(op, true); });
  connect(pipelinePanel_, &PipelinePanel::recordRequested, this,
          [this](const RecordRequest &request) { record(request, stepsPanel_->currentRow()); });
  connect(pipelinePanel_, &PipelinePanel::originRequested, this, [this] { openFile(session_.document().path); });
  connect(pipelinePanel_, &PipelinePanel::scheduleRequested, this, &MainWindow::chooseSchedule);
  connect(pipelineDock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible && !hasCatalog_ && session_.state() == EngineSession::State::Ready)
      requestCatalog();
  });
}

void MainWindow::restoreSettings() {
  applyTheme(settings_.theme());
  actions_->splitText->setChecked(settings_.flag(u"splitText"_s, true));
  actions_->foldConstants->setChecked(settings_.flag(u"foldConstants"_s, true));
  actions_->minimap->setChecked(settings_.flag(u"minimap"_s, true));
  actions_->heat->setChecked(settings_.flag(u"heat"_s, true));
  actions_->verdicts->setChecked(settings_.flag(u"verdicts"_s, true));
  stepsPanel_->setHideUnchanged(settings_.flag(u"hideUnchanged"_s, false));
  graph_->setMinimapVisible(actions_->minimap->isChecked());
  if (!settings_.geometry().isEmpty())
    restoreGeometry(settings_.geometry());
  if (!settings_.windowState().isEmpty())
    restoreState(settings_.windowState());
  fillRecentMenu();
  showView(GraphTab);
}

void MainWindow::showView(View view) {
  const QSignalBlocker blocker(tabs_);
  tabs_->setCurrentIndex(view);
  showCentre();
  graph_->setVisible(view == GraphTab);
  text_->setVisible(view == TextTab || (view == GraphTab && actions_->splitText->isChecked()));
  textController_->setDiffVisible(view == DiffTab);
  // The steps keep the keyboard while one walks through them.
  if (!stepsPanel_->isAncestorOf(focusWidget()))
    currentView()->setFocus();
}

/// The views, once there is something to see in them.
void MainWindow::showCentre() {
  const bool isEmpty = !session_.hasDocument() && session_.state() != EngineSession::State::Opening;
  const bool isFirst = !isEmpty && stack_->currentWidget() == welcome_;
  tabs_->setVisible(!isEmpty);
  stack_->setCurrentWidget(isEmpty ? welcome_ : tabs_->currentIndex() == DiffTab ? static_cast<QWidget *>(diff_) : split_);
  if (isFirst)
    currentView()->setFocus();
}

QWidget *MainWindow::currentView() const {
  if (stack_->currentWidget() == welcome_)
    return welcome_;
  switch (tabs_->currentIndex()) {
  case TextTab:
    return text_;
  case DiffTab:
    return diff_;
  default:
    return graph_;
  }
}

void MainWindow::selectStep(int row) { stepsPanel_->setCurrentRow(row); }

void MainWindow::stepSelected(int row) {
  const protocol::Step *step = stepModel_.stepAt(row);
  if (row > 0 && !step)
    return; // the running one has no snapshot yet
  const int snapshot = stepModel_.snapshotAt(row);
  graphController_->show(snapshot, row - 1);
  textController_->show(snapshot, step);
  buffersController_->show(snapshot, step ? step->before : -1);
  actions_->reproducer->setEnabled(step != nullptr);
  actions_->previousStep->setEnabled(row > 0);
}

void MainWindow::showRunPanel() { raise(runDock_); }

void MainWindow::showResults() {
  raise(runDock_);
  resizeDocks({runDock_}, {height() / 2}, Qt::Vertical);
  runPanel_->showResults();
}

void MainWindow::showTiles(const QString &label) {
  raise(tileDock_);
  resizeDocks({tileDock_}, {height() / 2}, Qt::Vertical);
  selectOp(label);
}

void MainWindow::selectOp(const QString &label) {
  for (const NodeData &node : graph_->scene().nodes)
    if (!label.isEmpty() && node.title.contains(label))
      return textController_->select(node.id, true);
}

void MainWindow::raise(QDockWidget *dock) {
  dock->show();
  dock->raise();
}

bool MainWindow::isSettled() const {
  using State = EngineSession::State;
  const State state = session_.state();
  if (state == State::Dead)
    return true;
  return state == State::Ready && !recordWhenShown_ && fusion_->isSettled() && pendingRun_.isEmpty() && graphController_->isSettled() &&
         (!session_.hasDocument() || textController_->isSettled()) && tileController_->isSettled() &&
         session_.client().pendingRequests() == 0;
}

void MainWindow::tell(const QString &message) { statusBar()->showMessage(message, 6000); }

void MainWindow::updateProblems() {
  const int errors = problems_.errorCount(), warnings = problems_.warningCount();
  QStringList counts;
  if (errors > 0)
    counts.append(counted(errors, tr("error"), tr("errors")));
  if (warnings > 0)
    counts.append(counted(warnings, tr("warning"), tr("warnings")));
  problemsButton_->setText(counts.isEmpty() ? tr("No problems") : counts.join(u", "_s));
}

void MainWindow::applyTheme(const QString &theme) {
  applyThemeMode(theme == "dark"_L1 ? ThemeMode::Dark : theme == "light"_L1 ? ThemeMode::Light : ThemeMode::System);
  (theme == "dark"_L1 ? actions_->themeDark : theme == "light"_L1 ? actions_->themeLight : actions_->themeSystem)->setChecked(true);
}

void MainWindow::closeEvent(QCloseEvent *event) {
  settings_.saveWindow(saveGeometry(), saveState());
  settings_.setFlag(u"splitText"_s, actions_->splitText->isChecked());
  settings_.setFlag(u"foldConstants"_s, actions_->foldConstants->isChecked());
  settings_.setFlag(u"minimap"_s, actions_->minimap->isChecked());
  settings_.setFlag(u"heat"_s, actions_->heat->isChecked());
  settings_.setFlag(u"verdicts"_s, actions_->verdicts->isChecked());
  event->accept();
}

/// What a panel at the side gets of a window: less where that is small.
static double shareOfSides(int width) {
  constexpr double roomy = 1440;
  return std::min(1.0, width / roomy);
}

void MainWindow::resizeEvent(QResizeEvent *event) {
  QMainWindow::resizeEvent(event);
  const double before = shareOfSides(event->oldSize().width()), now = shareOfSides(event->size().width());
  if (event->oldSize().width() <= 0 || before == now)
    return;
  // The graph keeps its part of the window, not only what panels leave of it.
  QList<QDockWidget *> sides;
  QList<int> widths;
  for (QDockWidget *dock : {stepsDock_, detailsDock_, reasonDock_, copyReasonDock_})
    if (dock->isVisible() && !dock->isFloating() && !dock->visibleRegion().isEmpty()) {
      sides.append(dock);
      widths.append(int(std::lround(dock->width() * now / before)));
    }
  resizeDocks(sides, widths, Qt::Horizontal);
}

static QString droppedFile(const QMimeData *data) {
  return data->hasUrls() && data->urls().first().isLocalFile() ? data->urls().first().toLocalFile() : QString();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
  if (!droppedFile(event->mimeData()).isEmpty())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
  const QString file = droppedFile(event->mimeData());
  if (file.isEmpty())
    return;
  event->acceptProposedAction();
  openFile(file);
}

void MainWindow::changeEvent(QEvent *event) {
  QMainWindow::changeEvent(event);
  // Icons take the palette's colour when they are painted.
  if (event->type() == QEvent::PaletteChange && actions_)
    for (QWidget *child : findChildren<QWidget *>())
      child->update();
}

} // namespace fuselage
