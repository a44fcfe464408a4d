#include "app/gui/blame/BlameController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/run/RunController.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/BlameMethods.h"
#include "views/common/Numbers.h"
#include "views/panels/RunPanel.h"
#include "views/widgets/Banner.h"
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString findText() { return BlameController::tr("Find the Rewrite to B&lame"); }

BlameController::BlameController(Shell &shell, NavigationController &navigation, StepsController &steps,
                                 RunController &run, RewritesController &rewrites)
    : Controller(shell), navigation_(navigation), steps_(steps), run_(run), rewrites_(rewrites),
      find_(command(findText(), {}, {QKeySequence(u"Shift+R"_s)})), place_(shell, this) {
  find_->setToolTip(tr("Find the step after which the program computes something else, or fails, and in it the first "
                       "rewrite that is to blame"));
  on(find_, [this] { toggle(); });
  shell.menus().add(Place::StepMove, {find_});
  run.tellPanel([this](RunPanel &panel) {
    connect(panel.blameButton(), &QPushButton::clicked, this, [this] {
      if (request_ == 0)
        toggle();
    });
  });
  connect(&session(), &EngineSession::recorded, this, &BlameController::offerAfterFailure);
  connect(&session(), &EngineSession::blameProgress, this, [this](const QString &where) {
    if (request_ != 0)
      this->shell().tell(tr("Judging %1\u2026").arg(where));
  });
  setRunning(0);
}

void BlameController::setRunning(quint64 request) {
  request_ = request;
  find_->setText(request == 0 ? findText() : tr("Stop Looking for the Rewrite to B&lame"));
  find_->setEnabled(request != 0 || (isReady() && !session().steps().isEmpty() && !session().showsLog()));
}

void BlameController::toggle() {
  if (request_ != 0)
    return stop();
  const std::optional<CrashReport> &crash = session().lastCrash();
  find(crash && crash->step && !crash->cancelled);
}

void BlameController::stop() {
  session().client().cancel(request_);
  shell().tell(tr("Stopping\u2026"));
}

void BlameController::find(bool again) {
  if (!isReady())
    return;
  method::FindBlame::Request<protocol::QtTypes> request;
  const RunRequest run = run_.valueRequest();
  request.function = run.function;
  request.sizes = run.sizes;
  request.inputs = run.inputs;
  request.again = again;
  if (again) {
    const RecordRequest &recorded = session().recordRequest();
    request.pipeline = recorded.schedule.isEmpty() ? recorded.pipeline : QString();
    request.schedule = recorded.schedule;
    if (!recorded.target.isEmpty())
      request.target = recorded.target;
  }
  shell().tell(tr("Running the input\u2026"));
  setRunning(session().client().call<method::FindBlame>(
      request, this,
      [this](const protocol::Blame &blame) {
        setRunning(0);
        present(blame);
      },
      [this](const protocol::Error &error) {
        setRunning(0);
        if (error.code == protocol::Error::Cancelled)
          shell().tell(tr("Stopped: nothing was found yet"));
        else if (error.code != protocol::Error::EngineGone)
          shell().banner().showMessage(Banner::Kind::Warning, tr("Nothing can be blamed: %1").arg(error.message));
      },
      u"blame"_s));
}

/// What a step did before it took the engine down.
static QString deathText(const protocol::Blame &blame) {
  QString text = blame.trying.isEmpty() ? QString() : BlameController::tr(" while it tried %1").arg(blame.trying);
  if (blame.last.isEmpty())
    return text + BlameController::tr("; it had made no rewrite before");
  return text + BlameController::tr("; the last rewrite before was %1, %2").arg(blame.rewrites - 1).arg(blame.last);
}

static QString blameText(const protocol::Blame &blame) {
  QString text = BlameController::tr("Step %1, %2: %3").arg(blame.step).arg(blame.name, blame.why);
  if (blame.died)
    return text + deathText(blame);
  if (blame.rewrite >= 0)
    text += BlameController::tr(". First by %1, of %2").arg(blame.rewriteText).arg(groupedNumber(blame.rewrites));
  if (blame.rewrite >= 0 && blame.firstRewriteSuspect != blame.rewrite)
    text += BlameController::tr("; rewrites from %1 on are as suspect").arg(blame.firstRewriteSuspect);
  return blame.note.isEmpty() ? text : text + u". "_s + blame.note;
}

void BlameController::present(const protocol::Blame &blame) {
  Banner &banner = shell().banner();
  shell().tell(tr("The search has come to its end")); // in place of where it was
  if (!blame.undecided.isEmpty())
    return banner.showMessage(Banner::Kind::Warning, tr("Nobody can tell what is to blame: %1").arg(blame.undecided));
  if (blame.step < 0) {
    const QString note = blame.note.isEmpty() ? QString() : u" ("_s + blame.note + u')';
    return banner.showMessage(
        Banner::Kind::Info,
        tr("Nothing is to blame: the program is right after every step that could be judged%1").arg(note));
  }
  banner.showMessage(Banner::Kind::Warning, blameText(blame));
  const int row = blame.step + 1;
  if (row > session().steps().size())
    return showWhereItDied(blame);
  steps_.select(row);
  if (blame.rewrite >= 0)
    rewrites_.goTo(blame.step, blame.rewrite);
}

/// The step is not in the list: the IR is shown where the rewrite began that it died in, or else that before the step.
void BlameController::showWhereItDied(const protocol::Blame &blame) {
  const int row = int(session().steps().size());
  steps_.select(row);
  const protocol::Step *before = steps_.model().stepAt(row);
  const int start = before ? before->after : 0;
  if (blame.place < 0) {
    if (blame.op >= 0)
      navigation_.goTo({.snapshot = start, .op = blame.op});
    return;
  }
  const QString did = blame.trying.isEmpty() ? blame.last : blame.trying;
  const QString where =
      blame.trying.isEmpty() ? tr("Step %1, after rewrite %2: %3").arg(blame.step).arg(blame.rewrites - 1).arg(did)
      : blame.rewrites == 0
          ? tr("Step %1, before its first rewrite, where it tried %2").arg(blame.step).arg(did)
          : tr("Step %1, after rewrite %2, where it tried %3").arg(blame.step).arg(blame.rewrites - 1).arg(did);
  place_.show(blame.place, start, did, where);
  if (blame.placeOp >= 0)
    navigation_.goTo({.snapshot = blame.place, .op = blame.placeOp});
}

void BlameController::offerAfterFailure(const protocol::Recording &recording) {
  setRunning(request_);
  if (!recording.failed || session().steps().isEmpty())
    return;
  const protocol::Step &step = session().steps().last();
  shell().banner().showMessage(Banner::Kind::Warning, tr("Step %1, %2, failed").arg(step.index).arg(step.name));
  shell().banner().addButton(tr("Find the Rewrite to Blame"), this, [this] { toggle(); });
}

void BlameController::documentReset() {
  place_.forgetDocument();
  setRunning(0);
}

void BlameController::sessionChanged() { setRunning(request_); }

void BlameController::engineRecovered(int) {
  setRunning(0);
  const std::optional<CrashReport> &crash = session().lastCrash();
  if (crash && crash->step && !crash->cancelled)
    shell().banner().addButton(tr("Find the Rewrite to Blame"), this, [this] { find(true); });
}

} // namespace fuselage
