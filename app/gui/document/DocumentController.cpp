#include "app/gui/document/DocumentController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/shell/Settings.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/common/Numbers.h"
#include "views/messages/SearchTypes.h"
#include "views/models/Format.h"
#include "views/models/ProblemsModel.h"
#include "views/start/Welcome.h"
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace fuselage {

DocumentController::DocumentController(Shell &shell)
    : Controller(shell), welcome_(new Welcome), start_(*welcome_, settings()), label_(new QLabel) {
  addCommands();
  shell.centre().setWelcome(welcome_);
  shell.addStatus(StatusPlace::Document, label_);
  connect(welcome_, &Welcome::openRequested, open_, &QAction::trigger);
  connect(welcome_, &Welcome::openFolderRequested, openDirectory_, &QAction::trigger);
  connect(welcome_, &Welcome::recentRequested, this, &DocumentController::openBeside);
  connect(welcome_, &Welcome::sampleRequested, this, &DocumentController::openSample);
  connect(&shell, &Shell::fileDropped, this, &DocumentController::openBeside);
  connect(&settings(), &Settings::recentFilesChanged, this, &DocumentController::fillRecentMenu);
  connect(&session(), &EngineSession::openFailed, this, &DocumentController::openFailed);
}

void DocumentController::addCommands() {
  open_ = command(tr("&Open…"), u"open"_s, {QKeySequence(QKeySequence::Open)});
  openDirectory_ = command(tr("Open Dump &Folder…"), u"open"_s);
  open_->setIconText(tr("Open"));
  reload_ = command(tr("&Reload"), u"reload"_s, {QKeySequence(Qt::Key_F5)});
  QAction *quit = command(tr("&Quit"), {}, {QKeySequence(u"Ctrl+Q"_s)});
  quit->setMenuRole(QAction::QuitRole);
  on(open_, [this] { chooseFile(); });
  on(openDirectory_, [this] { chooseDirectory(); });
  on(reload_, [this] { reload(); });
  on(quit, [this] { shell().window().window()->close(); }); // with all its tabs
  Menus &menus = shell().menus();
  menus.add(Place::FileOpen, {open_, openDirectory_});
  recentMenu_ = menus.addMenu(Place::FileOpen, tr("Open &Recent"));
  menus.add(Place::FileOpen, {reload_});
  menus.add(Place::FileQuit, {quit});
  menus.add(Place::BarOpen, {open_});
}

/// In a tab of its own, where there are tabs and this one has a document.
void DocumentController::openBeside(const QString &path) {
  if (shell().opener())
    shell().opener()(path);
  else
    open(path);
}

bool DocumentController::isLesson(const QString &path) {
  const QFileInfo file(path);
  if (file.isDir())
    return QFileInfo::exists(file.filePath() + u"/lesson.md"_s);
  return file.fileName() == "lesson.md"_L1 || file.suffix().compare("zip"_L1, Qt::CaseInsensitive) == 0;
}

void DocumentController::open(const QString &path) {
  using State = EngineSession::State;
  if (session().state() == State::Dead)
    session().start();
  if (session().isBusy() && session().state() != State::Opening && session().state() != State::Restarting) {
    shell().tell(tr("The engine is busy; cancel first"));
    return;
  }
  if (isLesson(path))
    return emit lessonRequested(QFileInfo(path).absoluteFilePath());
  session().open(QFileInfo(path).absoluteFilePath());
}

void DocumentController::reload() { open(session().document().path); }

QString DocumentController::lastPath() const {
  return session().hasDocument() ? session().document().path : settings().recentFiles().value(0);
}

void DocumentController::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(
      &shell().window(), tr("Open a module, a log or a lesson"), lastPath(),
      tr("Modules, logs, dumps of XLA and lessons (*.mlir *.mlirbc *.log *.txt *.hlo lesson.md *.zip);;"
         "MLIR modules (*.mlir *.mlirbc);;Pass-by-pass logs (*.log *.txt);;Dumps of XLA (*.txt *.hlo);;"
         "Graphs of torch.compile (fx_graph_*.py);;"
         "Lessons (lesson.md *.zip);;All files (*)"));
  if (!path.isEmpty())
    openBeside(path);
}

void DocumentController::chooseDirectory() {
  const QString path = QFileDialog::getExistingDirectory(
      &shell().window(), tr("Open a folder of dumps, or what torch.compile left behind"), QFileInfo(lastPath()).path());
  if (!path.isEmpty())
    openBeside(path);
}

