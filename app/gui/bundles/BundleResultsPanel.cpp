#include "app/gui/bundles/BundleResultsPanel.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/widgets/ElidingBox.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include "views/widgets/WrapRow.h"
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// Verdicts by sign and colour; dispatches that are not in the module are muted.
class ResultDelegate : public QStyledItemDelegate {
public:
  ResultDelegate(const BundleResultsModel &model, QObject *parent) : QStyledItemDelegate(parent), model_(model) {}

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isPlaced = index.data(BundleResultsModel::PlacedRole).toBool();
    if (!isPlaced)
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
    const int verdict = index.data(BundleResultsModel::VerdictRole).toInt();
    if (index.column() < BundleResultsModel::FirstOfFile || verdict < 0 ||
        model_.figureOf(index.column()) != BundleResultsModel::Figure::Check)
      return;
    const SignalColours colours = signalColours(option->palette);
    const bool isOk = verdict == int(protocol::RunVerdict::Ok), isWrong = verdict == int(protocol::RunVerdict::Wrong);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(16, 16);
    option->icon = lineIcon(isOk      ? u"check"_s
                            : isWrong ? u"error"_s
                                      : u"problems"_s,
                            isOk      ? colours.good
                            : isWrong ? colours.error
                                      : colours.warning);
    if (isWrong)
      option->palette.setColor(QPalette::Text, colours.error);
  }

private:
  const BundleResultsModel &model_;
};
} // namespace

BundleResultsPanel::BundleResultsPanel(BundleResultsModel *model, QWidget *parent)
    : QWidget(parent), model_(model), sorted_(this) {
  open_ = new QPushButton(lineIcon(u"open"_s), tr("&Open Results\u2026"), this);
  close_ = new QPushButton(tr("&Close"), this);
  close_->setToolTip(tr("Close the results that color the graph"));
  current_ = new ElidingBox(this);
  current_->setAccessibleName(tr("Results that color the graph"));
  current_->setToolTip(tr("Results that color the dispatches of the graph"));
  current_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  current_->setMinimumContentsLength(24);
  tintLabel_ = new QLabel(tr("&Color the graph by"), this);
  tintLabel_->setBuddy(current_);
  facts_ = new QLabel(this);
  message_ = new QLabel(this);
  for (QLabel *label : {facts_, message_}) {
    label->setTextFormat(Qt::PlainText); // names are somebody else's
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
  }
  message_->setAccessibleName(tr("Problem with the results"));

  sorted_.setSourceModel(model);
  sorted_.setSortRole(BundleResultsModel::SortRole);
  table_ = makeTable(&sorted_, tr("Dispatches of the results"));
  table_->sortByColumn(-1, Qt::AscendingOrder); // in the order of a pass, until somebody sorts
  table_->setItemDelegate(new ResultDelegate(*model, table_));
  table_->setTextElideMode(Qt::ElideMiddle);
  new EmptyHint(table_, tr("No bundle results"),
                tr("They show how fast the kernels are on another machine. Here, make a bundle of this module:\n"
                   "fuselage bundle FILE --target-device h100 -o DIR\n"
                   "Copy DIR to the machine, and run it there:\n"
                   "fuselage-launch --format json -o R.json DIR\n"
                   "Then open R.json, or drop it on the window."));

  auto *fields = new WrapRow;
  fields->addWidget(open_);
  fields->addGroup({tintLabel_, current_, close_});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addLayout(fields);
  layout->addWidget(message_);
  layout->addWidget(facts_);
  layout->addWidget(table_, 1);
  setFocusProxy(table_);

  // Where the user was in the table, too.
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this,
          [this] { scrolled_ = table_->verticalScrollBar()->value(); });
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    table_->doItemsLayout();
    table_->verticalScrollBar()->setValue(scrolled_);
  });
  connect(open_, &QPushButton::clicked, this, &BundleResultsPanel::openRequested);
  connect(close_, &QPushButton::clicked, this, [this] { emit closeRequested(currentFile()); });
  connect(current_, &QComboBox::currentIndexChanged, this, &BundleResultsPanel::currentFileChanged);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
    if (index.isValid() && !isSelecting_)
      emit rowSelected(sorted_.mapToSource(index).row());
  });
  showFiles();
}

