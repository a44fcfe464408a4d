#include "views/tuning/TrialViews.h"
#include "views/charts/KnobMap.h"
#include "views/charts/TrialPlot.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Tables.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSet>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {

/// What did not run is grey, and red where something is wrong.
class TrialDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme &theme = Theme::of(option->palette);
    const QString status = index.siblingAtColumn(TrialModel::Status).data().toString();
    if (index.data(TrialModel::IsBestRole).toBool())
      option->palette.setColor(QPalette::Text, theme.success);
    else if (status == "cut short"_L1 || status == "duplicate"_L1)
      option->palette.setColor(QPalette::Text, theme.textMuted);
    else if (index.column() == TrialModel::Status && status != "ok"_L1)
      option->palette.setColor(QPalette::Text, theme.error);
  }
};

/// Asks the model itself: of a hundred thousand rows there is no time to make texts of each.
class TrialOrder : public QSortFilterProxyModel {
public:
  TrialOrder(TrialModel *model, QObject *parent) : QSortFilterProxyModel(parent), model_(model) {
    setSourceModel(model);
  }
  /// Only rows with all of these words, see TrialList::matches().
  void setWords(const QString &text) {
    words_ = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
  }

protected:
  bool lessThan(const QModelIndex &left, const QModelIndex &right) const override {
    return model_->isLess(left.row(), right.row(), left.column());
  }
  bool filterAcceptsRow(int row, const QModelIndex &) const override { return model_->trials().matches(row, words_); }

private:
  TrialModel *model_;
  QStringList words_;
};

} // namespace

static QComboBox *boxOfKnobs(QWidget *parent, const QString &name) {
  auto *box = new QComboBox(parent);
  box->setAccessibleName(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return box;
}

/// A view below a row of fields.
static QWidget *page(QWidget *view, const QList<QWidget *> &fields) {
  auto *page = new QWidget;
  auto *row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 0);
  for (QWidget *field : fields)
    row->addWidget(field);
  if (!qobject_cast<QLineEdit *>(fields.last()))
    row->addStretch(1);
  auto *layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(row);
  layout->addWidget(view, 1);
  return page;
}

TrialViews::TrialViews(TrialModel *model, QWidget *parent) : QTabWidget(parent), model_(model) {
  const QString nothing = tr("No trials yet"),
                hint = tr("Tune measures points of the space; each appears here as soon as it has run.");
  setDocumentMode(true);
  progress_ = new TrialPlot(this);
  progress_->setAccessibleName(tr("Best so far"));
  byKnob_ = new TrialPlot(this);
  byKnob_->setAccessibleName(tr("Speed by knob"));
  map_ = new KnobMap(this);
  map_->setAccessibleName(tr("Speed by two knobs"));
  for (TrialPlot *plot : {progress_, byKnob_})
    plot->setEmptyText(nothing, hint);
  map_->setEmptyText(nothing, hint);
  knob_ = boxOfKnobs(this, tr("Knob on the horizontal axis"));
  across_ = boxOfKnobs(this, tr("Knob on the horizontal axis"));
  up_ = boxOfKnobs(this, tr("Knob on the vertical axis"));
  filter_ = new QLineEdit(this);
  filter_->setPlaceholderText(tr("Filter: rows=16, wrong, \u2026"));
  filter_->setClearButtonEnabled(true);
  filter_->setAccessibleName(tr("Filter of trials"));
  auto *sorted = new TrialOrder(model_, this);
  sorted_ = sorted;
  table_ = makeTable(sorted_, tr("Trials"));
  table_->setItemDelegate(new TrialDelegate(table_));
  sorted_->sort(-1);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  fitColumns(table_, {0, 3, 0, 0, 0, 0, 0, 0, 2});
  auto *empty = new EmptyHint(table_, nothing, hint);
  empty->watchFilter(filter_);
  addTab(progress_, tr("Best So Far"));
  addTab(page(byKnob_, {new QLabel(tr("Knob")), knob_}), tr("By Knob"));
  addTab(page(map_, {new QLabel(tr("Across")), across_, new QLabel(tr("up")), up_}), tr("Two Knobs"));
  addTab(page(table_, {filter_}), tr("Trials"));
  for (QComboBox *box : {knob_, across_, up_})
    connect(box, &QComboBox::currentIndexChanged, this, &TrialViews::showKnobs);
  connect(filter_, &QLineEdit::textChanged, this, [sorted](const QString &text) { sorted->setWords(text); });
  connect(model_, &QAbstractItemModel::modelReset, this, &TrialViews::showTrials);
  connect(model_, &QAbstractItemModel::rowsInserted, this, &TrialViews::showTrials);
  connect(progress_, &TrialPlot::trialActivated, this, &TrialViews::choose);
  connect(byKnob_, &TrialPlot::trialActivated, this, &TrialViews::choose);
  connect(map_, &KnobMap::trialActivated, this, &TrialViews::choose);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &now) {
    if (now.isValid())
      choose(sorted_->mapToSource(now).row());
  });
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex &index) { emit trialOpened(sorted_->mapToSource(index).row()); });
}

