#include "views/dialogs/ShortcutTable.h"
#include "views/widgets/EmptyHint.h"
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

KeyField::KeyField(QWidget *parent) : QLineEdit(parent) {
  setReadOnly(true);
  setContextMenuPolicy(Qt::NoContextMenu);
}

/// Every key is for this field, also one that is a shortcut; but Tab leads on.
bool KeyField::event(QEvent *event) {
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  return QLineEdit::event(event);
}

void KeyField::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Control:
  case Qt::Key_Shift:
  case Qt::Key_Alt:
  case Qt::Key_AltGr:
  case Qt::Key_Meta:
  case Qt::Key_unknown:
  case Qt::Key_Tab:
  case Qt::Key_Backtab:
    return event->ignore();
  case Qt::Key_Escape:
    if (event->modifiers() == Qt::NoModifier)
      return event->ignore(); // of the dialog
    break;
  case Qt::Key_Backspace:
  case Qt::Key_Delete:
    if (event->modifiers() == Qt::NoModifier) {
      emit keyPressed({});
      return;
    }
    break;
  default:
    break;
  }
  Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
  const bool isLetter = event->key() >= Qt::Key_A && event->key() <= Qt::Key_Z;
  if (!isLetter && event->key() < Qt::Key_Escape && !event->text().isEmpty() &&
      !(modifiers & (Qt::ControlModifier | Qt::AltModifier)))
    modifiers &= ~Qt::ShiftModifier; // "?" has it in it
  emit keyPressed(QKeySequence(QKeyCombination(modifiers, Qt::Key(event->key()))));
}

static QString textOf(const QList<QKeySequence> &keys) {
  QStringList texts;
  for (const QKeySequence &key : keys)
    texts.append(key.toString(QKeySequence::NativeText));
  return texts.join(u", "_s);
}

ShortcutTable::ShortcutTable(QWidget *parent)
    : QWidget(parent), tree_(new QTreeWidget(this)), field_(new KeyField(this)), message_(new QLabel(this)),
      reassign_(new QPushButton(tr("Reassign"), this)), reset_(new QPushButton(tr("Reset"), this)),
      resetAll_(new QPushButton(tr("Reset All"), this)) {
  tree_->setHeaderLabels({tr("Command"), tr("Keys")});
  tree_->setAccessibleName(tr("Shortcuts"));
  tree_->setUniformRowHeights(true);
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  tree_->header()->setStretchLastSection(false);
  field_->setPlaceholderText(tr("Press the new key"));
  field_->setAccessibleName(tr("New key"));
  field_->setToolTip(tr("Click here and press the key; Backspace leaves the command without one"));
  message_->setWordWrap(true);
  reassign_->hide();
  for (QPushButton *button : {reassign_, reset_, resetAll_})
    button->setAutoDefault(false);
  auto *line = new QHBoxLayout;
  line->addWidget(field_, 1);
  line->addWidget(reset_);
  line->addWidget(resetAll_);
  auto *news = new QHBoxLayout;
  news->addWidget(message_, 1);
  news->addWidget(reassign_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 6, 0, 0);
  layout->addWidget(tree_, 1);
  layout->addLayout(line);
  layout->addLayout(news);
  connect(tree_, &QTreeWidget::currentItemChanged, this, &ShortcutTable::showCurrent);
  connect(tree_, &QTreeWidget::itemActivated, field_, [this] { field_->setFocus(); });
  connect(field_, &KeyField::keyPressed, this, &ShortcutTable::choose);
  connect(reassign_, &QPushButton::clicked, this, &ShortcutTable::reassign);
  connect(reset_, &QPushButton::clicked, this, &ShortcutTable::resetOne);
  connect(resetAll_, &QPushButton::clicked, this, &ShortcutTable::resetAllRequested);
  showCurrent();
}

void ShortcutTable::setRows(const QList<ShortcutRow> &rows) {
  const ShortcutRow *before = current();
  const QString id = before ? before->id : QString();
  const int scrolled = tree_->verticalScrollBar()->value();
  rows_ = rows;
  items_.clear();
  tree_->clear();
  QHash<QString, QTreeWidgetItem *> groups;
  for (const ShortcutRow &row : rows) {
    if (row.id.isEmpty())
      continue;
    QTreeWidgetItem *&group = groups[row.group];
    if (!group) {
      group = new QTreeWidgetItem(tree_, {row.group});
      group->setFlags(Qt::ItemIsEnabled);
      group->setExpanded(true);
    }
    auto *item = new QTreeWidgetItem(group, {row.text, textOf(row.keys)});
    item->setData(0, Qt::UserRole, row.id);
    if (row.keys != row.defaults) {
      QFont bold = tree_->font();
      bold.setBold(true);
      item->setFont(1, bold);
      item->setToolTip(1,
                       row.defaults.isEmpty() ? tr("None by default") : tr("%1 by default").arg(textOf(row.defaults)));
    }
    items_.insert(row.id, item);
  }
  resetAll_->setEnabled(
      std::any_of(rows.begin(), rows.end(), [](const ShortcutRow &row) { return row.keys != row.defaults; }));
  setFilter(words_);
  tree_->verticalScrollBar()->setValue(scrolled);
  if (QTreeWidgetItem *item = items_.value(id))
    tree_->setCurrentItem(item);
  else
    showCurrent();
}

