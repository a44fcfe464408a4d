// What a fusion came to, in words.
#include "app/gui/fusion/FusionController.h"
#include "app/gui/fusion/FusionVerdicts.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/FusionMethods.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/panels/FusionPanel.h"
#include <QDockWidget>

using namespace Qt::StringLiterals;

namespace fuselage {

/// "max abs error 3.8e-06, max rel error 9.4e-08 on the host", or why nobody knows.
static QString proofText(const protocol::Step &step) {
  if (!step.fusion)
    return {};
  if (!step.fusion->checked)
    return FusionController::tr("not verified: %1").arg(step.fusion->note);
  const QString errors = FusionController::tr("max abs error %1, max rel error %2 on the host")
                             .arg(formatError(step.fusion->maxAbsError), formatError(step.fusion->maxRelError));
  return step.fusion->ok ? errors : FusionController::tr("WRONG: %1").arg(errors);
}

/// "20.7 ms before, 18.8 ms after on vulkan:0", or that nobody measured.
static QString measuredText(const protocol::FuseResult &result) {
  if (!result.times)
    return FusionController::tr("what it gains is predicted");
  const protocol::FuseTimes &times = *result.times;
  const QString text = FusionController::tr("%1 before, %2 after on %3")
                           .arg(formatMicroseconds(times.before), formatMicroseconds(times.after), times.device);
  return std::abs(times.before - times.after) > times.noise
             ? text
             : FusionController::tr("%1, within the noise of %2").arg(text, formatMicroseconds(times.noise));
}

void FusionController::refused(const protocol::FuseResult &result) {
  QString text = result.tries == 0
                     ? tr("Not fused")
                     : tr("Tried without success: %1").arg(counted(result.tries, tr("pass run"), tr("pass runs")));
  if (!result.tried.isEmpty())
    text += tr(" of %1").arg(result.tried.join(u", "_s));
  if (result.gaveUp)
    text += tr(", then the search ended");
  verdicts_->judgeAgain(); // the graph and the table say so, too
  panel_->setMessage(text + (result.reasons.isEmpty() ? QString() : u". "_s + result.reasons.first()), true);
  shell().docks().raise(dock_);
}

void FusionController::fused(const protocol::FuseResult &result) {
  problems_.model().clear(u"fuse"_s);
  if (result.times) // what is predicted of the device goes by that now
    verdicts_->measure(result.times->device, FusionVerdicts::Telling::Nothing);
  if (!result.fused) {
    refused(result);
    return;
  }
  if (result.first >= result.history.steps.size()) {
    panel_->setMessage(
        result.dropped.isEmpty()
            ? tr("Nothing to do: it is fused already")
            : tr("No fusion is profitable (%1): %2").arg(measuredText(result), result.dropped.join(u"; "_s)),
        false);
    return;
  }
  steps_.showSource();
  steps_.showHistory(int(result.history.steps.size()));
  problems_.listSteps(result.history.steps);
  const protocol::Step &last = result.history.steps.last();
  const qsizetype steps = result.history.steps.size() - result.first;
  QString text =
      tr("%1 \u2192 %2 in %3; %4")
          .arg(result.dispatchesBefore)
          .arg(countedDispatches(result.dispatchesAfter), counted(steps, tr("step"), tr("steps")), proofText(last));
  if (result.times || result.dispatchesAfter < result.dispatchesBefore)
    text += u"; "_s + measuredText(result);
  if (!result.dropped.isEmpty())
    text += tr("; left out: %1").arg(result.dropped.join(u"; "_s));
  const bool isWrong = last.fusion && !last.fusion->ok;
  panel_->setMessage(text, isWrong);
  shell().tell(text);
}

void FusionController::failed(const protocol::Error &error) {
  if (error.code == protocol::Error::Cancelled) {
    panel_->setMessage(tr("Cancelled"), false);
    return;
  }
  panel_->setMessage(error.message, true);
  emit shell().errorReported(u"fuse"_s, tr("The edge was not fused"), error);
  shell().docks().raise(dock_);
}

void FusionController::historyMoved(int snapshot) {
  steps_.showSource();
  steps_.showHistory(session().showsLog() ? 0 : snapshot);
  problems_.listSteps(session().steps());
  panel_->setMessage({}, false);
}

} // namespace fuselage