void TrialViews::choose(int row) {
  if (row == current_)
    return;
  setCurrent(row);
  emit trialChosen(row);
}

void TrialViews::setCurrent(int row) {
  current_ = row;
  progress_->setCurrent(row);
  byKnob_->setCurrent(row);
  map_->setCurrent(row);
  const QModelIndex place = sorted_->mapFromSource(model_->index(row, 0));
  const QSignalBlocker quiet(table_->selectionModel());
  if (place.isValid() && place.row() != table_->currentIndex().row())
    table_->selectRow(place.row());
  table_->viewport()->update();
}

void TrialViews::setKnobs(const QList<protocol::TuneKnob> &knobs) {
  knobs_ = knobs;
  listKnobs();
  showKnobs();
}

/// Those of the space, but for trials of something else, such as a journal's.
void TrialViews::listKnobs() {
  QStringList names;
  for (const protocol::TuneKnob &knob : std::as_const(knobs_))
    names.append(knob.name);
  const QStringList tried = model_->trials().knobs();
  if (QSet<QString>(tried.begin(), tried.end()) != QSet<QString>(names.begin(), names.end()) && !tried.isEmpty())
    names = tried;
  QStringList before;
  for (int i = 0; i < knob_->count(); ++i)
    before.append(knob_->itemText(i));
  if (names != before)
    for (QComboBox *box : {knob_, across_, up_}) {
      const QSignalBlocker quiet(box);
      box->clear();
      box->addItems(names);
      box->setCurrentIndex(box == up_ && names.size() > 1 ? 1 : 0);
    }
}

QStringList TrialViews::valuesOf(const QString &knob) const {
  QStringList values;
  for (const protocol::TuneKnob &each : knobs_)
    if (each.name == knob)
      values = each.values;
  for (const QString &value : model_->trials().valuesOf(knob))
    if (!value.isEmpty() && !values.contains(value))
      values.append(value);
  // What the space does not know, as of a journal, stands where it belongs.
  const auto isNumber = [](const QString &value) {
    bool is = false;
    return value.toLongLong(&is), is;
  };
  if (std::all_of(values.begin(), values.end(), isNumber))
    std::sort(values.begin(), values.end(),
              [](const QString &a, const QString &b) { return a.toLongLong() < b.toLongLong(); });
  return values;
}

void TrialViews::showKnobs() {
  byKnob_->setKnob(knob_->currentText(), valuesOf(knob_->currentText()));
  map_->setKnobs(across_->currentText(), valuesOf(across_->currentText()), up_->currentText(),
                 valuesOf(up_->currentText()));
  map_->setCurrent(current_);
}

void TrialViews::showTrials() {
  if (current_ >= model_->rowCount())
    current_ = -1;
  for (TrialPlot *plot : {progress_, byKnob_})
    plot->setTrials(model_->trials());
  map_->setTrials(model_->trials());
  listKnobs();
  showKnobs();
}

} // namespace fuselage
