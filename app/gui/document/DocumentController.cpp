// What menus and toolbar do: dialogs, exports, themes, help.
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/engine/OpenProgress.h"
#include "app/gui/search/SearchController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/text/TextController.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/LogPanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/panels/Welcome.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/Icons.h"
#include "views/widgets/SearchBar.h"
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>

using namespace Qt::StringLiterals;

namespace fuselage {

void MainWindow::connectActions() {
  const WindowActions &a = *actions_;
  const auto on = [this](QAction *action, auto slot) { connect(action, &QAction::triggered, this, slot); };
  on(a.open, &MainWindow::chooseFile);
  on(a.openDirectory, &MainWindow::chooseDirectory);
  on(a.reload, [this] { openFile(session_.document().path); });
  on(a.exportGraph, &MainWindow::exportGraph);
  on(a.exportReport, &MainWindow::exportReport);
  on(a.reproducer, [this] { saveReproducer(stepsPanel_->currentRow() - 1); });
  on(a.quit, [this] { close(); });

  on(a.viewGraph, [this] { showView(GraphTab); });
  on(a.viewText, [this] { showView(TextTab); });
  on(a.viewDiff, [this] { showView(DiffTab); });
  connect(a.splitText, &QAction::toggled, this, [this](bool split) {
    text_->setVisible(split || text_->isVisible());
    if (graph_->isVisibleTo(this))
      text_->setVisible(split);
  });
  const auto options = [this] {
    using Repeats = GraphOptions::Repeats;
    graphController_->setOptions({.dispatches = actions_->levelDispatches->isChecked(),
                                  .dot = actions_->layoutDot->isChecked(),
                                  .foldConstants = actions_->foldConstants->isChecked(),
                                  .repeats = actions_->repeatsExpand->isChecked()     ? Repeats::Expand
                                             : actions_->repeatsCollapse->isChecked() ? Repeats::Collapse
                                                                                      : Repeats::Auto});
  };
  connect(a.levelDispatches, &QAction::toggled, this, options);
  connect(a.layoutDot, &QAction::toggled, this, options);
  connect(a.foldConstants, &QAction::toggled, this, options);
  for (QAction *repeats : {a.repeatsAuto, a.repeatsCollapse, a.repeatsExpand})
    connect(repeats, &QAction::triggered, this, options);
  on(a.fit, [this] { graph_->fit(); });
  const auto zoom = [this](double factor) {
    if (diff_->isVisible())
      diff_->setZoom(factor == 0 ? 1 : diff_->zoom() * factor);
    else if (text_->hasFocus() || !graph_->isVisible())
      text_->setZoom(factor == 0 ? 1 : text_->zoom() * factor);
    else
      factor == 0 ? graph_->zoomTo(1) : factor > 1 ? graph_->zoomIn() : graph_->zoomOut();
  };
  on(a.zoomIn, [zoom] { zoom(1.15); });
  on(a.zoomOut, [zoom] { zoom(1 / 1.15); });
  on(a.zoomReset, [zoom] { zoom(0); });
  connect(a.minimap, &QAction::toggled, graph_, &GraphView::setMinimapVisible);
  on(a.trace, [this](bool trace) { graph_->setTrace(trace ? Trace::Both : Trace::None); });
  on(a.find, [this] { searchBar_->activate(); });
  on(a.findNext, [this] { searchController_->next(); });
  on(a.findPrevious, [this] { searchController_->previous(); });
  const auto theme = [this](const QString &name) {
    settings_.setTheme(name);
    applyTheme(name);
  };
  on(a.themeSystem, [theme] { theme(u"system"_s); });
  on(a.themeLight, [theme] { theme(u"light"_s); });
  on(a.themeDark, [theme] { theme(u"dark"_s); });

  on(a.nextStep, [this] { stepsPanel_->move(1); });
  on(a.previousStep, [this] { stepsPanel_->move(-1); });
  on(a.hideUnchanged, [this](bool hide) { stepsPanel_->setHideUnchanged(hide); });
  on(a.filterSteps, [this] {
    raise(stepsDock_);
    stepsPanel_->filterEdit()->setFocus(Qt::ShortcutFocusReason);
  });
  on(a.nextChange, [this] {
    showView(DiffTab);
    diff_->nextChange();
  });
  on(a.previousChange, [this] {
    showView(DiffTab);
    diff_->previousChange();
  });
  on(a.record, [this] { record(session_.recordRequest(), stepsPanel_->currentRow()); });
  on(a.editPipeline, [this] {
    raise(pipelineDock_);
    pipelinePanel_->edit()->setFocus(Qt::ShortcutFocusReason);
  });
  on(a.loadSchedule, &MainWindow::chooseSchedule);
  on(a.restartEngine, [this] { session_.start(); });
  on(a.engineCommand, &MainWindow::chooseEngine);

  on(a.run, &MainWindow::startRun);
  on(a.cancel, [this] { openProgress_->isActive() ? openProgress_->cancel() : session_.cancel(); });
  on(a.refreshDevices, [this] {
    raise(runDock_);
    requestDevices();
  });
  connect(a.heat, &QAction::toggled, this, [this](bool heat) {
    runPanel_->setHeat(heat);
    graphController_->setHeatVisible(heat);
  });
  on(a.helpShortcuts, [this] { showHelp(HelpDialog::Shortcuts); });
  on(a.helpSteps, [this] { showHelp(HelpDialog::Steps); });
  on(a.helpPasses, [this] { showHelp(HelpDialog::Passes); });
  on(a.about, &MainWindow::showAbout);
  connect(&settings_, &Settings::recentFilesChanged, this, &MainWindow::fillRecentMenu);
}

void MainWindow::chooseFile() {
  const QString start = session_.hasDocument() ? session_.document().path : settings_.recentFiles().value(0);
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a module or a log"), start,
                                                    tr("Modules and logs (*.mlir *.mlirbc *.log *.txt);;"
                                                       "MLIR modules (*.mlir *.mlirbc);;Pass-by-pass logs (*.log *.txt);;All files (*)"));
  if (!path.isEmpty())
    openFile(path);
}