void DocumentController::fillRecentMenu() {
  const QStringList files = settings().recentFiles();
  start_.listRecentFiles();
  recentMenu_->clear();
  for (const QString &path : files)
    recentMenu_->addAction(QDir::toNativeSeparators(path), this, [this, path] { openBeside(path); });
  recentMenu_->setEnabled(!files.isEmpty());
  if (files.isEmpty())
    return;
  recentMenu_->addSeparator();
  // Queued: the menu is rebuilt while this entry of it is still being triggered.
  connect(recentMenu_->addAction(tr("Clear")), &QAction::triggered, &settings(), &Settings::clearRecentFiles,
          Qt::QueuedConnection);
}

/// "softmax.mlir · 12 ops · 40 lines": of the snapshot that is shown, as far as they are known.
static QString factsOf(const protocol::Document &document, const protocol::SnapshotCounts &counts) {
  QStringList facts{nameOf(document)};
  if (document.log) {
    facts.append(counted(document.steps.size(), DocumentController::tr("step"), DocumentController::tr("steps")));
    facts.append(formatBytes(document.bytes));
  }
  if (counts.ops >= 0)
    facts.append(counted(counts.ops, DocumentController::tr("op"), DocumentController::tr("ops")));
  if (counts.lines > 0)
    facts.append(counted(counts.lines, DocumentController::tr("line"), DocumentController::tr("lines")));
  else if (!document.log)
    facts.append(formatBytes(document.bytes));
  if (document.gaps > 0)
    facts.append(counted(document.gaps, DocumentController::tr("gap"), DocumentController::tr("gaps")));
  return facts.join(u" \u00b7 "_s);
}

void DocumentController::openSample(const QString &name) {
  const QString path = start_.copyOf(name);
  if (path.isEmpty())
    shell().tell(tr("The sample cannot be copied to %1").arg(QDir::toNativeSeparators(settings().dataFolder())));
  else
    openBeside(path);
}

/// The picture of how it is left, for the start page.
void DocumentController::documentLeft() {
  if (QWidget *view = shell().centre().currentView(); !path_.isEmpty() && view && view != welcome_)
    start_.keepPicture(path_, view->grab().toImage());
}

/// After the text, whose lines are counted then.
void DocumentController::stepShown(const ShownStep &step) {
  QTimer::singleShot(0, this, [this, snapshot = step.snapshot] {
    if (session().hasDocument())
      requestCounts(snapshot);
  });
}

void DocumentController::requestCounts(int snapshot) {
  session().client().call<method::CountSnapshot>(
      {.snapshot = snapshot}, this,
      [this](const protocol::SnapshotCounts &counts) { label_->setText(factsOf(session().document(), counts)); }, {},
      u"counts"_s);
}

void DocumentController::opened(const protocol::Document &document) {
  path_ = document.tool.isEmpty() ? document.path : QString();
  shell().window().setWindowTitle(tr("%1 — Fuselage").arg(nameOf(document)));
  shell().window().setWindowFilePath(document.path);
  label_->setText(
      factsOf(document, {.ops = document.log ? -1 : document.ops, .lines = document.log ? 0 : document.lines}));
  QString toolTip = document.path;
  if (document.tolerated > 0)
    toolTip +=
        u'\n' + tr("%1 of dialects that MLIR does not know").arg(counted(document.tolerated, tr("op"), tr("ops")));
  label_->setToolTip(toolTip);
  if (document.tool.isEmpty()) // a tool's log goes with the window
    settings().addRecentFile(document.path);
}

void DocumentController::openFailed(const QString &path, const protocol::Error &error) {
  // The command line's caller reads stderr; the window has its panel.
  qWarning().noquote() << error.message;
  for (const protocol::Diagnostic &diagnostic : error.diagnostics)
    qWarning().noquote() << formatLocation(diagnostic, true) + u": "_s + diagnostic.severity + u": "_s +
                                diagnostic.message;
  emit shell().errorReported(u"open"_s, tr("%1 cannot be opened").arg(QFileInfo(path).fileName()), error);
}

void DocumentController::sessionChanged() { reload_->setEnabled(isReady()); }

void DocumentController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  fillRecentMenu();
}

} // namespace fuselage
