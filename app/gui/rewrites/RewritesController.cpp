#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/RewriteMethods.h"
#include <QDockWidget>
#include <QTabWidget>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

RewritesController::RewritesController(Shell &shell, StepsController &steps, TextController &text)
    : Controller(shell), steps_(steps), text_(text),
      dock_(shell.docks().add(
          {.name = u"rewrites"_s, .title = tr("Rewrites"), .shortcut = u"Alt+X"_s, .beside = u"run"_s},
          panel_.place())),
      place_(shell, this) {
  QAction *enter = command(tr("Re&writes of the Step"), {}, {QKeySequence(u"R"_s)});
  enter->setToolTip(
      tr("Show what the step did rewrite by rewrite; Next Step and Previous Step then go on inside of it"));
  on(enter, [this] { enterStep(); });
  shell.menus().add(Place::StepMove, {enter});
  steps.setInnerWalk([this](int by) { return walk(by); });
  panel_.tell([this](RewritesPanel &panel) {
    panel.setObjectName("rewrites"_L1);
    connect(&panel, &RewritesPanel::rewriteSelected, this, &RewritesController::show);
    connect(&panel, &RewritesPanel::tabShown, this, &RewritesController::requestAttempts);
  });
  connect(&text, &TextController::selectionChanged, this, &RewritesController::requestAttempts);
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
    if (isVisible)
      request();
  });
}

RewritesPanel &RewritesController::panel() { return panel_.get(); }

void RewritesController::enterStep() {
  entersStep_ = step_ >= 0;
  shell().docks().raise(dock_);
  if (step_ < 0)
    return shell().tell(tr("The input is no step; select one"));
  request();
  if (!isListing_ && entersStep_) // else once they are listed
    enter();
}

void RewritesController::enter() {
  const int rewrite = std::exchange(entersAt_, -1);
  if (rewrite < 0 || rewrite >= panel_->model().rowCount()) {
    walk(1);
    return;
  }
  entersStep_ = false;
  panel_->setCurrent(rewrite);
  show(rewrite);
}

void RewritesController::raise(int tab) {
  shell().docks().raise(dock_);
  panel_->tabs()->setCurrentIndex(tab);
}

void RewritesController::goTo(int step, int rewrite) {
  raise(RewritesPanel::Rewrites);
  if (steps_.currentRow() != step + 1)
    steps_.select(step + 1);
  entersAt_ = rewrite;
  enterStep();
}

void RewritesController::request() {
  if (step_ < 0) {
    forget();
    return showNothing();
  }
  if (listed_ == step_ || !session().hasDocument() || !(dock_->isVisible() || entersStep_))
    return;
  listed_ = step_;
  isListing_ = true;
  panel_->setMessage(tr("Running the step again\u2026"), {});
  session().client().call<method::ListRewrites>(
      {.step = step_}, this,
      [this, step = step_](const protocol::StepRewrites &rewrites) {
        isListing_ = false;
        if (step == step_)
          present(rewrites);
      },
      [this, step = step_](const protocol::Error &error) {
        isListing_ = false;
        entersStep_ = false;
        if (step == step_)
          panel_->setMessage(tr("The rewrites of this step are not known"), error.message);
      });
}

void RewritesController::present(const protocol::StepRewrites &rewrites) {
  panel_->setRewrites(rewrites);
  requestAttempts();
  if (entersStep_)
    enter();
}

bool RewritesController::walk(int by) {
  const bool isInside = shown() >= 0 || entersStep_;
  if (!isInside || listed_ != step_)
    return false;
  entersStep_ = false;
  const int next = panel_->neighbour(by);
  if (next >= 0) {
    panel_->setCurrent(next);
    show(next);
    return true;
  }
  return false;
}

