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
    : QWidget(parent), label_(new QLabel), area_(new QScrollArea), sections_(new QVBoxLayout),
      fuse_(new QPushButton(tr("Fuse"))), why_(new QPushButton(tr("Why?"))) {
  setObjectName("edgeCard"_L1);
  setAccessibleName(tr("Details of the selected edge"));
  label_->setTextFormat(Qt::RichText);
  label_->setWordWrap(true);
  label_->setAlignment(Qt::AlignTop);
  label_->setMargin(10);
  label_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidgetResizable(true);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto *content = new QWidget;
  content->setLayout(sections_);
  sections_->setContentsMargins(0, 0, 0, 0);
  sections_->setSpacing(0);
  sections_->addWidget(label_);
  sections_->addStretch(1);
  area_->setWidget(content);
  area_->setBackgroundRole(QPalette::Base);
  area_->setAccessibleName(tr("Details of the selected edge"));
  label_->setAccessibleName(tr("Details of the selected edge"));
  auto *buttons = new QHBoxLayout;
  buttons->setContentsMargins(10, 4, 10, 8);
  buttons->addWidget(fuse_);
  buttons->addWidget(why_);
  buttons->addStretch(1);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(area_, 1);
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

void EdgeCard::addSection(QWidget *section) { sections_->insertWidget(sections_->count() - 1, section); }

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
