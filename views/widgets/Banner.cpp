#include "views/widgets/Banner.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

static QColor accent(Banner::Kind kind, const QPalette &palette) {
  const SignalColours colours = signalColours(palette);
  switch (kind) {
  case Banner::Kind::Info:
    return colours.info;
  case Banner::Kind::Warning:
    return colours.warning;
  case Banner::Kind::Error:
    return colours.error;
  }
  return {};
}

Banner::Banner(QWidget *parent) : QWidget(parent) {
  icon_ = new QLabel(this);
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText); // parts of it may be what a file or another machine says
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  close_ = new QToolButton(this);
  close_->setIcon(lineIcon(u"close"_s));
  close_->setAutoRaise(true);
  close_->setToolTip(tr("Dismiss"));
  close_->setAccessibleName(tr("Dismiss the message"));
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(6);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 5, 6, 5);
  layout->setSpacing(8);
  layout->addWidget(icon_);
  layout->addWidget(text_, 1);
  layout->addLayout(buttons_);
  layout->addWidget(close_);
  hide();
  connect(close_, &QToolButton::clicked, this, &QWidget::hide);
}

void Banner::showMessage(Kind kind, const QString &text) {
  kind_ = kind;
  while (QLayoutItem *item = buttons_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  const QString name = kind == Kind::Error ? u"error"_s : kind == Kind::Warning ? u"warning"_s : u"info"_s;
  icon_->setPixmap(lineIcon(name, accent(kind, palette())).pixmap(QSize(18, 18), devicePixelRatioF()));
  text_->setText(text);
  setAccessibleName(text);
  show();
  update();
}

void Banner::addButton(const QString &text, QObject *context, std::function<void()> clicked) {
  auto *button = new QPushButton(text, this);
  button->setAutoDefault(true); // Return presses it, too
  buttons_->addWidget(button);
  button->show(); // at once, for it may get the keyboard
  // In the order that one reads them in.
  setTabOrder(button, close_);
  connect(button, &QPushButton::clicked, context, std::move(clicked));
}

bool Banner::focusFirstButton() {
  QWidget *first = buttons_->isEmpty() ? close_ : buttons_->itemAt(0)->widget();
  first->setFocus(Qt::ShortcutFocusReason);
  return first->hasFocus();
}

void Banner::setText(const QString &text) {
  text_->setText(text);
  setAccessibleName(text);
}

QString Banner::text() const { return text_->text(); }

void Banner::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  const QColor colour = accent(kind_, palette());
  QColor ground = colour;
  ground.setAlphaF(0.14f);
  painter.fillRect(rect(), ground);
  painter.fillRect(QRect(0, 0, 3, height()), colour);
  painter.fillRect(QRect(0, height() - 1, width(), 1), ground); // two banners are told apart
}

} // namespace fuselage
