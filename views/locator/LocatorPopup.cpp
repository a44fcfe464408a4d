#include "views/locator/LocatorPopup.h"
#include "views/common/Theme.h"
#include "views/locator/LocatorDelegate.h"
#include "views/locator/LocatorQuery.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int widest = 780, rowsInSight = 14;

LocatorPopup::LocatorPopup(QWidget *parent)
    : QFrame(parent), model_(this), delegate_(new LocatorDelegate(this)), edit_(new QLineEdit(this)),
      list_(new QListView(this)), note_(new QLabel(this)) {
  setObjectName("locator"_L1);
  setFrameShape(QFrame::StyledPanel);
  setFrameShadow(QFrame::Raised);
  setAutoFillBackground(true);
  setAccessibleName(tr("Go to anything"));
  edit_->setPlaceholderText(tr("Go to an op, value, layer, step, command, help page…"));
  edit_->setAccessibleName(tr("Go to anything"));
  edit_->addAction(lineIcon(u"search"_s), QLineEdit::LeadingPosition);
  edit_->setClearButtonEnabled(true);
  edit_->installEventFilter(this);
  list_->setModel(&model_);
  list_->setItemDelegate(delegate_);
  list_->setUniformItemSizes(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setSelectionMode(QAbstractItemView::SingleSelection);
  list_->setAccessibleName(tr("Results"));
  note_->setContentsMargins(4, 0, 4, 0);
  note_->setTextFormat(Qt::PlainText);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 6);
  layout->setSpacing(6);
  layout->addWidget(edit_);
  layout->addWidget(list_, 1);
  layout->addWidget(note_);
  connect(edit_, &QLineEdit::textChanged, this, [this](const QString &text) {
    hasMoved_ = false;
    delegate_->setWords(LocatorQuery::parse(text).text);
    emit typed(text);
  });
  connect(list_, &QListView::clicked, this, [this](const QModelIndex &index) {
    choose(index.row(), false);
    accept();
  });
  parent->installEventFilter(this);
  hide();
}

void LocatorPopup::open(const QString &typed) {
  if (!isVisible())
    focusBefore_ = window()->focusWidget();
  hasMoved_ = false;
  if (edit_->text() == typed)
    emit this->typed(typed);
  else
    edit_->setText(typed);
  place();
  show();
  raise();
  edit_->setFocus(Qt::ShortcutFocusReason);
}

void LocatorPopup::close() {
  if (!isVisible())
    return;
  isHeld_ = true; // the keyboard leaves by our hand
  hide();
  if (focusBefore_)
    focusBefore_->setFocus(Qt::PopupFocusReason);
  isHeld_ = false;
}

void LocatorPopup::place() {
  const QWidget *parent = parentWidget();
  const int width = std::min(widest, parent->width() - 32);
  const int row = list_->sizeHintForRow(0) > 0 ? list_->sizeHintForRow(0) : fontMetrics().height() + 12;
  const int rows = std::clamp(model_.rowCount(), 1, rowsInSight);
  const int rest = edit_->sizeHint().height() + note_->sizeHint().height() + 8 + 6 + 2 * 6 + 2 * frameWidth();
  constexpr int top = 56;
  const int height = std::min(rest + rows * row + 2, parent->height() - top - 24);
  setGeometry((parent->width() - width) / 2, top, width, height);
}

void LocatorPopup::setEntries(const QList<LocatorEntry> &entries) {
  const QString before = hasMoved_ && current() ? current()->key() : QString();
  model_.setEntries(entries);
  const int same = before.isEmpty() ? -1 : model_.rowOf(before);
  choose(same >= 0 ? same : model_.firstEnabled(), false);
  place();
}

void LocatorPopup::setNote(const QString &note) {
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, mutedText(palette()));
  note_->setPalette(colours);
  note_->setText(note);
}

const LocatorEntry *LocatorPopup::current() const { return model_.at(list_->currentIndex().row()); }

void LocatorPopup::choose(int row, bool byUser) {
  list_->setCurrentIndex(model_.index(row, 0));
  list_->scrollTo(list_->currentIndex());
  hasMoved_ |= byUser;
  if (const LocatorEntry *entry = byUser ? current() : nullptr)
    emit moved(LocatorEntry(*entry));
}

/// To the row so far away, or the last one before it that can be chosen.
void LocatorPopup::moveBy(int rows) {
  const int count = model_.rowCount(), direction = rows < 0 ? -1 : 1;
  int at = list_->currentIndex().row(), best = -1;
  const int target = std::clamp(at + rows, 0, count - 1);
  for (int row = at + direction; row >= 0 && row < count; row += direction) {
    const bool isBeyond = direction > 0 ? row > target : row < target;
    if (isBeyond && best >= 0)
      break;
    if (model_.at(row)->isEnabled)
      best = row;
  }
  if (best >= 0)
    choose(best, true);
}

void LocatorPopup::accept() {
  const LocatorEntry *entry = current();
  if (!entry || !entry->isEnabled)
    return;
  const LocatorEntry taken = *entry;
  if (taken.kind == LocatorKind::Prefix) {
    edit_->setText(taken.name);
    return;
  }
  emit accepted(taken);
}

bool LocatorPopup::handleKey(int key) {
  switch (key) {
  case Qt::Key_Up:
    moveBy(-1);
    return true;
  case Qt::Key_Down:
    moveBy(1);
    return true;
  case Qt::Key_PageUp:
    moveBy(-rowsInSight + 1);
    return true;
  case Qt::Key_PageDown:
    moveBy(rowsInSight - 1);
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    accept();
    return true;
  case Qt::Key_Escape:
    emit cancelled();
    return true;
  default:
    return false;
  }
}

bool LocatorPopup::eventFilter(QObject *watched, QEvent *event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
    place();
  if (watched != edit_)
    return QFrame::eventFilter(watched, event);
  if (event->type() == QEvent::ShortcutOverride) { // ours, whatever command has the key
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Up ||
        key == Qt::Key_Down)
      event->accept();
    return false;
  }
  if (event->type() == QEvent::KeyPress)
    return handleKey(static_cast<QKeyEvent *>(event)->key());
  if (event->type() == QEvent::FocusOut && isVisible() && !isHeld_ &&
      static_cast<QFocusEvent *>(event)->reason() != Qt::ActiveWindowFocusReason &&
      static_cast<QFocusEvent *>(event)->reason() != Qt::PopupFocusReason) {
    hide();
    emit left();
  }
  return false;
}

} // namespace fuselage
