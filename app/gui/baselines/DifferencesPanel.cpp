#include "app/gui/baselines/DifferencesPanel.h"
#include "views/models/Format.h"
#include "views/widgets/ElidingBox.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/MenuButton.h"
#include "views/widgets/Tables.h"
#include "views/widgets/WrapRow.h"
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// Faster is green, slower is red, and what is within the noise stands back.
class ToneDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != DifferenceModel::Change && index.column() != DifferenceModel::Remark)
      return;
    const SignalColours colours = signalColours(option->palette);
    switch (DifferenceModel::Tone(index.data(DifferenceModel::ToneRole).toInt())) {
    case DifferenceModel::Tone::Better:
      option->palette.setColor(QPalette::Text, colours.good);
      break;
    case DifferenceModel::Tone::Worse:
      option->palette.setColor(QPalette::Text, colours.error);
      break;
    case DifferenceModel::Tone::Muted:
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
      break;
    case DifferenceModel::Tone::None:
      break;
    }
  }
};
} // namespace

static QComboBox *runBox(const QString &name) {
  auto *box = new ElidingBox;
  box->setAccessibleName(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(11);
  return box;
}

DifferencesPanel::DifferencesPanel(QWidget *parent)
    : QWidget(parent), before_(runBox(tr("Run before"))), after_(runBox(tr("Run after"))), summary_(new QLabel),
      table_(makeTable(&model_, tr("Differences of two runs"))), baselines_(new QToolButton), csv_(new QToolButton) {
  auto *beforeLabel = new QLabel(tr("&Before")), *afterLabel = new QLabel(tr("A&fter"));
  beforeLabel->setBuddy(before_);
  afterLabel->setBuddy(after_);
  baselines_->setText(withMenuSign(tr("Kept Runs")));
  baselines_->setAutoRaise(true);
  baselines_->setAccessibleName(tr("Kept runs"));
  baselines_->setToolTip(tr("Keep a run under a name, rename and delete what was kept"));
  menu_ = addMenu(baselines_);
  csv_->setIcon(lineIcon(u"export"_s));
  csv_->setText(tr("CSV"));
  csv_->setAutoRaise(true);
  csv_->setToolTip(tr("Export the differences as CSV"));
  csv_->setAccessibleName(tr("Export the differences as CSV"));
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setAccessibleName(tr("How the two runs compare"));
  table_->setItemDelegate(new ToneDelegate(table_));
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setMinimumHeight(3 * table_->fontMetrics().height()); // the sentence above stays whole
  fitColumns(table_, {1, 0, 0, 0, 0});
  hint_ = new EmptyHint(table_, {}, {});
  auto *fields = new WrapRow;
  fields->setContentsMargins(6, 4, 6, 2);
  fields->setSpacing(6);
  fields->addGroup({beforeLabel, before_});
  fields->addGroup({afterLabel, after_});
  fields->addWidget(baselines_);
  fields->addWidget(csv_);
  auto *line = new QVBoxLayout;
  line->setContentsMargins(8, 0, 8, 2);
  line->addWidget(summary_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(fields);
  layout->addLayout(line);
  layout->addWidget(table_, 1);
  setFocusProxy(before_);
  for (QComboBox *box : {before_, after_})
    connect(box, &QComboBox::activated, this, [this] {
      show();
      emit chosen();
    });
  connect(csv_, &QToolButton::clicked, this, &DifferencesPanel::csvRequested);
  setRuns({}, -1, -1);
}

void DifferencesPanel::setBaselineActions(const QList<QAction *> &actions) { menu_->addActions(actions); }

void DifferencesPanel::setRuns(const QList<KeptRun> &runs, int before, int after) {
  runs_ = runs;
  for (QComboBox *box : {before_, after_}) {
    const QSignalBlocker blocker(box);
    box->clear();
    for (const KeptRun &run : runs)
      box->addItem(run.isBaseline() ? lineIcon(u"bookmark"_s) : QIcon(), run.title());
  }
  choose(before, after);
}

void DifferencesPanel::choose(int before, int after) {
  for (const auto &[box, index] : {std::pair(before_, before), std::pair(after_, after)}) {
    const QSignalBlocker blocker(box);
    box->setCurrentIndex(index);
    box->setEnabled(box->count() > 0);
  }
  show();
}

int DifferencesPanel::before() const { return before_->currentIndex(); }
int DifferencesPanel::after() const { return after_->currentIndex(); }
QString DifferencesPanel::summary() const { return summary_->text(); }

/// "20.7 ms (20.5 ms to 21.1 ms) before, 18.8 ms (..) after, −9.2 %: the ranges lie apart."
static QString summaryOf(const RunDifferences &differences) {
  const TimeRange &before = differences.before, &after = differences.after;
  QString text = DifferencesPanel::tr("%1 before, %2 after").arg(rangeText(before), rangeText(after));
  if (before.isKnown() && after.isKnown())
    text += before.overlaps(after) ? DifferencesPanel::tr(": within noise, the ranges overlap")
                                   : DifferencesPanel::tr(": the ranges lie apart");
  for (const std::string &doubt : differences.doubts)
    text += DifferencesPanel::tr("; %1").arg(QString::fromStdString(doubt));
  return text + u'.';
}

void DifferencesPanel::show() {
  const bool isPair = before() >= 0 && after() >= 0 && before() != after();
  const RunDifferences found = isPair ? differencesOf(runs_[before()], runs_[after()]) : RunDifferences{};
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  model_.setDifferences(found);
  summary_->setText(found.rows.empty() ? QString() : summaryOf(found));
  summary_->setVisible(!found.rows.empty());
  csv_->setEnabled(!found.rows.empty());
  hint_->setText(runs_.isEmpty() ? tr("No runs to compare") : tr("One run to compare"),
                 runs_.isEmpty()
                     ? tr("Run twice, such as before and after a fusion or on two devices; each dispatch gets a row.")
                     : tr("Run again, such as after a fusion or on another device, or choose another run above. "
                          "Baselines keep a run under a name."));
}

} // namespace fuselage
