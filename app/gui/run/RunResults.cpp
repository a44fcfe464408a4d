// What came out of a run: shown beside what was before, exported, and kept, so that it comes back with its document.
#include "app/bridge/MessageReader.h"
#include "app/bridge/MessageWriter.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/run/RunController.h"
#include "app/gui/steps/StepsController.h"
#include "views/charts/RooflineView.h"
#include "views/panels/RunPanel.h"
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Sizes that a remark of the engine says it chose: "arg0.1 = 32".
static QMap<QString, int> sizesChosenIn(const protocol::RunReport &report) {
  static const QRegularExpression choice(u"\\b(arg\\d+\\.\\d+) = (\\d+)\\b"_s);
  QMap<QString, int> sizes;
  for (const protocol::Diagnostic &remark : report.remarks)
    for (auto matches = choice.globalMatch(remark.message); matches.hasNext();) {
      const QRegularExpressionMatch match = matches.next();
      sizes.insert(match.captured(1), match.captured(2).toInt());
    }
  return sizes;
}

void RunController::keepFinished(const protocol::RunReport &report) {
  ranDispatch_ = runningDispatch_;
  ranProgram_ = runningProgram_;
  showKept(report, {});
  keepDraft(report);
}

void RunController::runFinished(const protocol::RunReport &report) {
  if (report.cancelled) {
    queue_.clear();
    problems_.model().setDiagnostics(u"run"_s, report.remarks);
    return keepFinished(report);
  }
  // Another program or another device beside the one before; the same again changes nothing about that.
  const QString program = runningProgram_;
  const bool isOther = program != lastProgram_ || report.device != last_.device;
  if (runningDispatch_ != ranDispatch_ || report.function != last_.function)
    panel_->setBefore({}, {});
  else if (!last_.kernels.isEmpty() && isOther)
    panel_->setBefore(last_, program != lastProgram_ && report.device == last_.device
                                 ? tr("another program, %1").arg(last_.device)
                                 : last_.device);
  last_ = report;
  ranProgram_ = lastProgram_ = program;
  ranDispatch_ = runningDispatch_;
  problems_.model().setDiagnostics(u"run"_s, report.remarks);
  ranSnapshot_ = runningSnapshot_;
  ran_ = running_;
  showKept(report, steps_.nameOf(ranSnapshot_));
  if (ranDispatch_.isEmpty())
    panel_->offerSizes(sizesChosenIn(report));
  showWhere();
  keepDraft(report);
  emit ran(report, ranSnapshot_, ranDispatch_);
  QMetaObject::invokeMethod(this, &RunController::runNext, Qt::QueuedConnection); // others hear of this one first
}

void RunController::showKept(const protocol::RunReport &report, const QString &of) {
  panel_->setReport(report, of);
  graph_.scenes().setReport(this, report);
}

QString RunController::stampOf(const QString &path) {
  const QFileInfo file(path);
  return u"%1 %2"_s.arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
}

void RunController::keepDraft(const protocol::RunReport &report) {
  partialTimer_.stop();
  draft_.keep({{u"report"_s, toJson(report)},
               {u"program"_s, runningProgram_},
               {u"dispatch"_s, runningDispatch_},
               {u"snapshot"_s, runningSnapshot_},
               {u"step"_s, steps_.nameOf(runningSnapshot_)},
               {u"file"_s, stampOf(session().document().path)},
               {u"time"_s, QDateTime::currentDateTime().toString(Qt::ISODate)}});
}

void RunController::restoreDraft(const QString &tab) {
  draft_.leave();
  const QJsonObject kept = draft_.restore(tab);
  if (kept.isEmpty() || kept["file"_L1].toString() != stampOf(session().document().path))
    return;
  protocol::RunReport report;
  message::decode(kept["report"_L1].toObject(), report);
  if (report.kernels.isEmpty())
    return;
  ranProgram_ = kept["program"_L1].toString();
  ranDispatch_ = kept["dispatch"_L1].toString();
  ranSnapshot_ = kept["snapshot"_L1].toInt();
  if (!report.cancelled) {
    last_ = report;
    lastProgram_ = ranProgram_;
  }
  const QDateTime time = QDateTime::fromString(kept["time"_L1].toString(), Qt::ISODate);
  showKept(report,
           tr("%1, measured %2").arg(kept["step"_L1].toString(), QLocale().toString(time, QLocale::ShortFormat)));
  updateStale();
}

void RunController::exportCsv() {
  const QString name = QFileInfo(session().document().path).completeBaseName() + u".csv"_s;
  const QString path =
      QFileDialog::getSaveFileName(&shell().window(), tr("Export the run"), name, tr("CSV (*.csv);;All files (*)"));
  if (!path.isEmpty())
    writeExport(path, panel_->csv());
}

/// As an SVG unless the name says CSV.
void RunController::exportRoofline() {
  RooflineView &view = panel_->roofline();
  if (view.chart().isEmpty()) {
    panel_->setMessage(tr("There is no roofline to export: run with \u201cBaselines\u201d first"), false);
    return raise();
  }
  const QString name = QFileInfo(session().document().path).completeBaseName() + u"-roofline.svg"_s;
  const QString path =
      QFileDialog::getSaveFileName(&shell().window(), tr("Export the roofline"), name, tr("SVG (*.svg);;CSV (*.csv)"));
  if (!path.isEmpty())
    writeExport(path, path.endsWith(".csv"_L1, Qt::CaseInsensitive) ? view.csv() : view.svg());
}

void RunController::writeExport(const QString &path, const QByteArray &text) {
  QSaveFile file(path);
  if (file.open(QFile::WriteOnly) && file.write(text) == text.size() && file.flush() && file.commit())
    shell().tellExported(path);
  else
    panel_->setMessage(tr("%1 cannot be written: %2").arg(path, file.errorString()), true);
}

} // namespace fuselage
