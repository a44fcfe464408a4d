#include "views/widgets/Breadcrumb.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace fuselage {

Breadcrumb::Breadcrumb(QWidget *parent) : QWidget(parent), layout_(new QHBoxLayout(this)) {
  layout_->setContentsMargins(8, 2, 8, 2);
  layout_->setSpacing(2);
  setAccessibleName(tr("Place in the model"));
  hide();
}

void Breadcrumb::setParts(const QStringList &parts) {
  if (parts == parts_)
    return;
  parts_ = parts;
  while (QLayoutItem *item = layout_->takeAt(0)) {
    if (QWidget *widget = item->widget()) {
      widget->hide();
      widget->deleteLater(); // it may be the button that was just pressed
    }
    delete item;
  }
  for (int part = 0; part < parts.size(); ++part) {
    if (part > 0)
      layout_->addWidget(new QLabel(QStringLiteral("\u203a"), this));
    auto *button = new QToolButton(this);
    button->setText(parts[part]);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(part == 0 ? rootName_ : tr("Go to %1").arg(parts[part]));
    button->setToolTip(button->accessibleName());
    connect(button, &QToolButton::clicked, this, [this, part] { emit activated(part); });
    layout_->addWidget(button);
  }
  layout_->addStretch(1);
  setVisible(!parts.isEmpty());
}

} // namespace fuselage