void MainWindow::chooseDirectory() {
  const QString start = session_.hasDocument() ? session_.document().path : settings_.recentFiles().value(0);
  const QString path = QFileDialog::getExistingDirectory(this, tr("Open a folder of dumps"), QFileInfo(start).path());
  if (!path.isEmpty())
    openFile(path);
}

void MainWindow::fillRecentMenu() {
  welcome_->setRecentFiles(settings_.recentFiles());
  actions_->recentMenu->clear();
  for (const QString &path : settings_.recentFiles())
    actions_->recentMenu->addAction(QDir::toNativeSeparators(path), this, [this, path] { openFile(path); });
  actions_->recentMenu->setEnabled(!actions_->recentMenu->isEmpty());
  if (actions_->recentMenu->isEmpty())
    return;
  actions_->recentMenu->addSeparator();
  // Queued: the menu is rebuilt while this entry of it is still being triggered.
  connect(actions_->recentMenu->addAction(tr("Clear")), &QAction::triggered, &settings_, &Settings::clearRecentFiles,
          Qt::QueuedConnection);
}

/// Where exports go by default: beside the document.
static QString besideDocument(const protocol::Document &document, const QString &ending) {
  const QFileInfo file(document.path);
  return file.dir().filePath(file.completeBaseName() + ending);
}

void MainWindow::exportGraph() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Export the graph"), besideDocument(session_.document(), u".svg"_s),
      tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot);;JSON (*.json)"));
  if (path.isEmpty())
    return;
  QJsonObject parameters = graphController_->parameters();
  parameters.insert("path"_L1, path);
  parameters.insert("verdicts"_L1, actions_->verdicts->isChecked());
  parameters.insert("policy"_L1, fusionPanel_->policy());
  session_.client().call<protocol::WrittenFile>(
      u"graph/export"_s, parameters, this,
      [this](const protocol::WrittenFile &file) { tell(tr("Wrote %1").arg(file.path)); },
      [this](const protocol::Error &error) { reportError(u"export"_s, tr("The graph was not exported"), error); });
}

void MainWindow::exportReport() {
  const QString path = QFileDialog::getSaveFileName(this, tr("Export the report"), besideDocument(session_.document(), u".html"_s),
                                                    tr("Web page (*.html);;JSON (*.json);;Text (*.txt)"));
  if (path.isEmpty())
    return;
  const QString ending = QFileInfo(path).suffix().toLower();
  const QString format = ending == "json"_L1 ? u"json"_s : ending == "txt"_L1 ? u"text"_s : u"html"_s;
  session_.client().call<protocol::WrittenFile>(
      u"step/export"_s, {{u"path"_s, path}, {u"format"_s, format}}, this,
      [this](const protocol::WrittenFile &file) { tell(tr("Wrote %1").arg(file.path)); },
      [this](const protocol::Error &error) { reportError(u"export"_s, tr("The report was not exported"), error); });
}

