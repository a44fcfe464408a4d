#include "app/gui/export/ExportController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/steps/StepsController.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/StepsPanel.h"
#include <QFileDialog>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

ExportController::ExportController(Shell &shell, StepsController &steps, GraphController &graph,
                                   FusionController &fusion)
    : Controller(shell), steps_(steps), graph_(graph), fusion_(fusion),
      graphAction_(command(tr("&Export Graph…"), u"export"_s, {QKeySequence(u"Ctrl+Shift+S"_s)})),
      reportAction_(command(tr("Export Re&port…"), {}, {QKeySequence(u"Ctrl+Alt+S"_s)})),
      reproducerAction_(command(tr("&Save Reproducer of Step…"), u"save"_s)) {
  on(graphAction_, [this] { exportGraph(); });
  on(reportAction_, [this] { exportReport(); });
  on(reproducerAction_, [this] { saveReproducer(steps_.currentRow() - 1); });
  connect(&steps.panel(), &StepsPanel::reproducerRequested, this, &ExportController::saveReproducer);
  shell.menus().add(Place::FileExport, {graphAction_, reportAction_, reproducerAction_});
  graph.addToMenu(graphAction_);
}

QString ExportController::choosePath(const QString &title, const QString &ending, const QString &filters) {
  return QFileDialog::getSaveFileName(&shell().window(), title, besideDocument(session().document(), ending), filters);
}

void ExportController::write(const QString &method, const QJsonObject &parameters, const QString &failure) {
  session().client().call<protocol::WrittenFile>(
      method, parameters, this,
      [this](const protocol::WrittenFile &file) { shell().tell(tr("Wrote %1").arg(file.path)); },
      [this, failure](const protocol::Error &error) { emit shell().errorReported(u"export"_s, failure, error); });
}

void ExportController::exportGraph() {
  const QString path = choosePath(tr("Export the graph"), u".svg"_s,
                                  tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot);;JSON (*.json)"));
  if (path.isEmpty())
    return;
  QJsonObject parameters = graph_.scenes().parameters();
  parameters.insert("path"_L1, path);
  parameters.insert("verdicts"_L1, fusion_.actions().verdicts->isChecked());
  parameters.insert("policy"_L1, fusion_.panel().policy());
  write(u"graph/export"_s, parameters, tr("The graph was not exported"));
}

void ExportController::exportReport() {
  const QString path =
      choosePath(tr("Export the report"), u".html"_s, tr("Web page (*.html);;JSON (*.json);;Text (*.txt)"));
  if (path.isEmpty())
    return;
  const QString ending = QFileInfo(path).suffix().toLower();
  const QString format = ending == "json"_L1 ? u"json"_s : ending == "txt"_L1 ? u"text"_s : u"html"_s;
  write(u"step/export"_s, {{u"path"_s, path}, {u"format"_s, format}}, tr("The report was not exported"));
}

void ExportController::saveReproducer(int step) {
  if (step < 0)
    return;
  const QString path = choosePath(tr("Save a reproducer"), u".step%1.mlir"_s.arg(step), tr("MLIR (*.mlir)"));
  if (!path.isEmpty())
    write(u"step/reproducer"_s, {{u"step"_s, step}, {u"path"_s, path}}, tr("No reproducer was written"));
}

void ExportController::saveCrashReproducer() {
  const QString path = choosePath(tr("Save a reproducer"), u".crash.mlir"_s, tr("MLIR (*.mlir)"));
  if (path.isEmpty())
    return;
  session().saveCrashReproducer(
      path, this, [this](const QString &written) { shell().tell(tr("Wrote %1").arg(written)); },
      [this](const protocol::Error &error) {
        emit shell().errorReported(u"export"_s, tr("No reproducer was written"), error);
      });
}

void ExportController::stepShown(const ShownStep &step) { reproducerAction_->setEnabled(step.step != nullptr); }

void ExportController::sessionChanged() {
  graphAction_->setEnabled(isReady());
  reportAction_->setEnabled(isReady() && !session().steps().isEmpty());
  reproducerAction_->setEnabled(isReady() && steps_.currentStep());
}

} // namespace fuselage
