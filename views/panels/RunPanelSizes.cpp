// The part of RunPanel that is sizes of dynamic dimensions.
#include "views/panels/RunPanel.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

namespace fuselage {

void RunPanel::offerSizes(const QMap<QString, int> &sizes) {
  chosenSizes_ = sizes;
  addSizes(sizes.keys());
  for (auto it = sizes.begin(); it != sizes.end(); ++it)
    sizes_.value(it.key())->setValue(it.value());
}

QMap<QString, qint64> RunPanel::sizes() const {
  QMap<QString, qint64> sizes;
  for (auto it = sizes_.begin(); it != sizes_.end(); ++it)
    sizes.insert(it.key(), it.value()->value());
  return sizes;
}

void RunPanel::setSizes(const QMap<QString, qint64> &sizes) {
  addSizes(sizes.keys());
  for (auto it = sizes.begin(); it != sizes.end(); ++it)
    sizes_.value(it.key())->setValue(int(it.value()));
}

void RunPanel::requestSizes(const QStringList &names) {
  if (addSizes(names))
    sizes_.first()->setFocus();
}

bool RunPanel::addSizes(const QStringList &names) {
  bool isNew = false;
  for (const QString &name : names) {
    if (sizes_.contains(name))
      continue;
    isNew = true;
    auto *field = new QSpinBox(sizesRow_);
    field->setRange(0, 1 << 20);
    field->setValue(128);
    field->setAccessibleName(tr("Size of %1").arg(name));
    if (sizes_.isEmpty())
      sizesLayout_->addWidget(new QLabel(tr("Dynamic sizes:"), sizesRow_));
    else
      delete sizesLayout_->takeAt(sizesLayout_->count() - 1);
    sizesLayout_->addWidget(new QLabel(name, sizesRow_));
    sizesLayout_->addWidget(field);
    sizesLayout_->addStretch(1);
    sizes_.insert(name, field);
    connect(field, &QSpinBox::valueChanged, this, &RunPanel::sizesChanged);
  }
  sizesRow_->setVisible(!sizes_.isEmpty());
  return isNew;
}

} // namespace fuselage
