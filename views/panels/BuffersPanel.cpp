#include "views/panels/BuffersPanel.h"
#include "views/charts/BufferTimeline.h"
#include "views/charts/MemoryBars.h"
#include "views/common/Numbers.h"
#include "views/models/ReasonWords.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {

/// Operands by what a user types, in any column, and by whether they cost anything.
class BufferFilter : public QSortFilterProxyModel {
public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setCostlyOnly(bool only) {
    costlyOnly_ = only;
    invalidateFilter();
  }

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override {
    if (costlyOnly_ && !sourceModel()->index(row, 0, parent).data(BufferModel::CostsRole).toBool())
      return false;
    return QSortFilterProxyModel::filterAcceptsRow(row, parent);
  }

private:
  bool costlyOnly_ = false;
};

/// Copies stand out.
class BufferDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != BufferModel::Place)
      return;
    const SignalColours colours = signalColours(option->palette);
    const bool costs = index.data(BufferModel::CostsRole).toBool();
    if (!costs)
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
    else if (index.data(BufferModel::CopyRole).toBool())
      option->palette.setColor(QPalette::Text, colours.error);
    else
      option->palette.setColor(QPalette::Text, colours.warning);
  }
};

} // namespace

BuffersPanel::BuffersPanel(BufferModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  summary_ = new QLabel(this);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  bars_ = new MemoryBars(this);
  timeline_ = new BufferTimeline(this);
  auto *memory = new QWidget(this);
  auto *column = new QVBoxLayout(memory);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bars_);
  column->addWidget(timeline_, 1);
  auto *halves = new QSplitter(Qt::Horizontal, this);
  halves->setChildrenCollapsible(false);
  halves->addWidget(buildTable());
  halves->addWidget(memory);
  halves->setStretchFactor(0, 1);
  halves->setStretchFactor(1, 1);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(halves, 1);
  connect(timeline_, &BufferTimeline::rowActivated, this, [this](int index) {
    const protocol::Buffer &buffer = model_->report().buffers[index];
    if (const int row = model_->rowOf(buffer.op, buffer.operand); row >= 0 && buffer.operand >= 0)
      selectRow(row);
    emit opActivated(buffer.op);
  });
  setFocusProxy(table_);
  setMessage(tr("No module is open"), tr("Open one to see where it copies."));
}

QWidget *BuffersPanel::buildTable() {
  filter_ = new QLineEdit;
  filter_->setPlaceholderText(tr("Filter ops, values, reasons"));
  filter_->setClearButtonEnabled(true);
  filter_->setAccessibleName(tr("Filter operands"));
  filter_->addAction(lineIcon(u"filter"_s), QLineEdit::LeadingPosition);
  costly_ = new QCheckBox(tr("Copies and new &buffers only"));
  auto *sorted = new BufferFilter(this);
  sorted_ = sorted;
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(BufferModel::SortRole);
  sorted_->setFilterKeyColumn(-1);
  sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  table_ = makeTable(sorted_, tr("Tensor operands"));
  table_->setItemDelegate(new BufferDelegate(table_));
  table_->sortByColumn(BufferModel::Total, Qt::DescendingOrder);
  fitColumns(table_, {7, 3, 0, 0, 0, 0, 4, 3});
  each_ = new QCheckBox(tr("Each &place"));
  each_->setToolTip(tr("One row per operand, even where several are identical"));
  showGroups();
  hint_ = new EmptyHint(table_, {}, {});
  hint_->watchFilter(filter_);
  explanation_ = new QLabel;
  explanation_->setWordWrap(true);
  explanation_->setTextFormat(Qt::RichText);
  explanation_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  explanation_->setContentsMargins(8, 2, 8, 4);
  explanation_->setAccessibleName(tr("Why"));
  explanation_->hide();
  auto *left = new QWidget;
  auto *bar = new QHBoxLayout;
  bar->setContentsMargins(8, 6, 8, 2);
  bar->addWidget(filter_, 1);
  bar->addWidget(costly_);
  bar->addWidget(each_);
  summary_->setContentsMargins(8, 0, 8, 0);
  auto *layout = new QVBoxLayout(left);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(bar);
  layout->addWidget(summary_);
  layout->addWidget(table_, 1);
  layout->addWidget(explanation_);
  connect(filter_, &QLineEdit::textChanged, this, &BuffersPanel::applyFilter);
  connect(each_, &QCheckBox::toggled, this, [this](bool each) {
    model_->setGrouped(!each);
    showGroups();
    showRow(-1);
  });
  connect(costly_, &QCheckBox::toggled, this, [sorted](bool on) { sorted->setCostlyOnly(on); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    showRow(current.isValid() ? sorted_->mapToSource(current).row() : -1);
  });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex &index) {
    emit opActivated(index.siblingAtColumn(0).data(BufferModel::OpRole).toLongLong());
  });
  connect(explanation_, &QLabel::linkActivated, this, &BuffersPanel::helpRequested);
  return left;
}