void MainWindow::saveReproducer(int step) {
  if (step < 0)
    return;
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save a reproducer"), besideDocument(session_.document(), u".step%1.mlir"_s.arg(step)), tr("MLIR (*.mlir)"));
  if (path.isEmpty())
    return;
  session_.client().call<protocol::WrittenFile>(
      u"step/reproducer"_s, {{u"step"_s, step}, {u"path"_s, path}}, this,
      [this](const protocol::WrittenFile &file) { tell(tr("Wrote %1").arg(file.path)); },
      [this](const protocol::Error &error) { reportError(u"export"_s, tr("No reproducer was written"), error); });
}

void MainWindow::saveCrashReproducer() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save a reproducer"), besideDocument(session_.document(), u".crash.mlir"_s), tr("MLIR (*.mlir)"));
  if (path.isEmpty())
    return;
  session_.saveCrashReproducer(
      path, this, [this](const QString &written) { tell(tr("Wrote %1").arg(written)); },
      [this](const protocol::Error &error) { reportError(u"export"_s, tr("No reproducer was written"), error); });
}

void MainWindow::chooseSchedule() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Load a transform schedule"), settings_.text(u"schedule"_s),
                                                    tr("Transform scripts (*.mlir *.mlirbc);;All files (*)"));
  if (path.isEmpty())
    return;
  settings_.setText(u"schedule"_s, path);
  pipelinePanel_->setSchedule(path);
  raise(pipelineDock_);
  record(pipelinePanel_->request(), stepsPanel_->currentRow());
}

void MainWindow::chooseEngine() {
  bool accepted = false;
  const QString command = QInputDialog::getText(this, tr("Engine command"),
                                                tr("Command line that starts the engine, such as\nssh host fuselage serve\n\nEmpty: the engine of this installation."),
                                                QLineEdit::Normal, settings_.engineCommand(), &accepted);
  if (!accepted)
    return;
  settings_.setEngineCommand(command);
  session_.setCommand(command.trimmed().isEmpty() ? defaultEngineCommand() : splitCommand(command));
  session_.start();
}

void MainWindow::goToPlace(const QString &file, int line) {
  if (session_.hasDocument() && QFileInfo(file).fileName() == QFileInfo(session_.document().path).fileName()) {
    selectStep(0);
    textController_->goToLine(line - 1);
    return;
  }
  QApplication::clipboard()->setText(u"%1:%2"_s.arg(file).arg(line));
  tell(tr("%1:%2 is not open here; its place was copied").arg(file).arg(line));
}

void MainWindow::showNodeMenu(qint64 id, const QPoint &position) {
  QMenu menu(this);
  if (id != noNode) {
    menu.addAction(tr("Show in IR"), this, [this, id] {
      actions_->splitText->setChecked(true);
      textController_->select(id, false);
    });
    menu.addAction(lineIcon(u"copy"_s), tr("Copy Name"), this, [this, id] {
      QApplication::clipboard()->setText(graphController_->nameOf(graphController_->snapshot(), id));
    });
    const auto traceFrom = [this, id](Trace trace) {
      textController_->select(id, false);
      graph_->setTrace(trace);
    };
    menu.addSeparator();
    menu.addAction(tr("Trace Inputs"), this, [traceFrom] { traceFrom(Trace::Inputs); });
    menu.addAction(tr("Trace Outputs"), this, [traceFrom] { traceFrom(Trace::Outputs); });
    menu.addAction(tr("Trace Both"), this, [traceFrom] { traceFrom(Trace::Both); });
    menu.addSeparator();
  }
  menu.addActions({actions_->fit, actions_->levelOps, actions_->levelDispatches, actions_->foldConstants});
  menu.addSeparator();
  menu.addAction(actions_->exportGraph);
  menu.exec(position);
}

void MainWindow::showHelp(HelpDialog::Page page) {
  if (!hasCatalog_)
    requestCatalog();
  if (!help_)
    help_ = new HelpDialog(this);
  QList<ShortcutEntry> entries = actions_->shortcuts();
  help_->setShortcuts(entries);
  help_->setSteps(session_.steps());
  help_->setPasses(catalog_.passes);
  help_->showPage(page);
  help_->show();
  help_->raise();
}

void MainWindow::showAbout() {
  QMessageBox box(this);
  box.setWindowTitle(tr("About Fuselage"));
  box.setIconPixmap(QIcon(u":/fuselage.svg"_s).pixmap(72, 72));
  box.setText(tr("<h3>Fuselage %1</h3><p>A desktop explorer of tile-and-fuse for MLIR.</p>").arg(QApplication::applicationVersion()));
  const protocol::Initialized &engine = session_.engineInfo();
  box.setInformativeText(tr("Engine %1, MLIR %2, protocol %3\n\nApache License 2.0 with LLVM exceptions")
                             .arg(engine.engine, engine.mlir)
                             .arg(engine.version));
  box.exec();
}

} // namespace fuselage
