#include "views/panels/ProblemsPanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// The icon of the severity in front of the message.
class ProblemDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == ProblemsModel::Location) {
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
      return;
    }
    const QString severity = index.data(ProblemsModel::SeverityRole).toString();
    const SignalColours colours = signalColours(option->palette);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(16, 16);
    if (severity == "error"_L1)
      option->icon = lineIcon(u"error"_s, colours.error);
    else if (severity == "warning"_L1)
      option->icon = lineIcon(u"warning"_s, colours.warning);
    else
      option->icon = lineIcon(u"info"_s, colours.info);
  }
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(std::max(size.height(), option.fontMetrics.height() + 6));
    return size;
  }
};
} // namespace

ProblemsPanel::ProblemsPanel(ProblemsModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  list_ = new QTreeView(this);
  list_->setModel(model);
  list_->setItemDelegate(new ProblemDelegate(list_));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setHeaderHidden(true);
  list_->setIndentation(18);
  list_->setAllColumnsShowFocus(true);
  list_->setExpandsOnDoubleClick(false);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->setAccessibleName(tr("Problems"));
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(ProblemsModel::Message, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(ProblemsModel::Location, QHeaderView::ResizeToContents);
  new EmptyHint(list_, tr("No problems"), tr("Errors and warnings of files, passes and kernels appear here."));
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(list_);

  setFocusProxy(list_);
  connect(model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &parent) {
    if (!parent.isValid())
      list_->expandAll();
  });
  connect(list_, &QTreeView::activated, this, [this](const QModelIndex &index) {
    const qint64 op = index.data(ProblemsModel::OpRole).toLongLong();
    if (op >= 0 && index.data(ProblemsModel::StepRole).toInt() >= 0)
      emit opActivated(index.data(ProblemsModel::StepRole).toInt(), op, index.data(ProblemsModel::OpLineRole).toInt());
    else if (const int line = index.data(ProblemsModel::LineRole).toInt(); line > 0)
      emit placeActivated(index.data(ProblemsModel::FileRole).toString(), line,
                          index.data(ProblemsModel::ColumnRole).toInt());
  });
  connect(list_, &QWidget::customContextMenuRequested, this, &ProblemsPanel::showMenu);
}

void ProblemsPanel::showMenu(const QPoint &position) {
  QMenu menu(this);
  const QModelIndex index = list_->indexAt(position);
  if (index.isValid())
    menu.addAction(lineIcon(u"copy"_s), tr("Copy"), this,
                   [text = index.data(Qt::ToolTipRole).toString()] { QApplication::clipboard()->setText(text); });
  menu.addAction(tr("Copy All"), this, [this] { QApplication::clipboard()->setText(model_->toText()); });
  menu.exec(list_->viewport()->mapToGlobal(position));
}

} // namespace fuselage
