#include "views/charts/DispatchCards.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int gap = 10, head = 26, titleLine = 20, opLine = 18, pad = 8;

DispatchCards::DispatchCards(const CompareModel *model, QWidget *parent) : QAbstractScrollArea(parent), model_(model) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("The selected dispatches on both sides"));
  connect(model_, &QAbstractItemModel::modelReset, this, [this] { setRow(-1); });
  connect(model_, &QAbstractItemModel::dataChanged, this, [this] { setRow(row_); });
}

void DispatchCards::setRow(int row) {
  row_ = model_->rowAt(row) ? row : -1;
  current_ = -1;
  cards_.clear();
  addCards(false);
  addCards(true);
  markShared();
  placeCards();
  verticalScrollBar()->setValue(0);
  QStringList said;
  for (const Card &card : cards_)
    said.append((card.ofB ? u"B: "_s : u"A: "_s) + card.title);
  setAccessibleDescription(said.join(u", "_s));
  viewport()->update();
}

/// Why a dispatch is apart from another one of its row, which the compiler beside it has as one with it.
QString DispatchCards::reasonText(const protocol::ComparedReason &reason) const {
  const protocol::ComparedSide &side = reason.ofB ? model_->comparison().b : model_->comparison().a;
  return tr("apart from %1: %2").arg(side.dispatches.value(reason.to).name, reason.code);
}

void DispatchCards::addCards(bool ofB) {
  const protocol::ComparedRow *row = model_->rowAt(row_);
  if (!row)
    return;
  for (const int index : ofB ? row->b : row->a) {
    const protocol::ComparedDispatch &dispatch =
        (ofB ? model_->comparison().b : model_->comparison().a).dispatches[index];
    Card card;
    card.ofB = ofB;
    card.dispatch = index;
    card.title = dispatch.name;
    QStringList costs;
    if (dispatch.bytes >= 0)
      costs.append((dispatch.bytesAtMost ? u"\u2264 "_s : QString()) + formatBytes(dispatch.bytes));
    if (dispatch.flops > 0)
      costs.append(formatFlops(dispatch.flops));
    if (const double time = model_->timeOf(ofB, index); time >= 0)
      costs.append(formatMicroseconds(time));
    card.costs = costs.join(u" \u00b7 "_s);
    for (const QString &op : dispatch.ops)
      card.ops.append({.text = op, .isShared = true});
    for (const protocol::ComparedReason &reason : row->reasons)
      if (reason.ofB == ofB && reason.from == index)
        card.ops.append({.text = reasonText(reason), .isShared = true});
    cards_.append(card);
  }
}

/// "matmul 197x768" of "batch_matmul 1x197x768": dimensions of one and the word for them make no other op.
static QString plainName(const QString &op) {
  QStringList words = op.split(u' ', Qt::SkipEmptyParts);
  for (QString &word : words) {
    QStringList sizes = word.split(u'x');
    const bool isShape = sizes.size() > 1 && std::all_of(sizes.begin(), sizes.end(), [](const QString &size) {
                           return !size.isEmpty() && (size == u"?"_s || size.front().isDigit());
                         });
    if (isShape) {
      sizes.removeAll(u"1"_s);
      word = sizes.join(u'x');
    } else if (word.startsWith(u"batch_"_s)) {
      word.remove(0, 6);
    }
  }
  return words.join(u' ');
}

/// An op is there on both sides as often as the side has it that has it less often.
void DispatchCards::markShared() {
  for (const bool ofB : {false, true}) {
    QHash<QString, int> others;
    for (const Card &card : std::as_const(cards_))
      if (card.ofB != ofB)
        for (const Line &op : card.ops)
          ++others[plainName(op.text)];
    for (Card &card : cards_)
      if (card.ofB == ofB)
        for (Line &op : card.ops)
          op.isShared = others[plainName(op.text)]-- > 0;
  }
}

void DispatchCards::placeCards() {
  const int width = std::max(120, (viewport()->width() - 3 * gap) / 2);
  int bottom[2] = {head + gap / 2, head + gap / 2};
  for (Card &card : cards_) {
    int &top = bottom[card.ofB];
    const int height = 2 * pad + titleLine + (card.costs.isEmpty() ? 0 : opLine) + int(card.ops.size()) * opLine;
    card.place = QRect(card.ofB ? 2 * gap + width : gap, top, width, height);
    top += height + gap;
  }
  verticalScrollBar()->setRange(0, std::max(0, std::max(bottom[0], bottom[1]) - viewport()->height()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(opLine);
}

void DispatchCards::paintHead(QPainter &painter, bool ofB, const QRect &place) const {
  const Theme &theme = Theme::of(palette());
  const protocol::ComparedSide &side = ofB ? model_->comparison().b : model_->comparison().a;
  painter.setFont(uiFont(12, QFont::DemiBold));
  painter.setPen(theme.text);
  painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, ofB ? u"B"_s : u"A"_s);
  painter.setFont(uiFont(11));
  painter.setPen(theme.textMuted);
  const QRect name = place.adjusted(16, 0, 0, 0);
  painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(side.name, Qt::ElideMiddle, name.width()));
}

