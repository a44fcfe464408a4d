#include "app/gui/rewrites/Breakpoints.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/RewriteMethods.h"
#include "views/widgets/EmptyHint.h"
#include <QJsonArray>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

BreakpointsPage::BreakpointsPage(QWidget *parent) : QWidget(parent), edit_(new QLineEdit), list_(new QListWidget) {
  edit_->setPlaceholderText(tr("Add: a pattern, an op, @function, or model.mlir:35"));
  edit_->setAccessibleName(tr("New breakpoint"));
  edit_->setToolTip(tr("The name of a pattern, of a kind such as fold, of an op that is matched, inserted, erased or "
                       "modified, @function, or file:line for ops that came from there"));
  list_->setAccessibleName(tr("Breakpoints"));
  list_->installEventFilter(this);
  hint_ = new EmptyHint(list_, tr("There are no breakpoints"),
                        tr("Add one above, or in the menu of a rewrite; C then goes on to the next rewrite that has to "
                           "do with it, through all steps."));
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 0);
  layout->setSpacing(4);
  layout->addWidget(edit_);
  layout->addWidget(list_, 1);
  connect(edit_, &QLineEdit::returnPressed, this, [this] {
    add(edit_->text().trimmed());
    edit_->clear();
  });
}

void BreakpointsPage::add(const QString &breakpoint) {
  if (breakpoint.isEmpty())
    return;
  if (const auto known = list_->findItems(breakpoint, Qt::MatchExactly); !known.isEmpty())
    return known.first()->setCheckState(Qt::Checked);
  auto *item = new QListWidgetItem(breakpoint, list_);
  item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
  item->setCheckState(Qt::Checked);
  list_->setCurrentItem(item);
}

void BreakpointsPage::clear() { list_->clear(); }

QStringList BreakpointsPage::breakpoints(bool onlyEnabled) const {
  QStringList texts;
  for (int row = 0; row < list_->count(); ++row)
    if (!onlyEnabled || list_->item(row)->checkState() == Qt::Checked)
      texts.append(list_->item(row)->text());
  return texts;
}

bool BreakpointsPage::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete) {
    delete list_->currentItem();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

BreakpointsController::BreakpointsController(Shell &shell, RewritesController &rewrites, StepsController &steps)
    : Controller(shell), rewrites_(rewrites), steps_(steps) {
  QAction *next = command(tr("&Continue to Breakpoint"), {}, {QKeySequence(u"C"_s)});
  next->setToolTip(tr("Go on to the next rewrite that a breakpoint stops at"));
  QAction *previous = command(tr("Bac&k to Breakpoint"), {}, {QKeySequence(u"Shift+C"_s)});
  previous->setToolTip(tr("Go back to the last rewrite before this that a breakpoint stops at"));
  on(next, [this] { go(false); });
  on(previous, [this] { go(true); });
  shell.menus().add(Place::StepMove, {next, previous});
  rewrites.extend([this](RewritesPanel &panel) {
    page_ = new BreakpointsPage;
    tab_ = panel.addPage(page_, tr("Breakpoints"));
    connect(&panel, &RewritesPanel::breakRequested, this, &BreakpointsController::add);
  });
}

BreakpointsPage &BreakpointsController::page() {
  rewrites_.panel();
  return *page_;
}

void BreakpointsController::add(const QString &breakpoint) {
  page().add(breakpoint);
  shell().tell(tr("Breakpoint at %1: press C to go on to the next").arg(breakpoint));
}

void BreakpointsController::go(bool backwards) {
  if (!isReady() || steps_.model().rowCount() < 2)
    return shell().tell(tr("There are no steps; record a pipeline first"));
  const QStringList breakpoints = page().breakpoints(true);
  if (breakpoints.isEmpty()) {
    rewrites_.raise(tab_);
    page().edit()->setFocus();
    return shell().tell(tr("There is no breakpoint; add one here, or in the menu of a rewrite"));
  }
  // The end of a step is shown, unless it is in the middle of one.
  const bool isInside = rewrites_.shown() >= 0;
  const int step = rewrites_.step() + (isInside || backwards ? 0 : 1);
  const auto nothing = [this, backwards] {
    this->shell().tell(backwards ? tr("No breakpoint stops before this") : tr("No breakpoint stops after this"));
  };
  if (step < 0 || step >= steps_.model().rowCount() - 1)
    return nothing();
  isSearching_ = true;
  session().client().call<method::FindStop>(
      {.breakpoints = breakpoints, .step = step, .rewrite = rewrites_.shown(), .backwards = backwards}, this,
      [this, nothing](const protocol::RewriteStop &stop) {
        isSearching_ = false;
        if (stop.step < 0)
          return nothing();
        rewrites_.goTo(stop.step, stop.rewrite);
        this->shell().tell(tr("Breakpoint at %1").arg(stop.breakpoint));
      },
      [this](const protocol::Error &error) {
        isSearching_ = false;
        if (error.code != protocol::Error::Cancelled)
          emit this->shell().errorReported(u"rewrites"_s, tr("The breakpoints cannot be looked for"), error);
      });
}

void BreakpointsController::documentReset() {
  if (page_)
    page_->clear();
}

void BreakpointsController::engineDied(const CrashReport &) { isSearching_ = false; }

void BreakpointsController::saveDocument(QJsonObject &state) const {
  if (const QStringList texts = page_ ? page_->breakpoints(false) : QStringList(); !texts.isEmpty())
    state["breakpoints"_L1] = QJsonArray::fromStringList(texts);
}

void BreakpointsController::restoreDocument(const QJsonObject &state) {
  for (const QJsonValue &text : state["breakpoints"_L1].toArray())
    page().add(text.toString());
}

} // namespace fuselage
