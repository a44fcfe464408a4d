#include "views/panels/DetailsPanel.h"
#include "views/widgets/EdgeCard.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Longer values end in an ellipsis, and are whole in the tool tip.
static constexpr int mostRows = 12;
static constexpr int padding = 3;

static bool isDetailsLink(const QModelIndex &index) {
  const QModelIndex name = index.siblingAtColumn(DetailsModel::Name);
  return name.data(DetailsModel::OpRole).isValid() || name.data(DetailsModel::LineRole).isValid() ||
         name.data(DetailsModel::DecisionRole).toBool();
}

namespace {
/// Section rows bold, links in their colour, names muted, values as many rows as they need.
class DetailsDelegate : public QStyledItemDelegate {
public:
  explicit DetailsDelegate(QTreeView *tree) : QStyledItemDelegate(tree), tree_(tree) {}

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QModelIndex name = index.siblingAtColumn(DetailsModel::Name);
    if (name.data(DetailsModel::SectionRole).toBool())
      option->font.setBold(index.column() == DetailsModel::Name || index.row() == 0);
    else if (index.column() == DetailsModel::Name)
      option->palette.setColor(QPalette::Text, isDetailsLink(index) ? option->palette.color(QPalette::Link)
                                                                    : mutedText(option->palette));
    option->displayAlignment = Qt::AlignTop | Qt::AlignLeft;
  }

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    QStyleOptionViewItem styled(option);
    initStyleOption(&styled, index);
    QSize size(styled.fontMetrics.horizontalAdvance(styled.text) + 2 * padding + 4,
               styled.fontMetrics.height() + 2 * padding);
    if (index.column() == DetailsModel::Value) {
      QTextLayout layout(styled.text, styled.font);
      const int rows = layOut(layout, tree_->columnWidth(DetailsModel::Value) - 2 * padding - 2);
      size.setHeight(rows * styled.fontMetrics.lineSpacing() + 2 * padding);
      size.setWidth(0);
    }
    return size;
  }

  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    if (index.column() != DetailsModel::Value)
      return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem styled(option);
    initStyleOption(&styled, index);
    const QString text = std::exchange(styled.text, QString());
    const QStyle *style = tree_->style();
    style->drawControl(QStyle::CE_ItemViewItem, &styled, painter, tree_);
    QTextLayout layout(text, styled.font);
    const QRect room = styled.rect.adjusted(padding + 1, padding, -padding - 1, -padding);
    layOut(layout, room.width());
    painter->save();
    painter->setClipRect(styled.rect);
    const bool isSelected = styled.state & QStyle::State_Selected;
    painter->setPen(styled.palette.color(styled.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive,
                                         isSelected ? QPalette::HighlightedText : QPalette::Text));
    painter->setFont(styled.font);
    const QFontMetrics &metrics = styled.fontMetrics;
    for (int row = 0; row < std::min(layout.lineCount(), mostRows); ++row) {
      const QTextLine line = layout.lineAt(row);
      QString part = text.mid(line.textStart(), line.textLength());
      if (row + 1 == mostRows && layout.lineCount() > mostRows)
        part = metrics.elidedText(text.mid(line.textStart(), 400), Qt::ElideRight, room.width());
      painter->drawText(room.left(), room.top() + row * metrics.lineSpacing() + metrics.ascent(), part);
    }
    painter->restore();
  }

private:
  /// The rows that are shown.
  static int layOut(QTextLayout &layout, int width) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (int rows = 0; rows <= mostRows; ++rows) {
      QTextLine line = layout.createLine();
      if (!line.isValid())
        break;
      line.setLineWidth(std::max(40, width));
    }
    layout.endLayout();
    return std::clamp(layout.lineCount(), 1, mostRows);
  }
  QTreeView *tree_;
};
} // namespace

