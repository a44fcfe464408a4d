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
  resize(1040, 520);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Devices"));
  list_->setTextElideMode(Qt::ElideRight);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  facts_ = new QTreeWidget(this);
  facts_->setAccessibleName(tr("What is known of the device"));
  facts_->setHeaderLabels({tr("What Kernels Use"), tr("Value"), tr("Source")});
  facts_->setRootIsDecorated(false);
  facts_->setUniformRowHeights(true);
  hint_ = new QLabel(tr("Asking the engine\u2026"), this);
  hint_->setWordWrap(true);
  auto *splitter = new QSplitter(this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(list_);
  splitter->addWidget(facts_);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({340, 700});
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
  for (const protocol::DeviceModel &model : models) {
    list_->addItem(model.here ? u"%1 (%2)"_s.arg(model.name, model.id) : tr("%1, not here").arg(model.name));
    list_->item(list_->count() - 1)->setToolTip(model.name);
  }
  list_->setCurrentRow(0);
}

void DeviceDialog::setProblem(const QString &problem) { hint_->setText(problem); }

/// A fact's name without its unit, which stands beside its value.
static QString labelOf(QString key) {
  key.replace(u"workgroup bytes"_s, u"workgroup memory"_s);
  for (const QString &unit : {u" gb s"_s, u" gflop s"_s, u" bytes"_s})
    key.remove(unit);
  return key;
}

void DeviceDialog::show(int row) {
  facts_->clear();
  if (row < 0 || row >= models_.size())
    return;
  const protocol::DeviceModel &model = models_[row];
  for (const protocol::DeviceFact &fact : model.facts) {
    auto *item = new QTreeWidgetItem(facts_, {labelOf(fact.key), fact.value, fact.source});
    item->setToolTip(1, fact.value);
    item->setToolTip(2, fact.source);
  }
  facts_->resizeColumnToContents(0);
  facts_->setColumnWidth(1, std::min(220, facts_->sizeHint().width()));
  hint_->setText(model.here ? tr("Kernels are compiled for what the device reports; anything else is unknown.")
                            : tr("It need not be present: choose it as the target in the Kernel and Pipeline panels, "
                                 "or with --target-device %1.")
                                  .arg(model.id));
}

} // namespace fuselage
