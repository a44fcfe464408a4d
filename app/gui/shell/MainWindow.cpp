#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/Settings.h"
#include "views/widgets/Banner.h"
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

MainWindow::MainWindow(EngineSession &session, Settings &settings, const AddFeatures &addFeatures, QWidget *parent)
    : QMainWindow(parent), session_(session), settings_(settings), shell_(*this, session, settings) {
  setWindowTitle(u"Fuselage"_s);
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
  resize(1440, 900);
  addFeatures(*this);
  shell_.arrange();
  tellControllers();
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
}

void MainWindow::documentOpened(const protocol::Document &document) {
  shell_.banner().hide();
  tellAll(&Controller::opened, document);
  emit shell_.documentOpened();
  sessionChanged();
}

void MainWindow::sessionChanged() {
  shell_.centre().refresh();
  tellAll(&Controller::sessionChanged);
}

bool MainWindow::isSettled() const {
  using State = EngineSession::State;
  if (session_.state() == State::Dead)
    return true;
  const auto isCalm = [](const std::unique_ptr<Controller> &controller) { return controller->isSettled(); };
  return session_.state() == State::Ready &&
         std::all_of(controllers_.list().begin(), controllers_.list().end(), isCalm) &&
         session_.client().pendingRequests() == 0;
}

void MainWindow::restore() {
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->restoreState(settings_);
  if (!settings_.geometry().isEmpty())
    restoreGeometry(settings_.geometry());
  if (!settings_.windowState().isEmpty())
    restoreState(settings_.windowState());
  showView(View::Graph);
}

void MainWindow::closeEvent(QCloseEvent *event) {
  const auto mayClose = [](const std::unique_ptr<Controller> &controller) { return controller->mayClose(); };
  if (!std::all_of(controllers_.list().begin(), controllers_.list().end(), mayClose))
    return event->ignore();
  settings_.saveWindow(saveGeometry(), saveState());
  for (const std::unique_ptr<Controller> &controller : controllers_.list())
    controller->saveState(settings_);
  event->accept();
}

void MainWindow::resizeEvent(QResizeEvent *event) {
  QMainWindow::resizeEvent(event);
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