/// With the number that columns have, where there are several.
QString BundleResultsPanel::nameOf(int file) const {
  const QString name = model_->nameOf(file);
  return model_->files().size() == 1 ? name : tr("%1: %2").arg(file + 1).arg(name);
}

/// "NVIDIA H100 · CUDA 13.0 · driver 570.1 · 2026-03-01 12:00 UTC · r.json: 34.2 µs together, 2 of 2 agree, 2 of 2
/// placed"
QString BundleResultsPanel::factsOf(int file) const {
  const ResultsFile &of = model_->files()[file];
  QStringList facts{nameOf(file)};
  if (const auto &bundle = of.content.results.bundle) {
    if (!bundle->api.isEmpty() && bundle->api != of.content.results.device)
      facts.append(bundle->api);
    if (!bundle->driver.isEmpty() && bundle->api != "host"_L1) // which has none
      facts.append(tr("driver %1").arg(bundle->driver));
    if (!bundle->measured.isEmpty())
      facts.append(bundle->measured);
  }
  facts.append(QFileInfo(of.path).fileName());
  QString text = facts.join(u" \u00b7 "_s);
  if (!of.problem.isEmpty())
    return text + u": "_s + of.problem;
  const BundleResultsModel::Totals totals = model_->totalsOf(file);
  text +=
      tr(": %1%2 together").arg(totals.isLowerBound ? u"\u2265 "_s : QString(), formatMicroseconds(totals.medianUs));
  if (totals.onceUs > 0)
    text += tr(" and %1 once").arg(formatMicroseconds(totals.onceUs));
  text += tr(", %1 of %2 agree").arg(totals.agree).arg(counted(totals.dispatches, tr("dispatch"), tr("dispatches")));
  if (totals.placed < totals.dispatches)
    text += tr(", %1 not placed: %2").arg(totals.dispatches - totals.placed).arg(model_->whyNotPlaced(file));
  return text;
}

void BundleResultsPanel::showFiles() {
  const int count = int(model_->files().size());
  QStringList names, facts;
  for (int file = 0; file < count; ++file) {
    names.append(nameOf(file));
    facts.append(factsOf(file));
  }
  const int before = currentFile();
  {
    const QSignalBlocker blocker(current_);
    current_->clear();
    current_->addItems(names);
    current_->setCurrentIndex(std::clamp(before, count > 0 ? 0 : -1, count - 1));
  }
  facts_->setText(facts.join(u'\n'));
  for (QWidget *widget : QList<QWidget *>{tintLabel_, current_, close_, facts_})
    widget->setVisible(count > 0);
  table_->horizontalHeader()->setVisible(count > 0);
  // Widths stay as they are, or as the user has made them, where the same files are only placed anew.
  QStringList columns;
  for (int column = 0; column < model_->columnCount(); ++column)
    columns.append(model_->headerData(column, Qt::Horizontal).toString());
  if (std::exchange(fitted_, columns + names) == columns + names)
    return;
  for (int column = 0; column < columns.size(); ++column)
    table_->resizeColumnToContents(column);
}

void BundleResultsPanel::setMessage(const QString &message) {
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, signalColours(colours).error);
  message_->setPalette(colours);
  message_->setText(message);
  message_->setVisible(!message.isEmpty());
}

QString BundleResultsPanel::message() const { return message_->text(); }
QString BundleResultsPanel::facts() const { return facts_->text(); }
int BundleResultsPanel::currentFile() const { return current_->currentIndex(); }
void BundleResultsPanel::setCurrentFile(int file) { current_->setCurrentIndex(file); }
void BundleResultsPanel::setReady(bool ready) { open_->setEnabled(ready); }

int BundleResultsPanel::currentRow() const {
  return table_->currentIndex().isValid() ? sorted_.mapToSource(table_->currentIndex()).row() : -1;
}

void BundleResultsPanel::setCurrentRow(int row) {
  const QScopedValueRollback selecting(isSelecting_, true);
  if (row < 0)
    table_->selectionModel()->clear();
  else
    table_->setCurrentIndex(sorted_.mapFromSource(model_->index(row, 0)));
}

} // namespace fuselage
