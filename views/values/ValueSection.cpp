#include "views/values/ValueSection.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/values/ValueMap.h"
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString numberText(double value) { return std::isnan(value) ? u"\u2014"_s : QString::number(value, 'g', 7); }

/// "3 NaN, 1 +inf"; empty: all are finite.
static QString nonFiniteText(const protocol::ValueStatistics &statistics) {
  QStringList parts;
  const auto add = [&](qint64 count, const QString &what) {
    if (count > 0)
      parts.append(u"%1 %2"_s.arg(groupedNumber(count), what));
  };
  add(statistics.nan, u"NaN"_s);
  add(statistics.positiveInfinities, u"+inf"_s);
  add(statistics.negativeInfinities, u"\u2212inf"_s);
  return parts.join(u", "_s);
}

QString shortValueText(const protocol::EdgeValue &value, const QPalette &palette) {
  const protocol::ValueStatistics &s = value.statistics;
  QString text = value.type.toHtmlEscaped();
  if (!value.scalar.isEmpty())
    text += u": "_s + value.scalar;
  else if (!s.min.isEmpty())
    text += ValueSection::tr(", from %1 to %2, mean %3").arg(s.min, s.max, QString::number(s.mean, 'g', 4));
  if (const QString bad = nonFiniteText(s); !bad.isEmpty())
    text += u", <span style='color:%1'><b>%2</b></span>"_s.arg(Theme::of(palette).warning.name(), bad);
  return text;
}

/// What the value was computed of: "arg0: random, seed 1".
static QStringList sourceLines(const protocol::EdgeValue &value) {
  QStringList lines;
  constexpr qsizetype most = 6;
  for (const protocol::RunInput &input : value.inputs.first(std::min(most, value.inputs.size()))) {
    QString line = input.parameter.isEmpty() ? input.name : u"%1 (%2)"_s.arg(input.name, input.parameter);
    line += u": "_s + input.source;
    if (input.source == "random"_L1)
      line += ValueSection::tr(", seed %1").arg(value.seed);
    if (!input.note.isEmpty())
      line += u" (%1)"_s.arg(input.note);
    lines.append(line);
  }
  if (value.inputs.size() > most)
    lines.append(ValueSection::tr("and %1 more").arg(groupedNumber(value.inputs.size() - most)));
  if (lines.isEmpty())
    lines.append(ValueSection::tr("constants alone"));
  return lines;
}

/// How it was got.
static QString originText(const protocol::EdgeValue &value) {
  if (value.ops == 0 && !value.inputs.isEmpty())
    return ValueSection::tr("an argument of @%1, as the run gives it").arg(value.function);
  QString text = ValueSection::tr("on the host, op by op, from %1 of @%2")
                     .arg(counted(value.ops, ValueSection::tr("op"), ValueSection::tr("ops")), value.function);
  return value.which.isEmpty() ? text : text + ValueSection::tr("; this is %1").arg(value.which);
}

/// Names and figures, in their order.
static QList<QPair<QString, QString>> figuresOf(const protocol::EdgeValue &value, const QString &step) {
  const protocol::ValueStatistics &s = value.statistics;
  QString elements = groupedNumber(s.elements);
  if (s.zeros > 0)
    elements += ValueSection::tr(", %1 zero").arg(groupedNumber(s.zeros));
  QList<QPair<QString, QString>> rows{{ValueSection::tr("Type"), value.type}};
  if (!value.scalar.isEmpty()) {
    rows.append({ValueSection::tr("Value"), value.scalar});
  } else {
    rows.append({ValueSection::tr("Elements"), elements});
    const QString of = s.ofMagnitudes ? ValueSection::tr(" (of magnitudes)") : QString();
    if (!s.min.isEmpty()) {
      rows.append({ValueSection::tr("Range"), ValueSection::tr("%1 to %2").arg(s.min, s.max) + of});
      rows.append({ValueSection::tr("Mean"),
                   ValueSection::tr("%1, deviation %2").arg(numberText(s.mean), numberText(s.deviation)) + of});
    }
    if (const QString bad = nonFiniteText(s); !bad.isEmpty())
      rows.append({ValueSection::tr("Not finite"), bad});
  }
  rows.append({ValueSection::tr("Step"), step});
  rows.append({ValueSection::tr("Computed"), originText(value)});
  rows.append({ValueSection::tr("Inputs"), sourceLines(value).join(u"; "_s)});
  return rows;
}

ValueSection::ValueSection(QWidget *parent)
    : QWidget(parent), text_(new QLabel), indexLabel_(new QLabel(tr("Slice"))), part_(new QLabel), reading_(new QLabel),
      compute_(new QPushButton), copy_(new QPushButton(tr("Copy"))), save_(new QPushButton(tr("Save as .npy\u2026"))),
      indexRow_(new QWidget), map_(new ValueMap) {
  setObjectName("valueSection"_L1);
  setAccessibleName(tr("Values of the selected edge"));
  for (QLabel *label : {text_, part_, reading_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  text_->setTextFormat(Qt::RichText);
  text_->setAccessibleName(tr("Figures of the value"));
  reading_->setTextFormat(Qt::PlainText);
  reading_->setFont(monoFont());
  reading_->setMinimumHeight(2 * QFontMetrics(reading_->font()).lineSpacing()); // moving the cursor moves nothing else
  reading_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  reading_->setAccessibleName(tr("The element under the cursor"));
  copy_->setToolTip(tr("Copy the figures, where they come from, and the element under the cursor"));
  auto *indexLayout = new QHBoxLayout(indexRow_);
  indexLayout->setContentsMargins(0, 0, 0, 0);
  indexLayout->addWidget(indexLabel_);
  indexLayout->addStretch(1);
  auto *buttons = new QHBoxLayout;
  buttons->addWidget(compute_);
  buttons->addWidget(copy_);
  buttons->addWidget(save_);
  buttons->addStretch(1);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 0, 10, 6);
  layout->setSpacing(4);
  for (QWidget *widget : std::initializer_list<QWidget *>{text_, indexRow_, part_, map_, reading_})
    layout->addWidget(widget);
  layout->addLayout(buttons);
  connect(compute_, &QPushButton::clicked, this,
          [this] { isBusy_ ? emit cancelRequested() : emit computeRequested(); });
  connect(copy_, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(plain_ + map_->title() + u'\n' + reading_->text() + u'\n'); });
  connect(save_, &QPushButton::clicked, this, &ValueSection::saveRequested);
  connect(map_, &ValueMap::cellChanged, reading_, &QLabel::setText);
  connect(map_, &ValueMap::zoomRequested, this,
          [this](qint64 row, qint64 column) { emit sliceRequested(index(), row, column); });
  connect(map_, &ValueMap::wholeRequested, this, [this] { emit sliceRequested(index(), -1, -1); });
  offer({});
}

