#include "views/tuning/KnobRow.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int markHeight = 5;

ValueSlider::ValueSlider(QWidget *parent) : QSlider(Qt::Horizontal, parent) {
  setPageStep(1);
  setFocusPolicy(Qt::StrongFocus);
}

void ValueSlider::setValues(int many, const QSet<int> &fits) {
  fits_ = fits;
  setRange(0, std::max(0, many - 1));
  setEnabled(many > 1);
  update();
}

QSize ValueSlider::sizeHint() const { return {120, QSlider::sizeHint().height() + markHeight}; }

void ValueSlider::paintEvent(QPaintEvent *event) {
  QSlider::paintEvent(event);
  if (maximum() < 1)
    return;
  QStyleOptionSlider option;
  initStyleOption(&option);
  const int handle = style()->pixelMetric(QStyle::PM_SliderLength, &option, this), span = width() - handle;
  if (span < maximum() * 2)
    return; // they would touch
  const Theme &theme = Theme::of(palette());
  QPainter painter(this);
  for (int place = 0; place <= maximum(); ++place) {
    const int x = handle / 2 + QStyle::sliderPositionFromValue(0, maximum(), place, span);
    painter.setPen(QPen(fits_.contains(place) ? theme.accent : theme.borderStrong, fits_.contains(place) ? 2 : 1));
    painter.drawLine(x, height() - markHeight + (fits_.contains(place) ? 0 : 2), x, height() - 1);
  }
}

KnobRow::KnobRow(QWidget *parent) : QWidget(parent) {
  name_ = new QLabel(this);
  name_->setMinimumWidth(72);
  slider_ = new ValueSlider(this);
  value_ = new QLabel(this);
  value_->setMinimumWidth(fontMetrics().horizontalAdvance(u"00000"_s));
  value_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  QFont strong = value_->font();
  strong.setBold(true);
  value_->setFont(strong);
  domain_ = new QLabel(this);
  domain_->setMinimumWidth(fontMetrics().horizontalAdvance(u"000 of 000"_s));
  domain_->setForegroundRole(QPalette::PlaceholderText);
  fix_ = new QToolButton(this);
  fix_->setIcon(lineIcon(u"bookmark"_s));
  fix_->setCheckable(true);
  fix_->setAutoRaise(true);
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(name_);
  layout->addWidget(slider_, 1);
  layout->addWidget(value_);
  layout->addWidget(domain_);
  layout->addWidget(fix_);
  connect(slider_, &QSlider::valueChanged, this, [this](int place) {
    showValue(place);
    emit valueChosen(knob_.name, knob_.values.value(place));
  });
  connect(fix_, &QToolButton::toggled, this, [this](bool on) { emit fixToggled(knob_.name, on); });
}

void KnobRow::setKnob(const protocol::TuneKnob &knob) {
  knob_ = knob;
  const QSignalBlocker quietSlider(slider_), quietFix(fix_);
  name_->setText(knob.name);
  name_->setToolTip(knob.options.isEmpty() ? QString() : tr("options = %1").arg(knob.options));
  slider_->setAccessibleName(tr("Knob %1").arg(knob.name));
  slider_->setValues(int(knob.values.size()), QSet<int>(knob.fits.begin(), knob.fits.end()));
  slider_->setValue(int(knob.values.indexOf(knob.value)));
  if (knob.isFixed)
    slider_->setEnabled(false);
  fix_->setChecked(knob.isFixed);
  fix_->setAccessibleName(tr("Keep %1").arg(knob.name));
  fix_->setToolTip(knob.isFixed ? tr("%1 is pinned at %2; click to unpin it").arg(knob.name, knob.value)
                                : tr("Keep %1 at %2 while others move and while tuning").arg(knob.name, knob.value));
  const QString all = groupedNumber(knob.domain);
  domain_->setText(knob.values.size() == knob.domain ? counted(knob.domain, tr("value"), tr("values"))
                                                     : tr("%1 of %2").arg(groupedNumber(knob.values.size()), all));
  domain_->setToolTip(
      tr("%1 of the %2 values that it takes by itself are in some point").arg(groupedNumber(knob.values.size()), all));
  showValue(slider_->value());
}

void KnobRow::showValue(int place) {
  const QString value = knob_.values.value(place);
  value_->setText(value);
  slider_->setToolTip(value.isEmpty()        ? QString()
                      : slider_->fits(place) ? tr("%1 = %2").arg(knob_.name, value)
                                             : tr("%1 = %2: other knobs follow").arg(knob_.name, value));
  slider_->setAccessibleDescription(value);
}

void KnobRow::setFixable(bool can) { fix_->setVisible(can); }

bool KnobRow::isFixed() const { return fix_->isChecked(); }

} // namespace fuselage
