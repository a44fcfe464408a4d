#include "views/tuning/TrialDialog.h"
#include "views/models/Format.h"
#include "views/models/trials/TrialModel.h"
#include "views/text/DiffView.h"
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

TrialDialog::TrialDialog(QWidget *parent) : QDialog(parent), summary_(new QLabel(this)), diff_(new DiffView(this)) {
  resize(980, 640);
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  diff_->setTitles(tr("baseline"), tr("trial"));
  diff_->setEmptyText(tr("The same schedule"), tr("This trial is the baseline."));
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton *edit = buttons->addButton(tr("Open in the &Editor"), QDialogButtonBox::ActionRole);
  QPushButton *apply = buttons->addButton(tr("&Set the Knobs"), QDialogButtonBox::ActionRole);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(summary_);
  layout->addWidget(diff_, 1);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(edit, &QPushButton::clicked, this, [this] {
    emit editRequested(text_);
    accept();
  });
  connect(apply, &QPushButton::clicked, this, [this] {
    emit applyRequested(trial_.parameters);
    accept();
  });
}

void TrialDialog::setTrial(const protocol::TuneTrial &trial, const QString &baseline, const QString &text,
                           const DiffData &diff) {
  trial_ = trial;
  text_ = text;
  setWindowTitle(tr("Trial %1").arg(trial.number));
  QString words = pointText(trial.parameters) + u": "_s + trial.status;
  if (trial.medianUs >= 0)
    words += tr(", median %1, %2 as fast as the baseline")
                 .arg(formatMicroseconds(trial.medianUs), formatSpeed(speedOf(trial)));
  if (!trial.why.isEmpty())
    words += u"\n"_s + trial.why;
  summary_->setText(words);
  before_.setText(baseline);
  after_.setText(text);
  if (diff.added + diff.removed + diff.changed > 0)
    diff_->setDiff(diff, &before_, &after_);
  else
    diff_->setDiff({}, nullptr, nullptr);
}

} // namespace fuselage
