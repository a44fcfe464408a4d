#include "views/panels/DetailsPanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// Section rows bold, links underlined, names muted.
class DetailsDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    // Of a place, the line says more than the file.
    if (index.data(Qt::EditRole) != index.data())
      option->textElideMode = Qt::ElideLeft;
    const QModelIndex name = index.siblingAtColumn(DetailsModel::Name);
    const bool isLink = name.data(DetailsModel::OpRole).isValid() || name.data(DetailsModel::LineRole).isValid() ||
                        name.data(DetailsModel::DecisionRole).toBool();
    if (name.data(DetailsModel::SectionRole).toBool())
      option->font.setBold(index.column() == DetailsModel::Name || index.row() == 0);
    else if (index.column() == DetailsModel::Name)
      option->palette.setColor(QPalette::Text, isLink ? option->palette.color(QPalette::Link) : mutedText(option->palette));
  }
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(option.fontMetrics.height() + 6);
    return size;
  }
};
} // namespace

DetailsPanel::DetailsPanel(DetailsModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  tree_ = new QTreeView(this);
  tree_->setModel(model);
  tree_->setItemDelegate(new DetailsDelegate(tree_));
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->setAllColumnsShowFocus(true);
  tree_->setAccessibleName(tr("Details of the selected op"));
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->header()->setMinimumSectionSize(60);
  tree_->header()->setStretchLastSection(true);
  new EmptyHint(tree_, tr("Nothing selected"),
                tr("Select a node of the graph or a line of the text to see its types, maps, attributes and cost."));
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(tree_);

  setFocusProxy(tree_);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    tree_->expandAll();
    fitNames();
  });
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex &index) {
    const QModelIndex name = index.siblingAtColumn(DetailsModel::Name);
    if (const QVariant op = name.data(DetailsModel::OpRole); op.isValid())
      emit opActivated(op.toLongLong());
    else if (const QVariant line = name.data(DetailsModel::LineRole); line.isValid())
      emit originActivated(line.toInt());
    else if (name.data(DetailsModel::DecisionRole).toBool())
      emit decisionActivated();
  });
  connect(tree_, &QWidget::customContextMenuRequested, this, &DetailsPanel::showMenu);
}

/// Names are read first; values have their tool tips.
void DetailsPanel::fitNames() {
  tree_->resizeColumnToContents(DetailsModel::Name);
  tree_->header()->resizeSection(DetailsModel::Name, std::clamp(tree_->columnWidth(DetailsModel::Name), 90, std::max(90, width() * 2 / 5)));
}

void DetailsPanel::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  fitNames();
}

void DetailsPanel::showMenu(const QPoint &position) {
  const QModelIndex index = tree_->indexAt(position).siblingAtColumn(DetailsModel::Value);
  if (!index.isValid())
    return;
  QMenu menu(this);
  menu.addAction(lineIcon(u"copy"_s), tr("Copy value"), this,
                 [text = index.data(Qt::EditRole).toString()] { QApplication::clipboard()->setText(text); });
  menu.exec(tree_->viewport()->mapToGlobal(position));
}

} // namespace fuselage
