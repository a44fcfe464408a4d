#include "views/widgets/PanelTitle.h"
#include "views/widgets/Icons.h"
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

PanelTitle::PanelTitle(const QString &title, QWidget *parent) : QWidget(parent), label_(new QLabel(title)) {
  QFont font = label_->font();
  font.setWeight(QFont::DemiBold);
  label_->setFont(font);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 2, 4, 2);
  layout->setSpacing(0);
  layout->addWidget(label_, 1);
  addButton(u"float"_s, tr("Own Window"), &PanelTitle::floatRequested);
  maximize_ = addButton(u"maximize"_s, tr("Maximize"), &PanelTitle::maximizeRequested);
  addButton(u"close"_s, tr("Close"), &PanelTitle::closeRequested);
  setMaximized(false);
}

QToolButton *PanelTitle::addButton(const QString &icon, const QString &name, void (PanelTitle::*signal)()) {
  auto *button = new QToolButton;
  button->setIcon(lineIcon(icon));
  button->setIconSize(QSize(14, 14));
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::NoFocus); // F11, Esc and the menu of panels are the keyboard's way
  button->setToolTip(name);
  button->setAccessibleName(u"%1: %2"_s.arg(label_->text(), name));
  layout()->addWidget(button);
  connect(button, &QToolButton::clicked, this, signal);
  return button;
}

void PanelTitle::setCollapsed(bool collapsed) {
  if (isCollapsed_ == collapsed)
    return;
  isCollapsed_ = collapsed;
  for (QWidget *child : findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
    child->setVisible(!collapsed);
  layout()->setContentsMargins(collapsed ? QMargins() : QMargins(10, 2, 4, 2));
  updateGeometry();
}

void PanelTitle::setMaximized(bool maximized) {
  maximize_->setIcon(lineIcon(maximized ? u"restore"_s : u"maximize"_s));
  maximize_->setToolTip(maximized ? tr("Back to its place (F11)") : tr("Maximize (F11, or a double click)"));
}

QSize PanelTitle::sizeHint() const { return isCollapsed_ ? QSize(0, 0) : QWidget::sizeHint(); }
QSize PanelTitle::minimumSizeHint() const { return isCollapsed_ ? QSize(0, 0) : QWidget::minimumSizeHint(); }

void PanelTitle::mouseDoubleClickEvent(QMouseEvent *event) {
  event->accept();
  emit maximizeRequested();
}

void PanelTitle::contextMenuEvent(QContextMenuEvent *event) {
  QMenu menu(this);
  menu.addAction(maximize_->toolTip().section(u" ("_s, 0, 0), this, &PanelTitle::maximizeRequested);
  menu.addAction(tr("Own Window"), this, &PanelTitle::floatRequested);
  menu.addAction(tr("Close"), this, &PanelTitle::closeRequested);
  menu.exec(event->globalPos());
}

} // namespace fuselage
