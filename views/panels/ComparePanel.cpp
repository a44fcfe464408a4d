#include "views/panels/ComparePanel.h"
#include "views/charts/DispatchCards.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
enum Kind { File, Tool, Snapshot, ChooseFile };
constexpr int KindRole = Qt::UserRole, ValueRole = Qt::UserRole + 1;

/// Relations by colour, too: what is better in A, what in B, what is the same.
class RelationDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != CompareModel::Relation)
      return;
    const SignalColours colours = signalColours(option->palette);
    QColor colour = mutedText(option->palette);
    switch (protocol::DispatchRelation(index.data(CompareModel::RelationRole).toInt())) {
    case protocol::DispatchRelation::Same:
      break;
    case protocol::DispatchRelation::Merged:
    case protocol::DispatchRelation::OnlyB:
      colour = colours.good;
      break;
    case protocol::DispatchRelation::Split:
    case protocol::DispatchRelation::OnlyA:
      colour = colours.warning;
      break;
    case protocol::DispatchRelation::Differs:
    case protocol::DispatchRelation::Regrouped:
      colour = colours.info;
      break;
    }
    option->palette.setColor(QPalette::Text, colour);
  }
};
} // namespace

ComparePanel::ComparePanel(CompareModel *model, QWidget *parent) : QWidget(parent), model_(model), filter_(this) {
  filter_.setSourceModel(model_);
  with_ = new QComboBox(this);
  with_->setAccessibleName(tr("Compare the shown step with"));
  with_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  with_->setMinimumContentsLength(24);
  fuse_ = new QCheckBox(tr("Fuse all first"), this);
  fuse_->setToolTip(tr("If no dispatches are formed yet, fuse everything profitable before comparing"));
  compare_ = new QPushButton(tr("Co&mpare"), this);
  filterEdit_ = new QLineEdit(this);
  filterEdit_->setPlaceholderText(tr("Filter by dispatch or op"));
  filterEdit_->setClearButtonEnabled(true);
  filterEdit_->setAccessibleName(tr("Filter the comparison"));
  filterEdit_->addAction(lineIcon(u"filter"_s), QLineEdit::LeadingPosition);
  filterEdit_->setMaximumWidth(240);
  same_ = new QCheckBox(tr("Identical, too"), this);
  same_->setChecked(true);
  same_->setToolTip(tr("Also list the dispatches that are the same"));
  each_ = new QCheckBox(tr("Each place"), this);
  each_->setToolTip(tr("One row per dispatch, even where several are identical"));
  each_->setVisible(false);
  summary_ = new QLabel(this);
  summary_->setAccessibleName(tr("Totals"));
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setWordWrap(true);
  table_ = makeTable(&filter_, tr("Dispatches side by side"));
  table_->setItemDelegate(new RelationDelegate(table_));
  table_->sortByColumn(CompareModel::NamesA, Qt::AscendingOrder);
  fitColumns(table_, {0, 0, 5, 0, 0, 5, 0, 0});
  hint_ = new EmptyHint(table_, {}, {});
  hint_->watchFilter(filterEdit_);
  for (const int column : {CompareModel::Places, CompareModel::TimeA, CompareModel::TimeB})
    table_->setColumnHidden(column, true);
  setHint(tr("Nothing compared"), tr("Choose another step, a file, or an external compiler to see which dispatches are "
                                     "the same and which differ."));
  auto *label = new QLabel(tr("Shown step &with"), this);
  label->setBuddy(with_);
  auto *tools = new QHBoxLayout;
  tools->setContentsMargins(8, 6, 8, 4);
  tools->setSpacing(6);
  tools->addWidget(label);
  tools->addWidget(with_, 1);
  tools->addWidget(fuse_);
  tools->addWidget(compare_);
  tools->addSpacing(8);
  tools->addWidget(filterEdit_);
  tools->addWidget(same_);
  tools->addWidget(each_);
  auto *words = new QHBoxLayout;
  words->setContentsMargins(8, 0, 8, 4);
  words->addWidget(summary_, 1);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(tools);
  layout->addLayout(words);
  cards_ = new DispatchCards(model_, this);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(table_);
  splitter->addWidget(cards_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({800, 520});
  layout->addWidget(splitter, 1);
  summary_->setVisible(false);
  setFocusProxy(with_);
  fill();

  connect(with_, qOverload<int>(&QComboBox::activated), this, &ComparePanel::choose);
  connect(compare_, &QPushButton::clicked, this, [this] {
    if (busy_)
      emit cancelRequested();
    else if (with_->currentData(KindRole).toInt() == ChooseFile)
      emit fileRequested();
    else
      emit compareRequested();
  });
  connect(filterEdit_, &QLineEdit::textChanged, this, [this](const QString &text) { filter_.setWords(text); });
  connect(same_, &QCheckBox::toggled, this, [this](bool shows) { filter_.setShowsSame(shows); });
  connect(each_, &QCheckBox::toggled, this, [this](bool each) {
    model_->setGrouped(!each);
    showSummary();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    const int row = current.isValid() ? filter_.mapToSource(current).row() : -1;
    cards_->setRow(row);
    if (row >= 0)
      emit rowSelected(row);
  });
  connect(cards_, &DispatchCards::activated, this, &ComparePanel::dispatchActivated);
}

void ComparePanel::fill() {
  const QVariant kind = with_->currentData(KindRole), value = with_->currentData(ValueRole);
  with_->clear();
  const auto add = [this](const QString &text, Kind kind, const QVariant &value, const QString &toolTip) {
    with_->addItem(text);
    const int index = with_->count() - 1;
    with_->setItemData(index, int(kind), KindRole);
    with_->setItemData(index, value, ValueRole);
    with_->setItemData(index, toolTip, Qt::ToolTipRole);
  };
  add(tr("A file\u2026"), ChooseFile, {}, tr("A module, or a log of another compiler's passes"));
  for (const QString &path : files_)
    add(QFileInfo(path).fileName(), File, path, path);
  for (const QString &path : open_)
    if (!files_.contains(path))
      add(tr("%1, of another tab").arg(QFileInfo(path).fileName()), File, path, path);
  for (const QString &command : tools_)
    add(command, Tool, command, tr("Runs this compiler on the opened file"));
  for (const auto &step : steps_)
    add(step.first, Snapshot, step.second, {});
  for (int index = 0; index < with_->count(); ++index)
    if (with_->itemData(index, KindRole) == kind && with_->itemData(index, ValueRole) == value)
      with_->setCurrentIndex(index);
}

void ComparePanel::setSteps(const QList<QPair<QString, int>> &steps) {
  steps_ = steps;
  fill();
}

void ComparePanel::setTools(const QStringList &commands) {
  tools_ = commands;
  fill();
}

void ComparePanel::setOpenFiles(const QStringList &paths) {
  if (paths == open_)
    return;
  open_ = paths;
  fill();
}

void ComparePanel::addFile(const QString &path) {
  files_.removeAll(path);
  files_.prepend(path);
  constexpr qsizetype mostFiles = 6;
  files_.resize(std::min(mostFiles, files_.size()));
  fill();
  with_->setCurrentIndex(1);
}

void ComparePanel::choose(int index) {
  if (with_->itemData(index, KindRole).toInt() == ChooseFile)
    emit fileRequested();
}

CompareRequest ComparePanel::request() const {
  CompareRequest request;
  request.fuseAll = fuse_->isChecked();
  const QVariant value = with_->currentData(ValueRole);
  switch (with_->currentData(KindRole).toInt()) {
  case File:
    request.path = value.toString();
    break;
  case Tool:
    request.tool = value.toString();
    break;
  case Snapshot:
    request.snapshot = value.toInt();
    break;
  default:
    break;
  }
  return request;
}

/// "121 dispatches, 412 MiB, 22.4 GFLOP, 3.1 ms"
static QString totalsOf(const protocol::ComparedSide &side, double time) {
  QStringList parts{counted(side.dispatches.size(), ComparePanel::tr("dispatch"), ComparePanel::tr("dispatches")),
                    (side.bytesAtMost ? u"\u2264 "_s : QString()) + formatBytes(side.bytes), formatFlops(side.flops)};
  if (side.unknown > 0)
    parts.append(ComparePanel::tr("bytes of %1 unknown").arg(side.unknown));
  if (time >= 0)
    parts.append(formatMicroseconds(time));
  if (side.planned)
    parts.append(ComparePanel::tr("planned by the policy"));
  return parts.join(u", "_s);
}

void ComparePanel::showSummary() {
  const protocol::DispatchComparison &comparison = model_->comparison();
  QStringList counts;
  for (int relation = 0; relation <= int(protocol::DispatchRelation::OnlyB); ++relation)
    if (const int count = comparison.counts.value(QString::fromLatin1(message::dispatchRelationNames[relation])))
      counts.append(u"%1 %2"_s.arg(count).arg(relationText(protocol::DispatchRelation(relation))));
  summary_->setText(u"<b>A</b> %1: %2<br><b>B</b> %3: %4<br>%5"_s.arg(
      comparison.a.name.toHtmlEscaped(), totalsOf(comparison.a, model_->totalTime(false)),
      comparison.b.name.toHtmlEscaped(), totalsOf(comparison.b, model_->totalTime(true)), counts.join(u" \u00b7 "_s)));
  const bool isThere = !comparison.rows.isEmpty();
  summary_->setVisible(isThere);
  each_->setVisible(model_->hasGroups());
  table_->setColumnHidden(CompareModel::Places, !model_->hasGroups() || each_->isChecked());
  // Before a run there is more room for the rest.
  table_->setColumnHidden(CompareModel::TimeA, model_->totalTime(false) < 0);
  table_->setColumnHidden(CompareModel::TimeB, model_->totalTime(true) < 0);
}

void ComparePanel::setHint(const QString &title, const QString &hint) {
  hint_->setText(title, hint);
  table_->viewport()->update();
}

void ComparePanel::setBusy(bool busy) {
  busy_ = busy;
  compare_->setText(busy ? tr("Cancel") : tr("Co&mpare"));
  with_->setEnabled(!busy);
}

} // namespace fuselage
