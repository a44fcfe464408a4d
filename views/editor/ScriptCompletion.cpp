#include "views/editor/ScriptCompletion.h"
#include "views/common/Theme.h"
#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int visibleRows = 9, widest = 560, padding = 6;

static TokenKind tokenOf(const QString &kind) {
  static const QHash<QString, TokenKind> kinds{
      {u"op"_s, TokenKind::Op},           {u"pattern"_s, TokenKind::Op},  {u"handle"_s, TokenKind::Value},
      {u"symbol"_s, TokenKind::Symbol},   {u"type"_s, TokenKind::Type},   {u"attribute"_s, TokenKind::Attribute},
      {u"keyword"_s, TokenKind::Keyword}, {u"pass"_s, TokenKind::String}, {u"payload"_s, TokenKind::String}};
  return kinds.value(kind, TokenKind::Plain);
}

namespace {
/// The name in the colour that it has in the text, and the first line of what there is to say behind it.
class CompletionDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    const Theme &theme = Theme::of(option.palette);
    const bool isCurrent = option.state & QStyle::State_Selected;
    painter->fillRect(option.rect, isCurrent ? theme.accentSoft : theme.surfaceRaised);
    QRect room = option.rect.adjusted(padding, 0, -padding, 0);
    const QFontMetrics metrics(option.font);
    const QString text = index.data().toString();
    painter->setFont(option.font);
    painter->setPen(theme.token(tokenOf(index.data(Qt::UserRole).toString())));
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideMiddle, room.width()));
    room.setLeft(room.left() + metrics.horizontalAdvance(text) + 2 * padding);
    if (room.width() < 8 * padding)
      return;
    painter->setFont(uiFont(int(option.fontMetrics.height() * 0.72)));
    painter->setPen(theme.textMuted);
    const QString detail = index.data(Qt::UserRole + 1).toString().section(u'\n', 0, 0);
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(detail, Qt::ElideRight, room.width()));
  }
};
} // namespace

ScriptCompletion::ScriptCompletion(QWidget *editor)
    : QFrame(editor), editor_(editor), list_(new QListWidget(this)), detail_(new QLabel(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setFocusPolicy(Qt::NoFocus);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setAccessibleName(tr("Completions"));
  list_->setItemDelegate(new CompletionDelegate(list_));
  detail_->setWordWrap(true);
  detail_->setTextFormat(Qt::PlainText);
  detail_->setContentsMargins(padding, 3, padding, 3);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->setSpacing(0);
  layout->addWidget(list_, 1);
  layout->addWidget(detail_);
  connect(list_, &QListWidget::currentRowChanged, this, &ScriptCompletion::showDetail);
  connect(list_, &QListWidget::itemClicked, this, &ScriptCompletion::accepted);
  hide();
}

void ScriptCompletion::offer(const QList<protocol::ScriptCompletionItem> &items, const QString &word,
                             const QRect &caret) {
  items_ = items;
  caret_ = caret;
  isChosen_ &= isVisible();
  narrow(word);
}

void ScriptCompletion::narrow(const QString &word) {
  word_ = word;
  const QString chosen = isChosen_ && current() ? current()->text : QString();
  const QSignalBlocker blocker(list_);
  list_->clear();
  list_->setFont(monoFont());
  for (int i = 0; i < items_.size(); ++i) {
    if (!items_[i].text.contains(word, Qt::CaseInsensitive))
      continue;
    auto *item = new QListWidgetItem(items_[i].text, list_);
    item->setData(Qt::UserRole, items_[i].kind);
    item->setData(Qt::UserRole + 1, items_[i].detail);
    item->setData(Qt::UserRole + 2, i);
    if (items_[i].text == chosen)
      list_->setCurrentItem(item);
  }
  if (list_->count() == 0)
    return hide();
  if (list_->currentRow() < 0) {
    isChosen_ = false;
    list_->setCurrentRow(0);
  }
  place(caret_);
  showDetail();
  show();
  raise();
}

/// Within the window, so that a low editor does not cut it off.
void ScriptCompletion::place(const QRect &caret) {
  QWidget *window = editor_->window();
  if (parentWidget() != window)
    setParent(window);
  const int rows = std::min(visibleRows, list_->count());
  list_->setFixedHeight(rows * list_->sizeHintForRow(0));
  const QString detail = current() ? current()->detail : QString();
  detail_->setVisible(detail.contains(u'\n'));
  setFixedWidth(std::min(widest, window->width() - 20));
  detail_->setFixedHeight(detail_->isVisibleTo(this) ? 2 * QFontMetrics(detail_->font()).lineSpacing() + 6 : 0);
  resize(width(), list_->height() + detail_->height() + 2 * frameWidth() + 2);
  QPoint at = window->mapFromGlobal(editor_->mapToGlobal(caret.bottomLeft() + QPoint(0, 3)));
  if (at.y() + height() > window->height())
    at.setY(window->mapFromGlobal(editor_->mapToGlobal(caret.topLeft())).y() - height() - 3);
  at.setX(std::clamp(at.x(), 0, std::max(0, window->width() - width() - 4)));
  QFrame::move(at);
}

void ScriptCompletion::showDetail() {
  const protocol::ScriptCompletionItem *item = current();
  const QString syntax = item ? QString(item->detail).section(u'\n', 1) : QString();
  detail_->setText(syntax);
  detail_->setToolTip(item ? item->detail : QString());
  place(caret_);
}

void ScriptCompletion::move(int rows) {
  isChosen_ = true;
  list_->setCurrentRow(std::clamp(list_->currentRow() + rows, 0, list_->count() - 1));
}

bool ScriptCompletion::isComplete() const { return current() && current()->text == word_; }

const protocol::ScriptCompletionItem *ScriptCompletion::current() const {
  const QListWidgetItem *item = list_->currentItem();
  const int index = item ? item->data(Qt::UserRole + 2).toInt() : -1;
  return index >= 0 && index < items_.size() ? &items_[index] : nullptr;
}

void ScriptCompletion::changeEvent(QEvent *event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    list_->viewport()->update();
}

} // namespace fuselage