void DispatchCards::paintCard(QPainter &painter, const Card &card, const QRect &place, bool isCurrent) const {
  const Theme &theme = Theme::of(palette());
  const QColor hue = theme.dispatch(card.dispatch);
  painter.setPen(QPen(isCurrent ? theme.accent : mix(hue, theme.border, 0.5), isCurrent ? 2 : 1));
  painter.setBrush(mix(hue, theme.surface, theme.dark ? 0.12 : 0.06));
  painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  QRect line = place.adjusted(pad + 2, pad, -pad, 0);
  const auto write = [&](const QString &text, const QFont &font, const QColor &colour, int height, int indent) {
    painter.setFont(font);
    painter.setPen(colour);
    QRect room = line;
    room.setHeight(height);
    room.setLeft(room.left() + indent);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
    line.setTop(line.top() + height);
  };
  write(card.title, uiFont(12, QFont::DemiBold), theme.text, titleLine, 0);
  if (!card.costs.isEmpty())
    write(card.costs, uiFont(11), theme.textMuted, opLine, 0);
  for (const Line &op : card.ops) {
    const QPointF dot(line.left() + 4, line.top() + opLine / 2.0);
    // A ring for what only this side has: the sign does not need its colour.
    painter.setPen(QPen(op.isShared ? hue : theme.warning, 1.5));
    painter.setBrush(op.isShared ? QBrush(hue) : QBrush(Qt::NoBrush));
    painter.drawEllipse(dot, 3, 3);
    write(op.text, uiFont(11), op.isShared ? theme.text : theme.warning, opLine, 14);
  }
}

void DispatchCards::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const Theme &theme = Theme::of(palette());
  painter.fillRect(viewport()->rect(), theme.surfaceMuted);
  painter.setRenderHint(QPainter::Antialiasing);
  const int scrolled = verticalScrollBar()->value();
  if (row_ < 0) {
    painter.setFont(uiFont(12));
    painter.setPen(theme.textMuted);
    painter.drawText(viewport()->rect().adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Select a row to compare the dispatches of both sides."));
    return;
  }
  for (int card = 0; card < cards_.size(); ++card)
    if (const QRect place = cards_[card].place.translated(0, -scrolled); place.intersects(viewport()->rect()))
      paintCard(painter, cards_[card], place, card == current_ && hasFocus());
  const int width = (viewport()->width() - 3 * gap) / 2;
  painter.fillRect(QRect(0, 0, viewport()->width(), head), theme.surfaceMuted);
  paintHead(painter, false, {gap, 0, width, head});
  paintHead(painter, true, {2 * gap + width, 0, width, head});
}

void DispatchCards::resizeEvent(QResizeEvent *event) {
  QAbstractScrollArea::resizeEvent(event);
  placeCards();
}

int DispatchCards::cardAt(QPoint position) const {
  for (int card = 0; card < cards_.size(); ++card)
    if (cards_[card].place.contains(position + QPoint(0, verticalScrollBar()->value())))
      return card;
  return -1;
}

void DispatchCards::setCurrent(int card) {
  current_ = card;
  if (card >= 0) {
    const QRect place = cards_[card].place;
    QScrollBar *bar = verticalScrollBar();
    bar->setValue(
        std::clamp(bar->value(), place.bottom() - viewport()->height() + gap, std::max(0, place.top() - head)));
  }
  viewport()->update();
}

void DispatchCards::mousePressEvent(QMouseEvent *event) {
  const int card = cardAt(event->pos());
  setCurrent(card);
  if (card >= 0)
    emit activated(cards_[card].ofB, cards_[card].dispatch);
}

void DispatchCards::keyPressEvent(QKeyEvent *event) {
  const int last = int(cards_.size()) - 1;
  switch (event->key()) {
  case Qt::Key_Down:
  case Qt::Key_Right:
    return setCurrent(std::min(last, current_ + 1));
  case Qt::Key_Up:
  case Qt::Key_Left:
    return setCurrent(std::clamp(current_ - 1, std::min(0, last), std::max(last, -1)));
  case Qt::Key_Return:
  case Qt::Key_Enter:
  case Qt::Key_Space:
    if (current_ >= 0)
      emit activated(cards_[current_].ofB, cards_[current_].dispatch);
    return;
  default:
    QAbstractScrollArea::keyPressEvent(event);
  }
}

bool DispatchCards::viewportEvent(QEvent *event) {
  if (event->type() != QEvent::ToolTip)
    return QAbstractScrollArea::viewportEvent(event);
  const auto *help = static_cast<QHelpEvent *>(event);
  const int card = cardAt(help->pos());
  QStringList lines;
  if (card >= 0) {
    lines.append(cards_[card].title);
    for (const Line &op : cards_[card].ops)
      lines.append(op.isShared ? op.text : tr("%1 (only here)").arg(op.text));
  }
  QToolTip::showText(help->globalPos(), lines.join(u'\n'), viewport());
  return true;
}

} // namespace fuselage
