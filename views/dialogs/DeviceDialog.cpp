#include "views/dialogs/DeviceDialog.h"
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

DeviceDialog::DeviceDialog(QWidget *parent) : QDialog(parent) {
  setWindowTitle(tr("Devices"));
  resize(900, 520);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Devices"));
  facts_ = new QTreeWidget(this);
  facts_->setAccessibleName(tr("What is known of the device"));
  facts_->setHeaderLabels({tr("What kernels follow"), tr("Value"), tr("Where it is from")});
  facts_->setRootIsDecorated(false);
  facts_->setUniformRowHeights(true);
  hint_ = new QLabel(tr("Asking the engine \u2026"), this);
  hint_->setWordWrap(true);
  auto *splitter = new QSplitter(this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(list_);
  splitter->addWidget(facts_);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({260, 640});
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto *layout = new QVBoxLayout(this);
  layout->addWidget(splitter, 1);
  layout->addWidget(hint_);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(list_, &QListWidget::currentRowChanged, this, &DeviceDialog::show);
}

void DeviceDialog::setModels(const QList<protocol::DeviceModel> &models) {
  models_ = models;
  list_->clear();
  for (const protocol::DeviceModel &model : models)
    list_->addItem(model.here ? u"%1 (%2)"_s.arg(model.name, model.id) : tr("%1, not here").arg(model.name));
  list_->setCurrentRow(0);
}

void DeviceDialog::setProblem(const QString &problem) { hint_->setText(problem); }

void DeviceDialog::show(int row) {
  facts_->clear();
  if (row < 0 || row >= models_.size())
    return;
  const protocol::DeviceModel &model = models_[row];
  for (const protocol::DeviceFact &fact : model.facts) {
    auto *item = new QTreeWidgetItem(facts_, {fact.key, fact.value, fact.source});
    item->setToolTip(1, fact.value);
    item->setToolTip(2, fact.source);
  }
  facts_->resizeColumnToContents(0);
  facts_->setColumnWidth(1, std::min(220, facts_->sizeHint().width()));
  hint_->setText(model.here ? tr("Kernels are made for it as it says of itself; what it says of none of these is not known.")
                            : tr("It need not be here: pick it as the target in the Kernel and Pipeline panels, or with --target-device %1.").arg(model.id));
}

} // namespace fuselage
