#include "app/gui/export/ExportController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/StepMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/ExportNotice.h"
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QSvgGenerator>

using namespace Qt::StringLiterals;

namespace fuselage {
namespace {

using WrittenPicture = method::ReplyOf<method::ExportGraph, protocol::QtTypes>;

} // namespace

ExportController::ExportController(Shell &shell, StepsController &steps, GraphController &graph,
                                   FusionController &fusion)
    : Controller(shell), steps_(steps), graph_(graph), fusion_(fusion), dialog_(new ExportDialog(&shell.window())),
      graphAction_(command(tr("&Export Graph…"), u"export"_s, {QKeySequence(u"Ctrl+Shift+S"_s)})),
      copyAction_(command(tr("Copy Graph as &Image"), u"copy"_s, {QKeySequence(u"Ctrl+Alt+C"_s)})),
      reportAction_(command(tr("Export Re&port…"), {}, {QKeySequence(u"Ctrl+Alt+S"_s)})),
      reproducerAction_(command(tr("&Save Reproducer of Step…"), u"save"_s)) {
  on(graphAction_, [this] { exportGraph(); });
  on(copyAction_, [this] { copyImage(); });
  connect(dialog_, &ExportDialog::choiceChanged, this, &ExportController::askPages);
  connect(dialog_, &ExportDialog::exportRequested, this, &ExportController::writeGraph);
  on(reportAction_, [this] { exportReport(); });
  on(reproducerAction_, [this] { saveReproducer(steps_.currentRow() - 1); });
  connect(&steps.panel(), &StepsPanel::reproducerRequested, this, &ExportController::saveReproducer);
  connect(&steps.panel(), &StepsPanel::crashReproducerRequested, this, &ExportController::saveCrashReproducer);
  shell.menus().add(Place::FileExport, {graphAction_, copyAction_, reportAction_, reproducerAction_});
  shell.menus().add(Place::FileExport, {shell.exportNotice().openFolder(), shell.exportNotice().copyPath()});
  graph.addToMenu(copyAction_);
  graph.addToMenu(graphAction_);
}

QString ExportController::choosePath(const QString &title, const QString &ending, const QString &filters) {
  return QFileDialog::getSaveFileName(&shell().window(), title, besideDocument(session().document(), ending), filters);
}

template <class Method> void ExportController::write(const protocol::Request<Method> &request, const QString &failure) {
  session().client().call<Method>(
      request, this, [this](const protocol::WrittenFile &file) { shell().tellExported(file.path); },
      [this, failure](const protocol::Error &error) { emit shell().errorReported(u"export"_s, failure, error); });
}

void ExportController::exportGraph() {
  ExportChoice choice;
  choice.format = settings().text(u"export/format"_s, choice.format);
  choice.what = settings().text(u"export/what"_s, choice.what);
  choice.pages = settings().text(u"export/pages"_s, choice.pages);
  choice.theme = settings().text(u"export/theme"_s, choice.theme);
  choice.path = besideDocument(session().document(), u'.' + choice.format);
  dialog_->open();
  dialog_->setChoice(choice);
}

protocol::Request<method::ExportGraph> ExportController::requestOf(const ExportChoice &choice) const {
  using Pages = method::PicturePages;
  protocol::Request<method::ExportGraph> request{.scene = graph_.scenes().drawn(),
                                                 .path = choice.path,
                                                 .verdicts = fusion_.actions().verdicts->isChecked(),
                                                 .policy = fusion_.panel().policy(),
                                                 .theme = choice.theme == "dark"_L1 ? method::PictureTheme::Dark
                                                                                    : method::PictureTheme::Light,
                                                 .pages = choice.pages == "a4"_L1   ? Pages::A4
                                                          : choice.pages == "a3"_L1 ? Pages::A3
                                                                                    : Pages::One};
  const bool isPicture = choice.format != "dot"_L1 && !choice.format.endsWith("json"_L1);
  if (isPicture && choice.what == "all"_L1)
    request.scene.openAll = true;
  if (const QRect sight = graph_.view().sight().toAlignedRect();
      isPicture && choice.what == "sight"_L1 && !sight.isEmpty())
    request.region = {sight.x(), sight.y(), sight.width(), sight.height()};
  return request;
}

/// Nobody should find out how many sheets there are by what the printer does.
void ExportController::askPages(const ExportChoice &choice) {
  const bool hasPath = !choice.path.isEmpty();
  if (!dialog_->isVisible() || !hasPath || choice.pages == "one"_L1)
    return dialog_->setSummary({}, hasPath);
  protocol::Request<method::ExportGraph> request = requestOf(choice);
  request.write = false;
  session().client().call<method::ExportGraph>(
      request, this,
      [this, choice](const WrittenPicture &picture) {
        if (dialog_->choice() == choice && picture.pages == 0)
          dialog_->setSummary(tr("There is nothing in that part of the graph"), false);
        else if (dialog_->choice() == choice)
          dialog_->setSummary(
              tr("%1 of %2").arg(counted(picture.pages, tr("sheet"), tr("sheets")), choice.pages.toUpper()));
      },
      [this](const protocol::Error &error) { dialog_->setSummary(error.message, false); }, u"pages"_s);
}

void ExportController::writeGraph(const ExportChoice &choice) {
  settings().setText(u"export/format"_s, choice.format);
  settings().setText(u"export/what"_s, choice.what);
  settings().setText(u"export/theme"_s, choice.theme);
  if (choice.format == "pdf"_L1)
    settings().setText(u"export/pages"_s, choice.pages);
  session().client().call<method::ExportGraph>(
      requestOf(choice), this,
      [this](const WrittenPicture &picture) {
        const QString pages =
            picture.pages > 1 ? tr(", %1").arg(counted(picture.pages, tr("page"), tr("pages"))) : QString();
        shell().tellExported(picture.path, pages);
      },
      [this](const protocol::Error &error) {
        emit shell().errorReported(u"export"_s, tr("The graph was not exported"), error);
      });
}

/// What is in sight, as pixels at twice the size and as lines, for whatever it is pasted into.
void ExportController::copyImage() {
  const GraphView &view = graph_.view();
  const QSize size = view.sightSize().toSize();
  constexpr double ratio = 2;
  QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  {
    QPainter painter(&image);
    view.paintSight(painter, false);
  }
  QBuffer svg;
  QSvgGenerator generator;
  generator.setOutputDevice(&svg);
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(), size));
  generator.setTitle(nameOf(session().document()));
  {
    QPainter painter(&generator);
    view.paintSight(painter, true);
  }
  auto *data = new QMimeData;
  data->setImageData(image);
  data->setData(u"image/svg+xml"_s, svg.data());
  QApplication::clipboard()->setMimeData(data);
  shell().tell(tr("The graph is on the clipboard as a picture, %1 by %2").arg(image.width()).arg(image.height()));
}

