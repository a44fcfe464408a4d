// What the panel shows of a run that goes on.
#include "views/charts/BarChart.h"
#include "views/charts/RooflineView.h"
#include "views/charts/RunTimeline.h"
#include "views/common/Numbers.h"
#include "views/panels/RunPanel.h"
#include "views/panels/RunResults.h"
#include "views/widgets/EmptyHint.h"
#include <QCheckBox>
#include <QComboBox>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <cmath>

namespace fuselage {

void RunPanel::setHint(bool isRunning) {
  if (isRunning)
    hint_->setText(tr("No dispatch has finished yet"), tr("Rows appear here as dispatches finish."));
  else
    hint_->setText(
        tr("Nothing has run yet"),
        tr("Run compiles every dispatch, launches it on the device, and compares the results with the host."));
}

void RunPanel::setRunning(bool running, bool canRun) {
  run_->setEnabled(canRun && !running);
  cancel_->setEnabled(running);
  progress_->setVisible(running);
  if (running)
    progress_->setRange(0, 0);
  else
    timeline_->stop();
  setHint(running);
}

void RunPanel::begin() {
  partial_ = {};
  partial_.device = wantedDevice_.isEmpty() ? device() : wantedDevice_;
  at_ = {};
  setHint(true);
  timeline_->clear();
}

void RunPanel::setProgress(const protocol::RunProgress &progress) {
  progress_->setRange(0, progress.total);
  progress_->setValue(progress.done);
  if (!progress.rows.isEmpty()) {
    partial_.kernels.resize(std::min<qsizetype>(progress.firstRow, partial_.kernels.size()));
    partial_.kernels.append(progress.rows);
    if (!rowsTimer_.isActive())
      rowsTimer_.start();
  }
  at_ = progress;
  at_.rows.clear();
  timeline_->follow(progress);
  showLeft();
}

/// "12 of 86 dispatches, about 40 s left: main_dispatch_12"
void RunPanel::showLeft() {
  if (at_.phase != protocol::RunPhase::Run || at_.dispatches == 0) {
    setMessage(at_.what, false);
    return;
  }
  QString text = tr("%1 of %2").arg(at_.dispatchesDone).arg(counted(at_.dispatches, tr("dispatch"), tr("dispatches")));
  // Time has gone on since that was said.
  const double spent = timeline_->msOf(at_.phase) - at_.phaseMs.value(int(at_.phase));
  constexpr double second = 1000;
  if (at_.leftMs - spent >= second / 2)
    text += tr(", about %1 s left").arg(std::lround((at_.leftMs - spent) / second));
  setMessage(tr("%1: %2").arg(text, at_.what), false);
}

/// Rows that have come since.
void RunPanel::showRows() {
  const std::optional<protocol::RunReport> partial = partialReport();
  if (!partial)
    return;
  const bool isFirst = report_.kernels.isEmpty() || !report_.cancelled || model_->isStale();
  report_ = *partial;
  if (isFirst) {
    model_->setReport(report_);
    each_->setVisible(false);
    results_->clear();
    chart_->setStale(false);
    roofline_->setStale(false);
    csv_->setEnabled(true);
  } else {
    model_->extendReport(report_);
  }
  showBaselines(report_);
  showGroups();
  compare();
}

std::optional<protocol::RunReport> RunPanel::partialReport() const {
  if (partial_.kernels.isEmpty() || at_.dispatchesDone == 0)
    return std::nullopt;
  protocol::RunReport report = partial_;
  report.verdict = protocol::RunVerdict::Unchecked;
  report.cancelled = protocol::RunCancelled{.after = at_.dispatchesDone, .of = at_.dispatches};
  report.sumUs = report.onceUs = 0;
  for (const protocol::Kernel &kernel : std::as_const(report.kernels))
    (kernel.once ? report.onceUs : report.sumUs) += std::max(0.0, kernel.medianUs) * double(kernel.calls);
  return report;
}

QPushButton *RunPanel::makeBlameButton() {
  auto *button = new QPushButton(tr("Find the Rewrite to &Blame"), this);
  button->setToolTip(tr("Find the step after which the program computes something else, and the rewrite in it"));
  button->hide();
  return button;
}

} // namespace fuselage