QString ValueSection::text() const { return text_->text(); }
QString ValueSection::reading() const { return reading_->text(); }

void ValueSection::showOnly(bool hasValue) {
  compute_->setVisible(!hasValue);
  copy_->setVisible(hasValue);
  save_->setVisible(hasValue);
  for (QWidget *widget : std::initializer_list<QWidget *>{indexRow_, part_, map_, reading_})
    widget->setVisible(false);
  plain_.clear();
}

/// `name`: of the value; empty: nobody knows it yet.
static QString headed(const QString &text, const QString &name = {}) {
  return u"<p><b>%1</b></p>"_s.arg(name.isEmpty() ? ValueSection::tr("Values")
                                                  : ValueSection::tr("Values of %1").arg(name.toHtmlEscaped())) +
         text;
}

void ValueSection::offer(const QString &what) {
  isBusy_ = false;
  showOnly(false);
  compute_->setText(tr("Run to See Values"));
  compute_->setEnabled(true);
  text_->setText(headed(u"<p>%1</p>"_s.arg(what.toHtmlEscaped())));
}

void ValueSection::setBusy() {
  isBusy_ = true;
  showOnly(false);
  compute_->setText(tr("Cancel"));
  text_->setText(headed(u"<p>%1</p>"_s.arg(tr("Computing on the host\u2026"))));
}

void ValueSection::refuse(const QString &why) {
  offer({});
  compute_->setVisible(false);
  text_->setText(headed(u"<p>%1</p>"_s.arg(tr("There is no value to show: %1").arg(why).toHtmlEscaped())));
}

void ValueSection::setValue(const protocol::EdgeValue &value, const QString &step) {
  isBusy_ = false;
  showOnly(true);
  const Theme &theme = Theme::of(palette());
  QString rows;
  for (const auto &[name, figure] : figuresOf(value, step)) {
    const bool isBad = name == tr("Not finite");
    plain_ += name + u": "_s + figure + u'\n';
    rows += u"<tr><td>%1&nbsp;&nbsp;</td><td%2>%3</td></tr>"_s.arg(
        name, isBad ? u" style='color:%1; font-weight:bold'"_s.arg(theme.warning.name()) : QString(),
        figure.toHtmlEscaped());
  }
  text_->setText(headed(u"<table>%1</table>"_s.arg(rows), value.name));
  showSlice(value);
}

void ValueSection::showSlice(const protocol::EdgeValue &value) {
  map_->setSlice(value.slice);
  const bool hasPicture = map_->slice().has_value();
  for (QWidget *widget : std::initializer_list<QWidget *>{part_, map_, reading_})
    widget->setVisible(hasPicture);
  part_->setText(map_->title() + (map_->isWhole() ? QString() : tr(" (Backspace: the whole slice)")));
  if (hasPicture)
    setBoxes(map_->slice()->shape, map_->slice()->index);
  indexRow_->setVisible(hasPicture && !boxes_.isEmpty());
}

/// A box for each dimension before the last two, in the order of the index.
void ValueSection::setBoxes(const QList<qint64> &shape, const QList<qint64> &index) {
  auto *layout = static_cast<QHBoxLayout *>(indexRow_->layout());
  if (shape != shape_) {
    qDeleteAll(boxes_);
    boxes_.clear();
    shape_ = shape;
    for (qsizetype dim = 0; dim < index.size(); ++dim) {
      auto *box = new QSpinBox;
      box->setRange(0, int(std::min<qint64>(shape[dim] - 1, INT_MAX)));
      box->setAccessibleName(tr("Index of dimension %1").arg(dim));
      box->setToolTip(tr("Dimension %1 has %2 slices").arg(dim).arg(groupedNumber(shape[dim])));
      box->setSuffix(u" / %1"_s.arg(groupedNumber(shape[dim])));
      box->setKeyboardTracking(false);
      layout->insertWidget(layout->count() - 1, box);
      boxes_.append(box);
      connect(box, &QSpinBox::valueChanged, this, [this] { emit sliceRequested(this->index(), -1, -1); });
    }
  }
  for (qsizetype dim = 0; dim < boxes_.size(); ++dim) {
    const QSignalBlocker quiet(boxes_[dim]);
    boxes_[dim]->setValue(int(index[dim]));
  }
}

QList<qint64> ValueSection::index() const {
  QList<qint64> index;
  for (const QSpinBox *box : boxes_)
    index.append(box->value());
  return index;
}

} // namespace fuselage
