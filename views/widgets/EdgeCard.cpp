#include "views/widgets/EdgeCard.h"
#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

EdgeCard::EdgeCard(QWidget *parent)
    : QWidget(parent), label_(new QLabel), fuse_(new QPushButton(tr("Fuse"))), why_(new QPushButton(tr("Why?"))) {
  setObjectName("edgeCard"_L1);
  setAccessibleName(tr("Details of the selected edge"));
  label_->setTextFormat(Qt::RichText);
  label_->setWordWrap(true);
  label_->setAlignment(Qt::AlignTop);
  label_->setMargin(10);
  label_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  auto *area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(label_);
  area->setBackgroundRole(QPalette::Base);
  area->setAccessibleName(tr("Details of the selected edge"));
  label_->setAccessibleName(tr("Details of the selected edge"));
  auto *buttons = new QHBoxLayout;
  buttons->setContentsMargins(10, 4, 10, 8);
  buttons->addWidget(fuse_);
  buttons->addWidget(why_);
  buttons->addStretch(1);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(area, 1);
  layout->addLayout(buttons);
  setFocusProxy(label_);
  connect(label_, &QLabel::linkActivated, this, &EdgeCard::linkActivated);
  hide();
}

void EdgeCard::setText(const QString &html) {
  label_->setText(html);
  setVisible(!html.isEmpty());
  html.isEmpty() ? emit emptied() : emit filled();
}

QString EdgeCard::text() const { return label_->text(); }

void EdgeCard::setCommands(QAction *fuse, QAction *why) {
  for (const auto &[button, action] : {std::pair(fuse_, fuse), std::pair(why_, why)}) {
    button->setToolTip(action->toolTip());
    const auto follow = [button = button, action = action] { button->setEnabled(action->isEnabled()); };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
  }
}

} // namespace fuselage