void RewritesController::show(int rewrite) {
  const protocol::StepRewrite &row = panel_->model().rewrites()[rewrite];
  const QString did =
      row.op.isEmpty() ? RewriteModel::nameOf(row) : tr("%1, %2").arg(RewriteModel::nameOf(row), row.op);
  shown_ = rewrite;
  isShowing_ = true;
  session().client().call<method::ShowRewrite>(
      {.step = step_, .rewrite = rewrite}, this,
      [this, rewrite, did, step = step_](const protocol::RewritePlace &place) {
        isShowing_ = false; // one that this replaced has no answer
        if (step != step_ || rewrite != shown_)
          return;
        place_.show(place.snapshot, place.before, did,
                    tr("Step %1, after rewrite %2: %3").arg(step).arg(rewrite).arg(did));
        if (const QString &said = place.problem.isEmpty() ? place.note : place.problem; !said.isEmpty())
          this->shell().tell(said);
      },
      [this](const protocol::Error &error) {
        isShowing_ = false;
        failed(tr("The rewrite cannot be shown"), error);
      },
      u"rewrite"_s);
}

void RewritesController::failed(const QString &what, const protocol::Error &error) {
  if (error.code != protocol::Error::Cancelled)
    emit shell().errorReported(u"rewrites"_s, what, error);
}

void RewritesController::requestAttempts() {
  const bool isSeen = dock_->isVisible() && panel_->tabs()->currentIndex() == RewritesPanel::SelectedOp;
  if (!isSeen || listed_ != step_ || step_ < 0)
    return;
  const qint64 op = text_.selected();
  const bool isAfter = text_.snapshot() == after_;
  if (op < 0 || (!isAfter && text_.snapshot() != before_))
    return panel_->setAttempts(
        {}, {},
        op < 0 ? QString() : tr("This is in the middle of the step: select an op of the IR before or after it."));
  session().client().call<method::AskRewrites>(
      {.step = step_, .op = op, .after = isAfter}, this,
      [this](const protocol::OpRewrites &tried) {
        QStringList words{tried.function.isEmpty() ? tried.op : tr("%1 in @%2").arg(tried.op, tried.function)};
        if (tried.made >= 0)
          words.append(tr("made by rewrite %1").arg(tried.made));
        if (tried.removed >= 0)
          words.append(tr("erased by rewrite %1").arg(tried.removed));
        panel_->setAttempts(words.join(u", "_s), tried.attempts,
                            tr("Drivers try patterns on the ops of their worklist; a pass may have none for it."));
      },
      [this](const protocol::Error &error) { panel_->setAttempts({}, {}, error.message); }, u"tried"_s);
}

void RewritesController::stepShown(const ShownStep &step) {
  place_.stepShown(step);
  if (step.isPlace)
    return;
  shown_ = -1;
  step_ = step.step ? step.step->index : -1;
  before_ = step.step ? step.step->before : -1;
  after_ = step.step ? step.step->after : -1;
  if (panel_.isMade())
    panel_->setCurrent(-1);
  request();
}

void RewritesController::forget() {
  listed_ = -2;
  shown_ = -1;
  entersStep_ = false;
  entersAt_ = -1;
}

void RewritesController::documentReset() {
  place_.forgetDocument();
  forget();
  step_ = -1;
  showNothing();
}

void RewritesController::showNothing() {
  panel_.tell(u"message"_s, [](RewritesPanel &panel) {
    panel.setMessage(tr("No step is selected"), tr("Select a step: every rewrite that it made is listed here."));
  });
}

void RewritesController::stepsReplaced(int) { forget(); }

void RewritesController::engineDied(const CrashReport &) {
  returnsTo_ = shown_ >= 0 ? std::optional(std::pair(step_, shown_)) : std::nullopt;
}

void RewritesController::engineRecovered(int) {
  isListing_ = isShowing_ = false;
  forget();
  const auto last = std::exchange(returnsTo_, std::nullopt);
  if (last && last->first == step_) {
    entersStep_ = true;
    entersAt_ = last->second;
  }
  request();
}

} // namespace fuselage
