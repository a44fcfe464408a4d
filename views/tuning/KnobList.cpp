#include "views/tuning/KnobList.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/models/trials/TrialModel.h"
#include "views/widgets/EmptyHint.h"
#include <QLabel>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

static QLabel *wrappedLabel(QWidget *parent, const QString &name) {
  auto *label = new QLabel(parent);
  label->setObjectName(name);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  label->setVisible(false);
  return label;
}

KnobList::KnobList(QWidget *parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setMinimumWidth(340);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Knobs"));
  auto *inside = new QWidget;
  auto *layout = new QVBoxLayout(inside);
  layout->setContentsMargins(8, 4, 8, 8);
  layout->setSpacing(6);
  count_ = wrappedLabel(inside, u"count"_s);
  hint_ = wrappedLabel(inside, u"hint"_s);
  problem_ = wrappedLabel(inside, u"problem"_s);
  prediction_ = wrappedLabel(inside, u"prediction"_s);
  conditions_ = wrappedLabel(inside, u"conditions"_s);
  conditions_->setTextFormat(Qt::RichText);
  rowsLayout_ = new QVBoxLayout;
  rowsLayout_->setSpacing(4);
  layout->addWidget(count_);
  layout->addWidget(hint_);
  layout->addWidget(problem_);
  layout->addLayout(rowsLayout_);
  layout->addWidget(prediction_);
  layout->addWidget(conditions_);
  layout->addStretch(1);
  setWidget(inside);
}

void KnobList::setHint(const QString &title, const QString &hint) {
  hasSpace_ = false;
  space_ = {};
  qDeleteAll(rows_);
  rows_.clear();
  for (QLabel *label : {count_, problem_, prediction_, conditions_})
    label->setVisible(false);
  hint_->setTextFormat(Qt::RichText);
  hint_->setText(u"<b>%1</b><br>%2"_s.arg(title.toHtmlEscaped(), hint.toHtmlEscaped()));
  hint_->setVisible(true);
}

/// "371 points", "about 3.1e+12 (+- 4 %) points".
static QString countText(const protocol::TuneSpace &space) {
  if (space.count == "unknown"_L1)
    return KnobList::tr("number of points unknown");
  return space.points == 1 ? KnobList::tr("1 point") : KnobList::tr("%1 points").arg(space.count);
}

void KnobList::setSpace(const protocol::TuneSpace &space, bool canFix) {
  hasSpace_ = true;
  space_ = space;
  hint_->setVisible(false);
  while (rows_.size() > space.knobs.size())
    delete rows_.takeLast();
  while (rows_.size() < space.knobs.size()) {
    auto *row = new KnobRow(widget());
    connect(row, &KnobRow::valueChosen, this, &KnobList::valueChosen);
    connect(row, &KnobRow::fixToggled, this, &KnobList::fixedChanged);
    rowsLayout_->addWidget(row);
    rows_.append(row);
  }
  for (int i = 0; i < rows_.size(); ++i) {
    rows_[i]->setKnob(space.knobs[i]);
    rows_[i]->setFixable(canFix);
  }
  count_->setText(countText(space) + (space.detail.isEmpty() ? QString() : u"\n"_s + space.detail));
  count_->setVisible(space.problem.isEmpty());
  count_->setToolTip(space.isExact ? tr("Counted") : tr("Estimated by random descents: too many to count"));
  problem_->setText(space.problem);
  QPalette red = palette();
  red.setColor(QPalette::WindowText, Theme::of(palette()).error);
  problem_->setPalette(red);
  problem_->setVisible(!space.problem.isEmpty());
  showPrediction();
  showConditions();
}

void KnobList::showPrediction() {
  QStringList lines;
  if (space_.prediction && space_.prediction->tiles >= 0) {
    const protocol::TunePrediction &of = *space_.prediction;
    const bool isScript = space_.tile && space_.tile->op >= 0, isHost = space_.tile && !space_.tile->inner.isEmpty();
    lines.append((isScript ? tr("%1 tiles, %2 of operands and results each; %3 through memory, %4")
                  : isHost ? tr("%1 tasks, %2 of operands and results each; %3 through memory, %4")
                           : tr("%1 workgroups, %2 of operands and results each; %3 through memory, %4"))
                     .arg(groupedNumber(of.tiles), formatBytes(of.workgroupBytes), formatBytes(qint64(of.bytes)),
                          formatFlops(qint64(of.flops))));
  }
  if (space_.prediction && space_.prediction->measured > 0)
    lines.append(tr("Measured: %1 as fast as the baseline, in trial %2")
                     .arg(formatSpeed(1 / space_.prediction->relative))
                     .arg(space_.prediction->measured));
  else if (space_.prediction && space_.prediction->relative > 0)
    lines.append(tr("Expected: %1 as fast as the baseline, by a model of %2 trials")
                     .arg(formatSpeed(1 / space_.prediction->relative))
                     .arg(space_.prediction->trials));
  if (!space_.moved.isEmpty())
    lines.append(tr("Followed: %1").arg(space_.moved.join(u", "_s)));
  prediction_->setText(lines.join(u'\n'));
  prediction_->setVisible(!lines.isEmpty());
}

/// Each with who asks for it; those that clash stand out.
void KnobList::showConditions() {
  QString text;
  const Theme &theme = Theme::of(palette());
  for (const protocol::TuneCondition &condition : space_.conditions) {
    const QString from =
        condition.line > 0 ? tr("%1, line %2").arg(condition.origin).arg(condition.line) : condition.origin;
    text +=
        u"<div style='margin-bottom:3px'><span style='color:%1'>%2</span> <span style='color:%3'>&nbsp;%4</span></div>"_s
            .arg((condition.clashes ? theme.error : theme.text).name(), condition.text.toHtmlEscaped(),
                 theme.textMuted.name(), from.toHtmlEscaped());
  }
  conditions_->setText(text);
  conditions_->setVisible(!text.isEmpty());
}

QMap<QString, QString> KnobList::values() const {
  QMap<QString, QString> values;
  for (const protocol::TuneKnob &knob : space_.knobs)
    if (!knob.value.isEmpty())
      values.insert(knob.name, knob.value);
  return values;
}

QMap<QString, QString> KnobList::fixed() const {
  QMap<QString, QString> fixed;
  for (const KnobRow *row : rows_)
    if (row->isFixed())
      fixed.insert(row->knob().name, row->knob().value);
  return fixed;
}

KnobRow *KnobList::row(const QString &name) const {
  for (KnobRow *row : rows_)
    if (row->knob().name == name)
      return row;
  return nullptr;
}

} // namespace fuselage
