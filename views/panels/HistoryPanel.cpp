#include "views/panels/HistoryPanel.h"
#include "views/models/HistoryModel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QProgressBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

HistoryPanel::HistoryPanel(HistoryModel *model, QWidget *parent)
    : QWidget(parent), model_(model), subject_(new QLabel(this)), state_(new QLabel(this)),
      progress_(new QProgressBar(this)), cancel_(new QToolButton(this)),
      table_(makeTable(model, tr("Steps that changed it"))) {
  table_->setSortingEnabled(false); // they are in the order of the steps
  fitColumns(table_, {0, 3, 0, 5});
  hint_ = new EmptyHint(
      table_, tr("Nothing is followed"),
      tr("History Across Steps, in the menu of an op, and “across the steps” in Go to Anything (Ctrl+K) list "
         "here which step introduced, changed or removed it."));
  subject_->setTextFormat(Qt::PlainText);
  subject_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  subject_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  QFont bold = subject_->font();
  bold.setBold(true);
  subject_->setFont(bold);
  progress_->setTextVisible(false);
  progress_->setFixedSize(110, 8);
  progress_->setAccessibleName(tr("Progress of the search"));
  cancel_->setIcon(lineIcon(u"stop"_s));
  cancel_->setAutoRaise(true);
  cancel_->setToolTip(tr("Stop searching"));
  cancel_->setAccessibleName(tr("Stop searching the steps"));
  setProgress(0, 0);
  auto *head = new QHBoxLayout;
  head->setContentsMargins(8, 4, 8, 4);
  head->addWidget(subject_, 1);
  head->addWidget(state_);
  head->addWidget(progress_);
  head->addWidget(cancel_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addWidget(table_, 1);
  setFocusProxy(table_);
  connect(cancel_, &QToolButton::clicked, this, &HistoryPanel::cancelRequested);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    if (current.isValid())
      emit rowChosen(current.row());
  });
}

void HistoryPanel::setHeadline(const QString &subject, const QString &state) {
  subject_->setText(subject);
  subject_->setToolTip(subject);
  state_->setText(state);
}

void HistoryPanel::setProgress(int done, int total) {
  progress_->setVisible(total > 0);
  cancel_->setVisible(total > 0);
  progress_->setRange(0, std::max(1, total));
  progress_->setValue(done);
}

void HistoryPanel::setEmptyText(const QString &title, const QString &hint) { hint_->setText(title, hint); }

} // namespace fuselage
