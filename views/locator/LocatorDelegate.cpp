#include "views/locator/LocatorDelegate.h"
#include "views/common/Theme.h"
#include "views/locator/LocatorModel.h"
#include "views/widgets/Icons.h"
#include <QPainter>
#include <algorithm>

namespace fuselage {

static constexpr int margin = 10, iconSize = 16, gap = 8, tagWidth = 78;

QSize LocatorDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const {
  return {200, option.fontMetrics.height() + 12};
}

/// Letters of the words that stand in the name.
static QList<bool> lettersOf(const QStringList &words, const QString &name) {
  QList<bool> marked(name.size(), false);
  const QString lower = name.toLower();
  if (lower.size() != name.size())
    return marked;
  for (const QString &word : words) {
    if (const qsizetype at = lower.indexOf(word); at >= 0) {
      std::fill_n(marked.begin() + at, word.size(), true);
      continue;
    }
    qsizetype next = 0;
    for (qsizetype i = 0; i < lower.size() && next < word.size(); ++i)
      if (lower[i] == word[next]) {
        marked[i] = true;
        ++next;
      }
  }
  return marked;
}

/// Its width.
int LocatorDelegate::paintName(QPainter &painter, const QRect &room, const QFont &font, const QString &name,
                               const QColor &colour) const {
  QFont bold = font;
  bold.setWeight(QFont::Bold);
  const QString shown = QFontMetrics(bold).elidedText(name, Qt::ElideMiddle, room.width());
  const QList<bool> marked = lettersOf(words_, shown);
  int x = room.left();
  painter.setPen(colour);
  for (qsizetype begin = 0, end = 0; begin < shown.size(); begin = end) {
    while (end < shown.size() && marked[end] == marked[begin])
      ++end;
    const QString piece = shown.mid(begin, end - begin);
    painter.setFont(marked[begin] ? bold : font);
    painter.drawText(QRect(x, room.top(), room.right() - x + 8, room.height()), Qt::AlignVCenter, piece);
    x += QFontMetrics(painter.font()).horizontalAdvance(piece);
  }
  return x - room.left();
}

void LocatorDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
  const Theme &theme = Theme::of(option.palette);
  const bool isChosen = option.state & QStyle::State_Selected, isEnabled = index.flags() & Qt::ItemIsEnabled;
  const QRect row = option.rect;
  painter->save();
  painter->setClipRect(row);
  if (isChosen) {
    painter->fillRect(row, theme.accentSoft);
    painter->fillRect(QRect(row.left(), row.top(), 3, row.height()), theme.accent);
  }
  const QColor text = isEnabled ? theme.text : theme.textFaint, quiet = isEnabled ? theme.textMuted : theme.textFaint;
  const QRect icon(row.left() + margin, row.center().y() - iconSize / 2 + 1, iconSize, iconSize);
  lineIcon(kindIcon(LocatorKind(index.data(LocatorModel::KindRole).toInt())), quiet).paint(painter, icon);

  // From the right: what it is, its keys; what is left belongs to the name first.
  const QRect tag(row.right() - margin - tagWidth, row.top(), tagWidth, row.height());
  painter->setFont(option.font);
  painter->setPen(quiet);
  painter->drawText(tag, Qt::AlignVCenter | Qt::AlignRight, index.data(LocatorModel::KindWordRole).toString());
  int right = tag.left() - gap;
  if (const QString hint = index.data(LocatorModel::HintRole).toString(); !hint.isEmpty()) {
    const int width = option.fontMetrics.horizontalAdvance(hint) + 12;
    const QRect box(right - width, row.top() + 4, width, row.height() - 8);
    painter->setPen(theme.border);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter->setPen(quiet);
    painter->drawText(box, Qt::AlignCenter, hint);
    right = box.left() - gap;
  }
  const int left = icon.right() + gap;
  const QRect room(left, row.top(), std::max(0, right - left), row.height());
  const int used = paintName(*painter, room, option.font, index.data().toString(), text);
  if (const QRect rest = room.adjusted(used + 2 * gap, 0, 0, 0); rest.width() > 40) {
    painter->setFont(option.font);
    painter->setPen(quiet);
    painter->drawText(
        rest, Qt::AlignVCenter,
        option.fontMetrics.elidedText(index.data(LocatorModel::DetailRole).toString(), Qt::ElideRight, rest.width()));
  }
  painter->restore();
}

} // namespace fuselage
