#include "views/panels/SidesBar.h"
#include "views/widgets/Icons.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

SidesBar::SidesBar(bool closable, QWidget *parent) : QWidget(parent) {
  left_ = makeBox(tr("Step on the left"));
  right_ = makeBox(tr("Step on the right"));
  left_->setObjectName("diffLeft"_L1);
  right_->setObjectName("diffRight"_L1);
  own_ = new QToolButton;
  own_->setText(tr("Only This Step"));
  own_->setToolTip(tr("Compare the step with the one before it again"));
  own_->setAutoRaise(true);
  own_->setEnabled(false);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 3, 8, 3);
  layout->addWidget(new QLabel(tr("Compare")));
  layout->addWidget(left_, 1);
  layout->addWidget(new QLabel(tr("with")));
  layout->addWidget(right_, 1);
  layout->addWidget(own_);
  if (closable) {
    auto *close = new QToolButton;
    close->setObjectName("closeSides"_L1);
    close->setIcon(lineIcon(u"close"_s));
    close->setAccessibleName(tr("One graph again"));
    close->setToolTip(tr("One graph again"));
    close->setAutoRaise(true);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, &SidesBar::closed);
  }
  connect(left_, &QComboBox::activated, this, [this] { emit leftChosen(left()); });
  connect(right_, &QComboBox::activated, this, [this] { emit rightChosen(right()); });
  connect(own_, &QToolButton::clicked, this, &SidesBar::ownChosen);
}

/// A log has thousands of steps: none of them is measured.
QComboBox *SidesBar::makeBox(const QString &name) {
  auto *box = new QComboBox;
  box->setAccessibleName(name);
  box->setToolTip(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  auto *list = new QListView;
  list->setUniformItemSizes(true);
  box->setView(list);
  return box;
}

void SidesBar::setSteps(const QList<QPair<QString, int>> &steps) {
  const int left = this->left(), right = this->right();
  for (QComboBox *box : {left_, right_}) {
    box->clear();
    for (const auto &[name, snapshot] : steps)
      box->addItem(name, snapshot);
  }
  left_->setCurrentIndex(left_->findData(left));
  right_->setCurrentIndex(right_->findData(right));
}

void SidesBar::setSides(int left, int right, bool isOwn) {
  left_->setCurrentIndex(left_->findData(left));
  right_->setCurrentIndex(right_->findData(right));
  own_->setEnabled(!isOwn);
}

int SidesBar::left() const { return left_->currentIndex() < 0 ? -1 : left_->currentData().toInt(); }
int SidesBar::right() const { return right_->currentIndex() < 0 ? -1 : right_->currentData().toInt(); }

} // namespace fuselage