int ShortcutTable::setFilter(const QStringList &words) {
  words_ = words;
  int found = 0;
  QSet<QTreeWidgetItem *> groups;
  for (const ShortcutRow &row : std::as_const(rows_)) {
    QTreeWidgetItem *item = items_.value(row.id);
    if (!item)
      continue;
    const QString all = row.group + u' ' + row.text + u' ' + textOf(row.keys);
    const bool isFound = std::all_of(words.begin(), words.end(),
                                     [&](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
    item->setHidden(!isFound);
    if (isFound) {
      ++found;
      groups.insert(item->parent());
    }
  }
  for (int i = 0; i < tree_->topLevelItemCount(); ++i)
    tree_->topLevelItem(i)->setHidden(!groups.contains(tree_->topLevelItem(i)));
  if (const QTreeWidgetItem *current = tree_->currentItem(); current && current->isHidden())
    tree_->setCurrentItem(nullptr); // nobody changes what cannot be seen
  tree_->scrollToTop();
  return found;
}

void ShortcutTable::select(const QString &id) { tree_->setCurrentItem(items_.value(id)); }

QString ShortcutTable::message() const { return message_->text(); }

const ShortcutRow *ShortcutTable::current() const {
  const QTreeWidgetItem *item = tree_->currentItem();
  const QString id = item ? item->data(0, Qt::UserRole).toString() : QString();
  for (const ShortcutRow &row : rows_)
    if (!id.isEmpty() && row.id == id)
      return &row;
  return nullptr;
}

const ShortcutRow *ShortcutTable::ownerOf(const QKeySequence &key, const ShortcutRow &except) const {
  for (const ShortcutRow &row : rows_)
    if (row.id != except.id && row.keys.contains(key))
      return &row;
  return nullptr;
}

void ShortcutTable::showCurrent() {
  const ShortcutRow *row = current();
  field_->setText(row ? textOf(row->keys) : QString());
  field_->setEnabled(row);
  reset_->setEnabled(row && row->keys != row->defaults);
  say(row ? QString() : tr("Select a command to change its key. Changed keys are bold."), false);
}

void ShortcutTable::say(const QString &text, bool isConflict) {
  message_->setText(text);
  QPalette palette = tree_->palette();
  palette.setColor(QPalette::WindowText, isConflict ? signalColours(palette).warning : mutedText(palette));
  message_->setPalette(palette);
  reassign_->hide();
}

void ShortcutTable::choose(const QKeySequence &key) {
  const ShortcutRow *row = current();
  if (!row)
    return;
  wanted_ = {};
  field_->setText(key.toString(QKeySequence::NativeText));
  const ShortcutRow *owner = key.isEmpty() ? nullptr : ownerOf(key, *row);
  if (!owner) {
    emit keysChosen(QString(row->id), key.isEmpty() ? QList<QKeySequence>() : QList{key}); // which replaces the rows
    return;
  }
  const QString text = key.toString(QKeySequence::NativeText);
  if (owner->id.isEmpty()) {
    say(tr("%1 is taken: %2, %3. Press another key").arg(text, owner->group, owner->text), true);
    return;
  }
  say(tr("%1 is the key of %2: %3").arg(text, owner->group, owner->text), true);
  wanted_ = key;
  reassign_->show();
}

void ShortcutTable::reassign() {
  const ShortcutRow *row = current(), *owner = row ? ownerOf(wanted_, *row) : nullptr;
  if (!owner)
    return;
  const QString id = row->id, loser = owner->id;
  QList<QKeySequence> rest = owner->keys;
  rest.removeAll(wanted_);
  const QKeySequence key = std::exchange(wanted_, {});
  emit keysChosen(loser, rest); // rows are others from here on
  emit keysChosen(id, {key});
  field_->setFocus();
}

/// Its first keys may have gone to others.
void ShortcutTable::resetOne() {
  const ShortcutRow *row = current();
  if (!row)
    return;
  for (const QKeySequence &key : row->defaults)
    if (const ShortcutRow *owner = ownerOf(key, *row); owner && !owner->id.isEmpty()) {
      say(tr("%1 is the key of %2: %3").arg(key.toString(QKeySequence::NativeText), owner->group, owner->text), true);
      wanted_ = key;
      reassign_->show();
      return;
    }
  emit resetRequested(QString(row->id));
}

} // namespace fuselage
