#include "views/panels/NotesPanel.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include "views/widgets/Tables.h"
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
/// What is lost is muted, what is not sure in the colour of warnings; what a note is on has its icon.
class NoteDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto state = protocol::NoteState(index.data(NotesModel::StateRole).toInt());
    if (state == protocol::NoteState::Lost || state == protocol::NoteState::NoStep)
      option->palette.setColor(QPalette::Text, mutedText(option->palette));
    else if (state == protocol::NoteState::Unsure && index.column() == NotesModel::Where)
      option->palette.setColor(QPalette::Text, signalColours(option->palette).warning);
    if (index.column() != NotesModel::About)
      return;
    static const QString icons[] = {u"ops"_s, u"fuse"_s, u"steps"_s};
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(16, 16);
    option->icon = lineIcon(icons[index.data(NotesModel::KindRole).toInt()]);
  }
};
} // namespace

NotesPanel::NotesPanel(NotesModel *model, QWidget *parent) : QWidget(parent), model_(model) {
  filter_.setSourceModel(model);
  filterEdit_ = new QLineEdit(this);
  filterEdit_->setPlaceholderText(tr("Filter notes"));
  filterEdit_->setAccessibleName(tr("Filter notes"));
  filterEdit_->setClearButtonEnabled(true);
  filterEdit_->addAction(lineIcon(u"filter"_s), QLineEdit::LeadingPosition);
  table_ = makeTable(&filter_, tr("Notes"));
  table_->setItemDelegate(new NoteDelegate(table_));
  table_->setEditTriggers(QAbstractItemView::EditKeyPressed); // F2
  table_->sortByColumn(-1, Qt::AscendingOrder);               // as they were made, until somebody sorts
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->installEventFilter(this);
  fitColumns(table_, {2, 3, 2});
  auto *hint =
      new EmptyHint(table_, tr("No notes"),
                    tr("Ctrl+B puts a bookmark on the selected op, edge or step. It is kept beside the file."));
  hint->watchFilter(filterEdit_);
  editor_ = new QPlainTextEdit(this);
  editor_->setAccessibleName(tr("Text of the selected note"));
  editor_->setPlaceholderText(tr("Note on the selected bookmark"));
  editor_->setTabChangesFocus(true);
  editor_->setEnabled(false);
  editor_->installEventFilter(this);
  place_ = new QLabel(this);
  place_->setWordWrap(true);
  place_->hide();

  auto *list = new QWidget(this);
  auto *column = new QVBoxLayout(list);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(filterEdit_);
  column->addWidget(table_, 1);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(list);
  splitter->addWidget(editor_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setChildrenCollapsible(false);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(splitter, 1);
  layout->addWidget(place_);
  setFocusProxy(table_);

  connect(filterEdit_, &QLineEdit::textChanged, &filter_, &NotesFilter::setWords);
  connect(table_, &QTableView::doubleClicked, this,
          [this](const QModelIndex &index) { emit activated(sourceRow(index)); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &NotesPanel::showCurrent);
  connect(model, &QAbstractItemModel::dataChanged, this, &NotesPanel::showCurrent);
  connect(model, &QAbstractItemModel::modelReset, this, &NotesPanel::showCurrent);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &NotesPanel::showCurrent);
  connect(editor_, &QPlainTextEdit::textChanged, this, [this] {
    if (const int row = currentRow(); row >= 0 && !isShowing_)
      model_->setText(row, editor_->toPlainText());
  });
  connect(table_, &QWidget::customContextMenuRequested, this, &NotesPanel::showMenu);
}

int NotesPanel::sourceRow(const QModelIndex &index) const {
  return index.isValid() ? filter_.mapToSource(index).row() : -1;
}
int NotesPanel::currentRow() const { return sourceRow(table_->currentIndex()); }

void NotesPanel::setCurrentRow(int row, bool edits) {
  if (!filter_.mapFromSource(model_->index(row, 0)).isValid())
    filterEdit_->clear();
  table_->setCurrentIndex(filter_.mapFromSource(model_->index(row, 0)));
  if (edits)
    editor_->setFocus(Qt::OtherFocusReason);
}

void NotesPanel::setPlace(const QString &sentence) {
  place_->setText(sentence);
  place_->setVisible(!sentence.isEmpty());
}

/// The words of the selected note; those that are being typed stay as they are.
void NotesPanel::showCurrent() {
  const int row = currentRow();
  const QString text = row < 0 ? QString() : model_->notes()[row].text;
  editor_->setEnabled(row >= 0);
  const QScopedValueRollback showing(isShowing_, true);
  if (editor_->toPlainText() != text)
    editor_->setPlainText(text);
}

void NotesPanel::showMenu(const QPoint &position) {
  const int row = sourceRow(table_->indexAt(position));
  if (row < 0)
    return;
  QMenu menu(this);
  menu.addAction(tr("Go There"), this, [this, row] { emit activated(row); });
  menu.addAction(tr("Edit Text"), this, [this, row] { setCurrentRow(row, true); });
  menu.addSeparator();
  menu.addAction(tr("Remove"), this, [this, row] { emit removeRequested(row); });
  menu.exec(table_->viewport()->mapToGlobal(position));
}

bool NotesPanel::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::KeyPress)
    return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent *>(event)->key();
  if (watched == editor_ && key == Qt::Key_Escape) {
    table_->setFocus(Qt::OtherFocusReason);
    return true;
  }
  if (watched == table_ && currentRow() >= 0) {
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      emit activated(currentRow());
      return true;
    }
    if (key == Qt::Key_Delete) {
      emit removeRequested(currentRow());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace fuselage
