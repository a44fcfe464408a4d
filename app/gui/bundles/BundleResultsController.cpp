#include "app/gui/bundles/BundleResultsController.h"
#include "app/gui/bundles/BundleResultsPanel.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/run/RunController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/text/TextController.h"
#include "views/panels/RunPanel.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace fuselage {

BundleResultsController::BundleResultsController(Shell &shell, GraphController &graph, TextController &text,
                                                 RunController &run)
    : Controller(shell), panel_([this] { return new BundleResultsPanel(&model_); }),
      dock_(shell.docks().add(
          {.name = u"bundleResults"_s, .title = tr("Bundle Results"), .beside = u"run"_s, .extent = 260},
          panel_.place())),
      graph_(graph), text_(text), run_(run), open_(command(tr("Open &Bundle Results\u2026"), u"open"_s)) {
  open_->setToolTip(tr("Attach what fuselage-launch measured on another machine to the dispatches"));
  shell.menus().add(Place::FileOpen, {open_});
  on(open_, [this] { chooseFiles(); });
  panel_.tell([this](const BundleResultsPanel &panel) {
    connect(&panel, &BundleResultsPanel::openRequested, open_, &QAction::trigger);
    connect(&panel, &BundleResultsPanel::closeRequested, this, &BundleResultsController::close);
    connect(&panel, &BundleResultsPanel::currentFileChanged, this, &BundleResultsController::tint);
    connect(&panel, &BundleResultsPanel::rowSelected, this, &BundleResultsController::select);
  });
  connect(&text_, &TextController::selectionChanged, this, [this](int snapshot, qint64 op) {
    if (snapshot == snapshot_ && op != noNode && !model_.files().isEmpty())
      panel_->setCurrentRow(model_.rowOf(op));
  });
  // Which dispatches there are depends on what is fused, and on sizes.
  connect(&session(), &EngineSession::fused, this, &BundleResultsController::requestAll);
  connect(&session(), &EngineSession::historyMoved, this, &BundleResultsController::requestAll);
  connect(&session(), &EngineSession::recorded, this, &BundleResultsController::requestAll);
  run.tellPanel([this](RunPanel &panel) {
    connect(&panel, &RunPanel::sizesChanged, this, &BundleResultsController::requestAll);
  });
}

BundleResultsPanel &BundleResultsController::panel() { return panel_.get(); }

void BundleResultsController::raise() { shell().docks().raise(dock_); }

void BundleResultsController::chooseFiles() {
  const QStringList paths =
      QFileDialog::getOpenFileNames(&shell().window(), tr("Open bundle results"), settings().text(u"bundleResults"_s),
                                    tr("Results of fuselage-launch (*.json);;All files (*)"));
  for (const QString &path : paths)
    openResults(path);
  if (!paths.isEmpty())
    settings().setText(u"bundleResults"_s, QFileInfo(paths.last()).path());
}

bool BundleResultsController::takeFile(const QString &path) {
  if (!path.endsWith(".json"_L1, Qt::CaseInsensitive) || !session().hasDocument())
    return false;
  openResults(path);
  return true;
}

void BundleResultsController::openResults(const QString &path) {
  raise();
  if (!isReady()) {
    panel_->setMessage(session().hasDocument() ? tr("The engine is busy; open the results when it has finished")
                                               : tr("First open the module that the bundle was made from"));
    return;
  }
  panel_->setMessage({});
  request(QFileInfo(path).absoluteFilePath());
}

void BundleResultsController::request(const QString &path) {
  session().client().call<method::RunResults>(
      {.path = path, .snapshot = session().keptSteps(), .shown = snapshot_, .sizes = run_.dynamicSizes()}, this,
      [this, path](const protocol::PlacedResults &content) { take(path, content); },
      [this, path](const protocol::Error &error) { refuse(path, error); }, path);
}

void BundleResultsController::requestAll() {
  for (const ResultsFile &file : model_.files())
    request(file.path);
}

static qsizetype indexOf(const QList<ResultsFile> &files, const QString &path) {
  for (qsizetype i = 0; i < files.size(); ++i)
    if (files[i].path == path)
      return i;
  return -1;
}

void BundleResultsController::take(const QString &path, const protocol::PlacedResults &content) {
  QList<ResultsFile> files = model_.files();
  const qsizetype known = indexOf(files, path);
  if (known < 0)
    files.append({.path = path, .content = content});
  else
    files[known] = {.path = path, .content = content};
  setFiles(files);
  if (known >= 0)
    return;
  panel_->setCurrentFile(int(files.size()) - 1);
  tint();
}

/// A file that was open says so in its line: a step back, and it belongs to the program again.
void BundleResultsController::refuse(const QString &path, const protocol::Error &error) {
  if (error.code == protocol::Error::Cancelled || error.code == protocol::Error::EngineGone)
    return;
  QList<ResultsFile> files = model_.files();
  if (const qsizetype known = indexOf(files, path); known >= 0) {
    files[known].problem = error.message;
    setFiles(files);
    return;
  }
  panel_->setMessage(tr("%1 is not shown: %2").arg(QFileInfo(path).fileName(), error.message));
  raise();
}

void BundleResultsController::close(int file) {
  QList<ResultsFile> files = model_.files();
  if (file < 0 || file >= files.size())
    return;
  files.removeAt(file);
  panel_->setMessage({});
  setFiles(files);
  tint();
}

void BundleResultsController::setFiles(const QList<ResultsFile> &files) {
  model_.setFiles(files);
  if (files.isEmpty() && !panel_.isMade())
    return; // it has shown none
  panel_->showFiles();
  panel_->setCurrentRow(model_.rowOf(text_.selected()));
  if (const int file = panel_->currentFile(); file >= 0)
    graph_.scenes().updateReport(this, model_.placedReport(file));
}

/// From now on, by the chosen file, in place of what tinted the graph before.
void BundleResultsController::tint() {
  const int file = panel_.isMade() ? panel_->currentFile() : -1;
  graph_.scenes().setReport(this, file < 0 ? protocol::RunReport() : model_.placedReport(file),
                            file < 0 ? QString() : tr("median time on %1").arg(model_.nameOf(file)));
}

void BundleResultsController::select(int row) {
  const QList<qint64> ops = model_.opsOf(row);
  if (!ops.isEmpty())
    text_.select(ops.first(), true);
}

void BundleResultsController::opened(const protocol::Document &) {
  snapshot_ = 0;
  panel_.tell(u"message"_s, [](BundleResultsPanel &panel) { panel.setMessage({}); });
  setFiles({});
  tint();
}

void BundleResultsController::stepShown(const ShownStep &step) {
  if (step.snapshot == snapshot_)
    return;
  snapshot_ = step.snapshot;
  requestAll();
}

void BundleResultsController::sessionChanged() {
  open_->setEnabled(isReady());
  panel_.tell(u"ready"_s, [isReady = isReady()](BundleResultsPanel &panel) { panel.setReady(isReady); });
}

void BundleResultsController::engineRecovered(int) { requestAll(); }

void BundleResultsController::saveDocument(QJsonObject &state) const {
  QJsonArray paths;
  for (const ResultsFile &file : model_.files())
    paths.append(file.path);
  if (!paths.isEmpty())
    state["bundleResults"_L1] = paths;
}

void BundleResultsController::restoreDocument(const QJsonObject &state) {
  for (const QJsonValue path : state["bundleResults"_L1].toArray())
    if (path.isString())
      request(path.toString());
}

} // namespace fuselage
