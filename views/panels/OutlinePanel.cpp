#include "views/panels/OutlinePanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include <QHeaderView>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

OutlinePanel::OutlinePanel(OutlineModel *model, QWidget *parent) : QWidget(parent), model_(model), filter_(this) {
  filter_.setSourceModel(model_);
  filterEdit_ = new QLineEdit(this);
  filterEdit_->setPlaceholderText(tr("Filter by name, such as layer.3 attention"));
  filterEdit_->setClearButtonEnabled(true);
  filterEdit_->setAccessibleName(tr("Filter the outline"));
  filterEdit_->addAction(lineIcon(u"filter"_s), QLineEdit::LeadingPosition);
  buildTree();
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 6, 0, 0);
  layout->setSpacing(4);
  auto *tools = new QHBoxLayout;
  tools->setContentsMargins(8, 0, 8, 0);
  tools->addWidget(filterEdit_);
  layout->addLayout(tools);
  layout->addWidget(tree_, 1);
  setFocusProxy(tree_);
  connect(filterEdit_, &QLineEdit::textChanged, this, [this](const QString &text) {
    filter_.setWords(text);
    if (text.trimmed().isEmpty())
      restoreOpen();
    else {
      const QScopedValueRollback quiet(quiet_, true);
      tree_->expandAll();
    }
  });
  connect(filterEdit_, &QLineEdit::returnPressed, this, [this] {
    tree_->setFocus(Qt::ShortcutFocusReason);
    if (!tree_->currentIndex().isValid())
      tree_->setCurrentIndex(filter_.index(0, 0));
  });
}

void OutlinePanel::buildTree() {
  tree_ = new QTreeView(this);
  tree_->setModel(&filter_);
  tree_->setAccessibleName(tr("Outline of the model"));
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setAlternatingRowColors(true);
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setSelectionMode(QAbstractItemView::SingleSelection);
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->setSortingEnabled(true);
  tree_->sortByColumn(OutlineModel::Name, Qt::AscendingOrder);
  tree_->setIndentation(14);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(QHeaderView::Interactive);
  tree_->header()->setResizeContentsPrecision(measuredRows);
  // Paths differ in their ends.
  tree_->setTextElideMode(Qt::ElideMiddle);
  tree_->header()->resizeSection(OutlineModel::Name, 164);
  for (int column = OutlineModel::Time; column < OutlineModel::ColumnCount; ++column)
    tree_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  // Before a run there is more room for the rest.
  const auto showTimes = [this] { tree_->setColumnHidden(OutlineModel::Time, !model_->hasTimes()); };
  connect(model_, &QAbstractItemModel::modelReset, tree_, showTimes);
  connect(model_, &QAbstractItemModel::dataChanged, tree_, showTimes);
  showTimes();
  hint_ = new EmptyHint(tree_, {}, {});
  hint_->watchFilter(filterEdit_);
  setHint(tr("No outline"), tr("Open a module to see its stages, layers and dispatches."));
  connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
    if (const int row = rowOf(current); !quiet_ && row >= 0)
      emit rowSelected(row);
  });
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex &index) {
    if (const int row = rowOf(index); row >= 0)
      emit rowActivated(row);
  });
  connect(tree_, &QTreeView::doubleClicked, this, [this](const QModelIndex &index) {
    if (const int row = rowOf(index); row >= 0)
      emit rowExpanded(row);
  });
  connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex &index) { noteOpen(index, true); });
  connect(tree_, &QTreeView::collapsed, this, [this](const QModelIndex &index) { noteOpen(index, false); });
}

int OutlinePanel::rowOf(const QModelIndex &index) const {
  return index.isValid() ? index.siblingAtColumn(0).data(OutlineModel::RowRole).toInt() : -1;
}

void OutlinePanel::noteOpen(const QModelIndex &index, bool open) {
  const int row = rowOf(index);
  if (quiet_ || row < 0)
    return;
  const QString &name = model_->outline().rows[row].name;
  open ? void(open_.insert(name)) : void(open_.remove(name));
}

void OutlinePanel::restoreOpen() {
  const QScopedValueRollback quiet(quiet_, true);
  // A program is one function of a few parts: these are what one looks for.
  constexpr qsizetype fewRows = 200;
  tree_->collapseAll();
  qsizetype shown = filter_.rowCount();
  for (int row = 0; row < model_->outline().rows.size(); ++row) {
    const protocol::OutlineRow &data = model_->outline().rows[row];
    const QModelIndex index = filter_.mapFromSource(model_->indexOf(row));
    const bool isOuter = data.kind == protocol::OutlineKind::Module || data.kind == protocol::OutlineKind::Function;
    const bool isSmall = isOuter && shown + filter_.rowCount(index) <= fewRows;
    const bool isOnly = data.parent < 0 && filter_.rowCount() == 1;
    if (!open_.contains(data.name) && !isSmall && !isOnly)
      continue;
    tree_->expand(index);
    shown += filter_.rowCount(index);
  }
}

void OutlinePanel::setHint(const QString &title, const QString &hint) {
  hint_->setText(title, hint);
  tree_->viewport()->update();
}

int OutlinePanel::currentRow() const { return rowOf(tree_->currentIndex()); }

void OutlinePanel::setCurrentRow(int row) {
  const QScopedValueRollback quiet(quiet_, true);
  const QModelIndex index = filter_.mapFromSource(model_->indexOf(row));
  tree_->setCurrentIndex(index);
  if (index.isValid())
    tree_->scrollTo(index);
}

} // namespace fuselage
