#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/Drafts.h"
#include "app/gui/shell/Mnemonics.h"
#include "app/gui/shell/Settings.h"
#include "views/widgets/Banner.h"
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMimeData>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

MainWindow::MainWindow(EngineSession &session, Settings &settings, const AddFeatures &addFeatures, QWidget *parent)
    : QMainWindow(parent), session_(session), settings_(settings), shell_(*this, session, settings) {
  setWindowTitle(u"Fuselage"_s);
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
  resize(1440, 900);
  calm_.setInterval(20);
  connect(&calm_, &QTimer::timeout, this, &MainWindow::awaitCalm);
  addFeatures(*this);
  shell_.arrange();
  makeMnemonicsUnique(*this);
  tellControllers();
  connect(&settings.drafts(), &Drafts::failed, this, [this](const QString &why) {
    shell_.banner().showMessage(
        Banner::Kind::Warning,
        tr("Unsaved changes cannot be kept in %1: %2. They are still in the window: save your work.")
            .arg(QDir::toNativeSeparators(settings_.drafts().folder()), why));
  });
  restore();
  sessionChanged();
}

MainWindow::~MainWindow() {
  // The session outlives the window: nothing of it may call back into half a window.
  session_.disconnect(this);
  // Views read their models while they are being hidden, which ~QWidget would do after the models
  // have gone.
  hide();
  controllers_.clear();
}

/// What happens, to the hooks of the controllers.
void MainWindow::tellControllers() {
  connect(&session_, &EngineSession::stateChanged, this, &MainWindow::sessionChanged);
  connect(&session_, &EngineSession::opened, this, &MainWindow::documentOpened);
  connect(&session_, &EngineSession::crashed, this,
          [this](const CrashReport &report) { tellAll(&Controller::engineDied, report); });
  connect(&session_, &EngineSession::recovered, this,
          [this](int steps) { tellAll(&Controller::engineRecovered, steps); });
  connect(&shell_, &Shell::documentReset, this, [this] { tellAll(&Controller::documentReset); });
  connect(&shell_, &Shell::stepsReplaced, this, [this](int row) { tellAll(&Controller::stepsReplaced, row); });
  connect(&shell_, &Shell::stepShown, this, [this](const ShownStep &step) { tellAll(&Controller::stepShown, step); });
  connect(&shell_, &Shell::graphShown, this, [this](int snapshot) {
    tellAll(&Controller::graphShown, snapshot);
    emit shell_.graphMarked();
  });
}

void MainWindow::documentOpened(const protocol::Document &document) {
  saveDocument(); // the last one
  if (path_.isEmpty())
    shell_.docks().endMaximized(); // the start page had the window for itself
  path_ = document.tool.isEmpty() ? document.path : QString();
  shell_.banner().hide();
  tellAll(&Controller::opened, document);
  emit shell_.documentOpened();
  sessionChanged();
  restoreDocument();
  if (!path_.isEmpty() && std::exchange(draftsOf_, path_) != path_) { // the same again has them already
    shell_.setDraftTab(path_);
    restoreDrafts();
  }
}

void MainWindow::restoreDrafts() { tellAll(&Controller::restoreDraft, shell_.draftTab()); }

void MainWindow::sessionChanged() {
  shell_.centre().refresh();
  tellAll(&Controller::sessionChanged);
}

bool MainWindow::isSettled() const {
  return isCalm() && (wanted_.isEmpty() || session_.state() == EngineSession::State::Dead);
}

bool MainWindow::isCalm() const {
  using State = EngineSession::State;
  if (session_.state() == State::Dead)
    return true;
  const auto isCalm = [](const std::unique_ptr<Controller> &controller) { return controller->isSettled(); };
  return session_.state() == State::Ready &&
         std::all_of(controllers_.list().begin(), controllers_.list().end(), isCalm) &&
         session_.client().pendingRequests() == 0;
}

bool MainWindow::isEmpty() const { return !session_.hasDocument() && session_.openingPath().isEmpty(); }

QString MainWindow::documentPath() const { return session_.openingPath().isEmpty() ? path_ : session_.openingPath(); }

