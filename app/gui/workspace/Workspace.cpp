#include "app/gui/workspace/Workspace.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/hosts/HostCommand.h"
#include "app/gui/shell/Drafts.h"
#include "app/gui/shell/Settings.h"
#include "views/widgets/Banner.h"
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QScreen>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// After a key or a click; not at once, for what comes of it takes a moment.
static constexpr int saveAfterMs = 700;

Workspace::Workspace(Settings &settings, MakeSession makeSession, AddFeatures addFeatures, QWidget *parent)
    : QWidget(parent), settings_(settings), makeSession_(std::move(makeSession)), addFeatures_(std::move(addFeatures)),
      bar_(new QTabBar), stack_(new QStackedWidget) {
  setWindowTitle(u"Fuselage"_s);
  bar_->setObjectName("documents"_L1);
  bar_->setAccessibleName(tr("Documents"));
  bar_->setDocumentMode(true);
  bar_->setExpanding(false);
  bar_->setMovable(true);
  bar_->setTabsClosable(true);
  bar_->setElideMode(Qt::ElideNone); // they are scrolled instead
  bar_->setUsesScrollButtons(true);
  bar_->setSelectionBehaviorOnRemove(QTabBar::SelectPreviousTab);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(stack_, 1);
  connect(bar_, &QTabBar::currentChanged, this, &Workspace::showTab);
  connect(bar_, &QTabBar::tabCloseRequested, this, &Workspace::closeTab);
  connect(bar_, &QTabBar::tabMoved, this, [this](int from, int to) {
    std::swap(tabs_[size_t(from)], tabs_[size_t(to)]);
    save();
  });
  shown_.setInterval(200);
  connect(&shown_, &QTimer::timeout, this, &Workspace::forgetShown);
  worked_.setSingleShot(true);
  worked_.setInterval(saveAfterMs);
  connect(&worked_, &QTimer::timeout, this, &Workspace::saveProgress);
  qApp->installEventFilter(this);
  // As large as is good to work in, where the screen has that.
  const QScreen *screen = QGuiApplication::primaryScreen();
  resize(screen ? QSize(1440, 900).boundedTo(screen->availableSize() * 0.95) : QSize(1440, 900));
  if (!settings_.geometry().isEmpty())
    restoreGeometry(settings_.geometry());
  if (screen && !isMaximized() && !isFullScreen())
    resize(size().boundedTo(screen->availableSize()));
}

Workspace::~Workspace() {
  qApp->removeEventFilter(this);
  bar_->disconnect(this);
  for (Tab &tab : tabs_)
    drop(tab);
}

void Workspace::drop(Tab &tab) {
  delete std::exchange(tab.window, nullptr); // before its session
  tab.session.reset();
}

int Workspace::currentIndex() const { return bar_->currentIndex(); }
MainWindow *Workspace::windowOf(int index) const {
  return index >= 0 && index < tabCount() ? tabs_[size_t(index)].window : nullptr;
}

MainWindow &Workspace::current() {
  if (tabs_.empty())
    addTab();
  return *tabs_[size_t(currentIndex())].window;
}

QString Workspace::pathOf(const Tab &tab) const {
  // What could not be opened is tried again at the next start.
  const QString path = tab.window ? tab.window->documentPath() : QString();
  return path.isEmpty() && (!tab.window || tab.window->isEmpty()) ? tab.path : path;
}

QStringList Workspace::paths() const {
  QStringList list;
  for (const Tab &tab : tabs_)
    list.append(pathOf(tab));
  return list;
}

void Workspace::restore(const QStringList &files) {
  const QStringList paths = settings_.openDocuments();
  const QString current = settings_.text(u"currentDocument"_s); // tabs that come write it
  for (const QString &path : paths)
    if (QFileInfo::exists(path)) {
      const QSignalBlocker blocker(bar_); // the first would be opened
      insertTab(path);
      tabs_.back().isHeld = settings_.pendingDocuments().contains(path);
    }
  // Drafts of tabs without a document; each such tab takes one of them when it comes to the front.
  for (qsizetype lost = settings_.drafts().unclaimedTabs().size(); lost > 0; --lost) {
    const QSignalBlocker blocker(bar_);
    insertTab({});
  }
  for (const QString &file : files)
    open(file);
  if (!files.isEmpty())
    return;
  if (tabs_.empty())
    return addTab();
  const int last = int(this->paths().indexOf(current)); // of those that are still there
  bar_->setCurrentIndex(std::clamp(last, 0, tabCount() - 1));
  showTab(bar_->currentIndex());
}

void Workspace::insertTab(const QString &path) {
  tabs_.push_back({.path = path});
  bar_->addTab(path.isEmpty() ? tr("New") : QFileInfo(path).fileName());
  rename();
}