void ExportController::exportReport() {
  const QString path =
      choosePath(tr("Export the report"), u".html"_s, tr("Web page (*.html);;JSON (*.json);;Text (*.txt)"));
  if (path.isEmpty())
    return;
  const QString ending = QFileInfo(path).suffix().toLower();
  const QString format = ending == "json"_L1 ? u"json"_s : ending == "txt"_L1 ? u"text"_s : u"html"_s;
  write<method::ExportReport>({.path = path, .format = format}, tr("The report was not exported"));
}

void ExportController::saveReproducer(int step) {
  if (step < 0)
    return;
  const QString path = choosePath(tr("Save a reproducer"), u".step%1.mlir"_s.arg(step), tr("MLIR (*.mlir)"));
  if (!path.isEmpty())
    write<method::WriteReproducer>({.step = step, .path = path}, tr("No reproducer was written"));
}

void ExportController::saveCrashReproducer() {
  const QString path = choosePath(tr("Save a reproducer"), u".crash.mlir"_s, tr("MLIR (*.mlir)"));
  if (path.isEmpty())
    return;
  session().saveCrashReproducer(
      path, this, [this](const QString &written) { shell().tellExported(written); },
      [this](const protocol::Error &error) {
        emit shell().errorReported(u"export"_s, tr("No reproducer was written"), error);
      });
}

void ExportController::stepShown(const ShownStep &step) { reproducerAction_->setEnabled(step.step != nullptr); }

void ExportController::sessionChanged() {
  graphAction_->setEnabled(isReady());
  copyAction_->setEnabled(session().hasDocument());
  reportAction_->setEnabled(isReady() && !session().steps().isEmpty());
  reproducerAction_->setEnabled(isReady() && steps_.currentStep());
}

} // namespace fuselage