DetailsPanel::DetailsPanel(DetailsModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  tree_ = new QTreeView(this);
  tree_->setModel(model);
  tree_->setItemDelegate(new DetailsDelegate(tree_));
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(false);
  tree_->setMouseTracking(true);
  tree_->setIndentation(14);
  tree_->setAllColumnsShowFocus(true);
  tree_->setAccessibleName(tr("Details of the selected op"));
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->header()->setMinimumSectionSize(60);
  tree_->header()->setStretchLastSection(true);
  hint_ = new EmptyHint(tree_, {}, {});
  setWaiting(false);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  card_ = new EdgeCard;
  auto *split = new QSplitter(Qt::Vertical);
  split->setChildrenCollapsible(false);
  split->addWidget(card_);
  split->addWidget(tree_);
  split->setSizes({450, 200});
  layout->addWidget(split);
  connect(card_, &EdgeCard::linkActivated, this, [this](const QString &target) {
    if (target.startsWith(u"op:"_s))
      emit opActivated(target.mid(3).toLongLong());
  });

  setFocusProxy(tree_);
  connect(card_, &EdgeCard::filled, this, &DetailsPanel::filled);
  const auto tellEmpty = [this] {
    if (model_->rowCount() == 0 && card_->isHidden())
      emit emptied();
  };
  connect(card_, &EdgeCard::emptied, this, tellEmpty);
  connect(model, &QAbstractItemModel::modelReset, this, tellEmpty);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    if (model_->rowCount() > 0)
      emit filled();
    tree_->expandAll();
    fitNames();
  });
  // One click follows a link; the second one of a double click would be on what is there then.
  connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex &index) {
    if (isDetailsLink(index) && (!followed_.isValid() || followed_.elapsed() > QApplication::doubleClickInterval())) {
      followed_.start();
      follow(index);
    }
  });
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex &index) {
    if (QApplication::mouseButtons() == Qt::NoButton &&
        (!followed_.isValid() || followed_.elapsed() > QApplication::doubleClickInterval()))
      follow(index);
  });
  connect(tree_, &QTreeView::entered, this, [this](const QModelIndex &index) {
    tree_->viewport()->setCursor(isDetailsLink(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
  });
  connect(tree_->header(), &QHeaderView::sectionResized, tree_, [this] { tree_->doItemsLayout(); });
  connect(tree_, &QWidget::customContextMenuRequested, this, &DetailsPanel::showMenu);
}

void DetailsPanel::follow(const QModelIndex &index) {
  const QModelIndex name = index.siblingAtColumn(DetailsModel::Name);
  if (const QVariant op = name.data(DetailsModel::OpRole); op.isValid())
    emit opActivated(op.toLongLong());
  else if (const QVariant line = name.data(DetailsModel::LineRole); line.isValid())
    emit originActivated(line.toInt());
  else if (name.data(DetailsModel::DecisionRole).toBool())
    emit decisionActivated();
}

/// Names are read first; values have their tool tips.
void DetailsPanel::fitNames() {
  tree_->resizeColumnToContents(DetailsModel::Name);
  tree_->header()->resizeSection(DetailsModel::Name,
                                 std::clamp(tree_->columnWidth(DetailsModel::Name), 90, std::max(90, width() * 2 / 5)));
}

void DetailsPanel::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  fitNames();
}

void DetailsPanel::setWaiting(bool isWaiting) {
  if (isWaiting)
    hint_->setText(tr("Loading\u2026"), tr("The engine has other work first."));
  else
    hint_->setText(tr("Nothing selected"),
                   tr("Select a node of the graph or a line of the text to see its types, maps, attributes and cost."));
  if (isWaiting)
    emit filled();
}

void DetailsPanel::showMenu(const QPoint &position) {
  const QModelIndex index = tree_->indexAt(position).siblingAtColumn(DetailsModel::Value);
  if (!index.isValid())
    return;
  QMenu menu(this);
  menu.addAction(lineIcon(u"copy"_s), tr("Copy Value"), this,
                 [text = index.data(Qt::EditRole).toString()] { QApplication::clipboard()->setText(text); });
  menu.exec(tree_->viewport()->mapToGlobal(position));
}

} // namespace fuselage