void Workspace::addTab(const QString &path) {
  {
    const QSignalBlocker blocker(bar_);
    insertTab(path);
    bar_->setCurrentIndex(tabCount() - 1);
  }
  showTab(tabCount() - 1);
}

void Workspace::open(const QString &path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  if (const qsizetype there = paths().indexOf(absolute); there >= 0) {
    Tab &tab = tabs_[size_t(there)];
    if (std::exchange(tab.isHeld, false) && tab.window)
      tab.window->controller<DocumentController>().open(absolute);
    bar_->setCurrentIndex(int(there));
    return showTab(int(there)); // it may have been in front, and not been made
  }
  if (MainWindow *front = windowOf(currentIndex()); front && front->isEmpty()) {
    Tab &tab = tabs_[size_t(currentIndex())];
    tab.path = absolute;
    if (const QString host = settings_.hostOf(absolute); host != tab.session->place()) {
      useHost(*tab.session, settings_, host);
      tab.session->start();
    }
    front->controller<DocumentController>().open(absolute);
  } else {
    addTab(absolute);
  }
}

void Workspace::comeForward() {
  setWindowState(windowState() & ~Qt::WindowMinimized);
  show();
  raise();
  activateWindow();
}

void Workspace::step(int direction) {
  if (tabCount() > 1)
    bar_->setCurrentIndex((currentIndex() + direction + tabCount()) % tabCount());
}

void Workspace::make(Tab &tab) {
  if (const int shown = stack_->currentIndex(); shown >= 0) // the new one looks as the one that was left
    if (auto *window = qobject_cast<MainWindow *>(stack_->currentWidget()))
      window->saveLayout();
  tab.session = makeSession_(tab.path); // first: its engine has the longer way
  watchOpening(tab);
  // The engine reads while the panels are made.
  const bool isRead = !tab.isHeld && !tab.path.isEmpty() && !DocumentController::isLesson(tab.path);
  if (isRead)
    tab.session->open(QFileInfo(tab.path).absoluteFilePath());
  tab.window = new MainWindow(*tab.session, settings_, [this](MainWindow &window) { addFeatures_(window, *this); });
  tab.window->setWindowFlags(Qt::Widget);
  connect(tab.window, &QWidget::windowTitleChanged, this, &Workspace::rename);
  connect(tab.session.get(), &EngineSession::opened, this, [this] {
    rename();
    save();
  });
  connect(tab.session.get(), &EngineSession::openFailed, this, &Workspace::rename);
  connect(tab.session.get(), &EngineSession::placeChanged, this, &Workspace::rename);
  stack_->addWidget(tab.window);
  if (tab.isHeld)
    askToOpen(tab);
  else if (!tab.path.isEmpty() && !isRead)
    tab.window->controller<DocumentController>().open(tab.path);
  else if (tab.path.isEmpty()) {
    tab.window->shell().docks().maximize(nullptr); // nothing to show beside the start page
    tab.window->restoreDrafts();
  }
}

/// What takes the engine down, or keeps it busy for ever, would do so again at every start.
void Workspace::askToOpen(Tab &tab) {
  tab.window->shell().docks().maximize(nullptr);
  Banner &banner = tab.window->shell().banner();
  banner.showMessage(Banner::Kind::Warning,
                     tr("%1 is not opened automatically: the engine did not finish opening it last time")
                         .arg(QFileInfo(tab.path).fileName()));
  banner.addButton(tr("Open"), tab.window, [this, path = tab.path] { open(path); });
}

/// A document is pending from the moment that it is opened until it is drawn, in the settings, for the program may be
/// killed.
void Workspace::watchOpening(Tab &tab) {
  EngineSession *session = tab.session.get();
  connect(session, &EngineSession::stateChanged, this, [this, session](EngineSession::State state) {
    if (state != EngineSession::State::Opening)
      return;
    setPending(session->openingPath(), true);
    shown_.start();
  });
  connect(session, &EngineSession::openFailed, this, [this](const QString &path) { setPending(path, false); });
}

void Workspace::setPending(const QString &path, bool isPending) {
  QStringList pending = settings_.pendingDocuments();
  pending.removeAll(path);
  if (isPending)
    pending.append(path);
  settings_.setPendingDocuments(pending);
}

void Workspace::forgetShown() {
  bool isBusy = false;
  for (const Tab &tab : tabs_) {
    const bool isSettled = !tab.window || tab.window->isSettled();
    isBusy |= !isSettled;
    if (isSettled && tab.window && !tab.window->isEmpty())
      setPending(pathOf(tab), false);
  }
  if (!isBusy)
    shown_.stop();
}

void Workspace::showTab(int index) {
  if (index < 0 || index >= tabCount())
    return;
  Tab &tab = tabs_[size_t(index)];
  if (!tab.window)
    make(tab);
  stack_->setCurrentWidget(tab.window);
  tab.window->shell().centre().currentView()->setFocus();
  rename();
  save();
}