/// What is of several rows, where there are any, and what copies cost, where there are some.
void BuffersPanel::showGroups() {
  const bool isGrouped = model_->hasGroups() && !each_->isChecked();
  bool costs = model_->rowCount() == 0;
  for (int row = 0; row < model_->rowCount() && !costs; ++row)
    costs = model_->index(row, 0).data(BufferModel::CostsRole).toBool();
  table_->setColumnHidden(BufferModel::Bytes, !costs);
  table_->setColumnHidden(BufferModel::Reason, !costs);
  each_->setVisible(model_->hasGroups());
  table_->setColumnHidden(BufferModel::Places, !isGrouped);
  table_->setColumnHidden(BufferModel::Total, !isGrouped || !costs);
  table_->setColumnHidden(BufferModel::Where, !model_->hasGroups());
}

void BuffersPanel::applyFilter() { sorted_->setFilterFixedString(filter_->text().trimmed()); }

void BuffersPanel::setReport(const protocol::BuffersReport &report) {
  model_->setReport(report);
  showGroups();
  timeline_->setReport(report);
  bars_->setPeaks(report.peaks);
  if (!report.hasTensors)
    hint_->setText(tr("No tensors here"), tr("This module works on buffers already: their lifetimes are on the right. "
                                             "Select a step before bufferization to see operands."));
  else
    hint_->setText(tr("No operand fits"), tr("Clear the filter to see all of them."));
  timeline_->setEmptyText(tr("No buffers"), report.hasTensors ? tr("Bufferization makes none for this module.")
                                                              : tr("This module has neither tensors nor buffers."));
  showRow(-1);
  summarise();
}

void BuffersPanel::summarise() {
  const protocol::BuffersReport &report = model_->report();
  int copies = 0, outOfPlace = 0;
  for (const protocol::BufferOperand &operand : report.operands)
    outOfPlace += operand.inPlace ? 0 : 1;
  for (const protocol::Buffer &buffer : report.buffers)
    copies += buffer.kind == "copy"_L1 && buffer.operand >= 0 ? 1 : 0;
  QString text;
  if (report.hasTensors) {
    const QString operands = counted(report.operands.size(), tr("operand"), tr("operands"));
    text = outOfPlace == 0 ? tr("%1, all in place").arg(operands)
                           : tr("%1, %2 out of place").arg(operands, groupedNumber(outOfPlace));
    if (report.copied.bytes == 0 && !report.copied.lowerBound)
      text += tr(" \u00b7 nothing is copied");
    else if (copies == 0)
      text += tr(" \u00b7 %1 copied").arg(formatBytes(report.copied));
    else
      text += tr(" \u00b7 %1 inserted, %2 copied in all")
                  .arg(counted(copies, tr("copy"), tr("copies")), formatBytes(report.copied));
  }
  if (!report.problems.isEmpty())
    text += tr(". Not bufferized: %1").arg(report.problems.first().message);
  QStringList sizes;
  for (auto it = report.sizes.begin(); it != report.sizes.end(); ++it)
    sizes.append(tr("%1 = %2").arg(it.key()).arg(it.value()));
  if (!sizes.isEmpty())
    text += (text.isEmpty() ? QString() : u" \u00b7 "_s) + tr("with %1").arg(sizes.join(u", "_s));
  summary_->setText(text);
  summary_->setToolTip(text);
  summary_->setVisible(!text.isEmpty());
}

void BuffersPanel::setBefore(const std::optional<protocol::BufferPeaks> &before) { bars_->setBefore(before); }

void BuffersPanel::setMessage(const QString &title, const QString &hint) {
  setReport({});
  summary_->hide();
  hint_->setText(title, hint);
  timeline_->setEmptyText({}, {});
}

void BuffersPanel::selectRow(int row) {
  QModelIndex index = sorted_->mapFromSource(model_->index(row, 0));
  if (!index.isValid()) { // filtered away
    filter_->clear();
    costly_->setChecked(false);
    index = sorted_->mapFromSource(model_->index(row, 0));
  }
  table_->setCurrentIndex(index);
  table_->scrollTo(index);
}

void BuffersPanel::showRow(int row) {
  const protocol::BufferOperand *operand = row < 0 ? nullptr : model_->operandAt(row);
  const protocol::BufferMove *move = row < 0 || operand ? nullptr : model_->moveAt(row);
  const QString reason = operand ? operand->reason : move ? move->reason : QString();
  const QString sentence = operand ? operand->sentence : move ? move->sentence : QString();
  explanation_->setVisible(!reason.isEmpty());
  if (!reason.isEmpty())
    explanation_->setText(tr("<b>%1</b>: %2. <a href=\"%3\">What may help</a>")
                              .arg(reasonWords(reason, ReasonFamily::Buffers), sentence.toHtmlEscaped(), reason));
  explanation_->setToolTip(reason);
  timeline_->setCurrent(operand ? operand->buffer : -1);
  emit rowSelected(row);
}

} // namespace fuselage