QString MainWindow::documentName() const {
  if (session_.openingPath().isEmpty() && session_.hasDocument() && !session_.document().name.isEmpty())
    return session_.document().name;
  return QFileInfo(documentPath()).fileName();
}

void MainWindow::restore() {
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->restoreState(settings_);
  if (!settings_.layout().isEmpty())
    shell_.docks().restore(settings_.layout());
  showView(View::Graph);
}

void MainWindow::saveDocument() {
  calm_.stop();
  qApp->removeEventFilter(this);
  // What was not shown yet is still what is to be shown next time.
  QJsonObject state = std::exchange(wanted_, {});
  if (path_.isEmpty())
    return;
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->documentLeft();
  settings_.setDocumentState(path_, state.isEmpty() ? documentState() : state);
}

QJsonObject MainWindow::documentState() const {
  QJsonObject state;
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->saveDocument(state);
  return state;
}

bool MainWindow::saveProgress() {
  using State = EngineSession::State;
  // Rows and views are about to be others.
  if (!wanted_.isEmpty() || session_.state() == State::Opening || session_.state() == State::Recording ||
      session_.state() == State::Fusing || session_.state() == State::Restarting)
    return false;
  saveLayout();
  if (!path_.isEmpty())
    if (const QJsonObject state = documentState(); settings_.documentState(path_) != state)
      settings_.setDocumentState(path_, state);
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->saveState(settings_);
  return true;
}

/// As soon as it is recorded and drawn, unless the user goes on before.
void MainWindow::restoreDocument() {
  wanted_ = path_.isEmpty() ? QJsonObject() : settings_.documentState(path_);
  if (wanted_.isEmpty())
    return;
  qApp->installEventFilter(this);
  calm_.start();
}

void MainWindow::awaitCalm() {
  if (!isCalm())
    return;
  calm_.stop();
  qApp->removeEventFilter(this);
  const QJsonObject state = std::exchange(wanted_, {});
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->restoreDocument(state);
}

/// A modifier alone, or the way to another tab.
static bool goesElsewhere(const QKeyEvent &key) {
  switch (key.key()) {
  case Qt::Key_Control:
  case Qt::Key_Shift:
  case Qt::Key_Alt:
  case Qt::Key_AltGr:
  case Qt::Key_Meta:
    return true;
  case Qt::Key_Tab:
  case Qt::Key_Backtab:
  case Qt::Key_PageUp:
  case Qt::Key_PageDown:
    return key.modifiers() & Qt::ControlModifier;
  default:
    return false;
  }
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event) {
  const QEvent::Type type = event->type();
  const bool isKey = type == QEvent::KeyPress && !goesElsewhere(*static_cast<QKeyEvent *>(event));
  if (isKey || type == QEvent::MouseButtonPress || type == QEvent::Wheel)
    if (auto *widget = qobject_cast<QWidget *>(watched); widget && isAncestorOf(widget)) {
      wanted_ = {};
      calm_.stop();
      qApp->removeEventFilter(this);
    }
  return QMainWindow::eventFilter(watched, event);
}

bool MainWindow::mayLeave() const {
  return std::all_of(controllers_.list().begin(), controllers_.list().end(),
                     [](const std::unique_ptr<Controller> &controller) { return controller->mayClose(); });
}

void MainWindow::saveLayout() { settings_.setLayout(shell_.docks().state()); }

void MainWindow::saveAll() {
  saveLayout();
  saveDocument();
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->saveState(settings_);
}

void MainWindow::closeEvent(QCloseEvent *event) {
  if (!mayLeave())
    return event->ignore();
  saveAll();
  event->accept();
}

void MainWindow::resizeEvent(QResizeEvent *event) {
  QMainWindow::resizeEvent(event);
  shell_.menus().followWidth(event->size().width());
  shell_.docks().followWidth(event->oldSize().width(), event->size().width());
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
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    if (controller->takeFile(file))
      return;
  emit shell_.fileDropped(file);
}

void MainWindow::changeEvent(QEvent *event) {
  QMainWindow::changeEvent(event);
  // Icons take the palette's colour when they are painted.
  if (event->type() == QEvent::PaletteChange)
    for (QWidget *child : findChildren<QWidget *>())
      child->update();
}

} // namespace fuselage