bool Workspace::closeTab(int index) {
  if (index < 0 || index >= tabCount())
    return false;
  Tab &tab = tabs_[size_t(index)];
  if (tab.window && !tab.window->mayLeave())
    return false;
  if (tab.window)
    tab.window->saveAll();
  Tab closed = std::move(tab);
  tabs_.erase(tabs_.begin() + index);
  if (tabs_.empty()) {
    const QSignalBlocker blocker(bar_);
    bar_->removeTab(index);
  } else {
    bar_->removeTab(index);
  }
  if (tabs_.empty())
    addTab();
  if (closed.window)
    stack_->removeWidget(closed.window);
  drop(closed);
  rename();
  save();
  return true;
}

/// Of documents that are called the same, with the folders in which their paths differ: "a/model.mlir".
static QStringList distinctNames(const QStringList &names, const QStringList &paths) {
  QStringList distinct = names;
  for (qsizetype i = 0; i < names.size(); ++i) {
    QStringList folders = QFileInfo(paths[i]).path().split(u'/', Qt::SkipEmptyParts);
    const auto isShared = [&](const QString &ending) {
      for (qsizetype other = 0; other < names.size(); ++other)
        if (other != i && names[other] == names[i] && paths[other] != paths[i] &&
            (u'/' + QFileInfo(paths[other]).path() + u'/').endsWith(u'/' + ending))
          return true;
      return false;
    };
    QString place;
    while (!paths[i].isEmpty() && isShared(place) && !folders.isEmpty())
      place = folders.takeLast() + u'/' + place;
    distinct[i] = place + names[i];
  }
  return distinct;
}

/// Tabs are called as their documents, the program as the one in front.
void Workspace::rename() {
  QStringList names, paths;
  for (int i = 0; i < tabCount(); ++i) {
    const Tab &tab = tabs_[size_t(i)];
    const QString path = pathOf(tab);
    const QString name = tab.window && !tab.window->isEmpty() ? tab.window->documentName()
                         : path.isEmpty()                     ? tr("New")
                                                              : QFileInfo(path).fileName();
    names.append(name);
    paths.append(path);
    const QString host = tab.session ? tab.session->place() : settings_.hostOf(path);
    bar_->setTabToolTip(i, host.isEmpty() ? path : tr("%1\nRuns on %2").arg(path, host));
  }
  const QFontMetrics metrics(bar_->font());
  constexpr int widest = 260;
  const QStringList distinct = distinctNames(names, paths);
  for (int i = 0; i < tabCount(); ++i)
    bar_->setTabText(i, metrics.elidedText(distinct[i], Qt::ElideMiddle, widest).replace(u'&', u"&&"_s));
  bar_->setVisible(tabCount() > 1);
  if (const MainWindow *window = windowOf(currentIndex())) {
    setWindowTitle(window->windowTitle());
    setWindowFilePath(window->windowFilePath());
  }
  emit tabsChanged();
}

/// At once, for the program may be killed.
void Workspace::save() {
  QStringList open = paths();
  settings_.setText(u"currentDocument"_s, open.value(currentIndex()));
  open.removeAll(QString());
  settings_.setOpenDocuments(open);
}

void Workspace::saveProgress() {
  MainWindow *window = windowOf(currentIndex());
  if (window && !window->saveProgress())
    return worked_.start(); // as soon as it is at rest
  if (isVisible())
    settings_.setGeometry(saveGeometry());
}

bool Workspace::eventFilter(QObject *watched, QEvent *event) {
  switch (event->type()) {
  case QEvent::KeyRelease:
  case QEvent::MouseButtonRelease:
  case QEvent::Wheel:
  case QEvent::Drop:
    if (!worked_.isActive())
      worked_.start();
    break;
  case QEvent::Resize:
  case QEvent::Move:
    if (watched == this && isVisible() && !worked_.isActive())
      worked_.start();
    break;
  default:
    break;
  }
  return QWidget::eventFilter(watched, event);
}

void Workspace::closeEvent(QCloseEvent *event) {
  save();
  for (int i = 0; i < tabCount(); ++i) {
    MainWindow *window = windowOf(i);
    if (window && !window->mayLeave()) {
      bar_->setCurrentIndex(i);
      return event->ignore();
    }
  }
  // The layout of the one in front is the one to come back.
  for (int i = 0; i < tabCount(); ++i)
    if (MainWindow *window = windowOf(i); window && i != currentIndex())
      window->saveAll();
  if (MainWindow *window = windowOf(currentIndex()))
    window->saveAll();
  settings_.setGeometry(saveGeometry());
  if (settings_.window() > 1) // the next one starts empty; what a killed one had open is opened again
    settings_.setOpenDocuments({});
  worked_.stop();
  event->accept();
}

} // namespace fuselage
