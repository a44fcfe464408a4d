#include "app/gui/rewrites/WhatIf.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "core/protocol/methods/RewriteMethods.h"
#include "views/widgets/EmptyHint.h"
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

WhatIfPage::WhatIfPage(QWidget *parent)
    : QWidget(parent), list_(new QListWidget), keep_(new QPushButton(tr("Keep in Place of the Step"))) {
  list_->setAccessibleName(tr("Steps without a rewrite"));
  keep_->setToolTip(tr("Record this in place of the step and of those after it; Undo takes it back"));
  keep_->setEnabled(false);
  hint_ = new EmptyHint(list_, tr("Nothing was left out"),
                        tr("The menu of a rewrite runs the step without it, or without its pattern. The results stay "
                           "here, beside what the step left; Compare offers them, too."));
  auto *row = new QHBoxLayout;
  row->addStretch();
  row->addWidget(keep_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 4);
  layout->setSpacing(4);
  layout->addWidget(list_, 1);
  layout->addLayout(row);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) { keep_->setEnabled(row >= 0); });
}

void WhatIfPage::add(const QString &name) {
  const QSignalBlocker blocker(list_); // whoever adds it shows it
  list_->addItem(name);
  list_->setCurrentRow(list_->count() - 1);
  keep_->setEnabled(true);
}

void WhatIfPage::clear() {
  const QSignalBlocker blocker(list_);
  list_->clear();
  keep_->setEnabled(false);
}

WhatIfController::WhatIfController(Shell &shell, RewritesController &rewrites)
    : Controller(shell), rewrites_(rewrites), place_(shell, this) {
  rewrites.extend([this](RewritesPanel &panel) {
    page_ = new WhatIfPage;
    panel.addPage(page_, tr("What If"));
    connect(&panel, &RewritesPanel::skipRequested, this, &WhatIfController::run);
    connect(page_->list(), &QListWidget::currentRowChanged, this, &WhatIfController::show);
    connect(page_->list(), &QListWidget::itemClicked, this, [this] { show(page_->current()); });
    connect(page_->keepButton(), &QPushButton::clicked, this, &WhatIfController::keep);
  });
}

WhatIfPage &WhatIfController::page() {
  rewrites_.panel();
  return *page_;
}

void WhatIfController::run(int rewrite, bool wholePattern) {
  const int step = rewrites_.step();
  const QString name = RewriteModel::nameOf(rewrites_.panel().model().rewrites()[rewrite]);
  WhatIf wanted{.name = wholePattern ? tr("Step %1 without %2").arg(step).arg(name)
                                     : tr("Step %1 without rewrite %2, %3").arg(step).arg(rewrite).arg(name),
                .step = step,
                .before = rewrites_.before(),
                .after = rewrites_.after()};
  isRunning_ = true;
  session().client().call<method::SkipRewrite>(
      {.step = step, .rewrite = rewrite, .wholePattern = wholePattern}, this,
      [this, wanted](const protocol::RewritePlace &place) mutable {
        isRunning_ = false;
        wanted.snapshot = place.snapshot;
        wanted.pipeline = place.pipeline;
        whatIfs_.append(wanted);
        page_->add(wanted.name);
        emit changed();
        show(int(whatIfs_.size()) - 1);
      },
      [this, wanted](const protocol::Error &error) {
        isRunning_ = false;
        if (error.code != protocol::Error::Cancelled)
          emit this->shell().errorReported(u"rewrites"_s, wanted.name, error);
      },
      u"without"_s);
}

void WhatIfController::show(int row) {
  if (row < 0 || row >= whatIfs_.size())
    return;
  const WhatIf &shown = whatIfs_[row];
  place_.show(shown.snapshot, shown.after, shown.name, shown.name);
}

void WhatIfController::keep() {
  const int row = page_->current();
  if (row < 0 || row >= whatIfs_.size() || !isReady())
    return;
  FuseRequest request;
  request.what = FuseRequest::What::Pipeline;
  request.snapshot = whatIfs_[row].before;
  request.pipeline = whatIfs_[row].pipeline;
  place_.leave();
  session().fuse(request);
}

void WhatIfController::forget() {
  isRunning_ = false;
  if (whatIfs_.isEmpty())
    return;
  whatIfs_.clear();
  page_->clear();
  emit changed();
}

void WhatIfController::documentReset() {
  place_.forgetDocument();
  forget();
}

void WhatIfController::stepsReplaced(int) { forget(); }

void WhatIfController::stepShown(const ShownStep &step) { place_.stepShown(step); }

void WhatIfController::engineDied(const CrashReport &) { forget(); }

} // namespace fuselage
