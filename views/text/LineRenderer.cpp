#include "views/text/LineRenderer.h"
#include "views/text/MlirTokenizer.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

LineRenderer::LineRenderer() : theme_(&Theme::light()), cache_(1024) { setFont(monoFont()); }

void LineRenderer::setTheme(const Theme &theme) {
  theme_ = &theme;
  clear();
}

void LineRenderer::setFont(const QFont &font) {
  font_ = font;
  QFontMetricsF metrics(font_);
  lineHeight_ = std::ceil(metrics.height() * 1.22);
  charWidth_ = metrics.horizontalAdvance(u'm');
  baseline_ = std::floor((lineHeight_ - metrics.height()) / 2) + std::round(metrics.ascent());
  clear();
}

void LineRenderer::setWrapWidth(double width) {
  if (width == wrapWidth_)
    return;
  wrapWidth_ = width;
  clear();
}

void LineRenderer::setFolding(bool folds) {
  folds_ = folds;
  reset();
}

void LineRenderer::reset() {
  open_.clear();
  clear();
}

int LineRenderer::Entry::toShown(int column) const {
  int shift = 0;
  for (const LineFold &fold : folds) {
    if (column <= fold.begin)
      break;
    if (column < fold.end)
      return fold.begin - shift; // in front of the ellipsis
    shift += fold.end - fold.begin - 1;
  }
  return std::clamp(column - shift, 0, shown);
}

int LineRenderer::Entry::toColumn(int place) const {
  int shift = 0;
  for (const LineFold &fold : folds) {
    if (place <= fold.begin - shift)
      break;
    shift += fold.end - fold.begin - 1;
  }
  return std::min(place + shift, columns);
}

/// Colours of the line's tokens, where they are painted.
QList<QTextLayout::FormatRange> LineRenderer::formats(const QString &line, const Entry &entry) const {
  QList<QTextLayout::FormatRange> formats;
  for (const Token &token : tokenizeMlir(QStringView(line).left(entry.columns))) {
    QTextLayout::FormatRange range;
    range.start = entry.toShown(token.begin);
    range.length = entry.toShown(token.begin + token.length) - range.start;
    if (range.length <= 0)
      continue;
    range.format.setForeground(theme_->token(token.kind));
    if (token.kind == TokenKind::Comment)
      range.format.setFontItalic(true);
    formats.append(range);
  }
  for (const LineFold &fold : entry.folds) {
    QTextLayout::FormatRange range;
    range.start = entry.toShown(fold.begin);
    range.length = 1;
    range.format.setForeground(theme_->accent);
    range.format.setBackground(theme_->accentSoft);
    formats.append(range);
  }
  for (const LineFold &fold : entry.opened)
    for (const int bracket : {fold.begin - 1, fold.end}) {
      QTextLayout::FormatRange range;
      range.start = entry.toShown(bracket);
      range.length = entry.toShown(bracket + 1) - range.start;
      range.format.setForeground(theme_->accent);
      range.format.setBackground(theme_->accentSoft);
      if (range.length > 0)
        formats.append(range);
    }
  return formats;
}

LineRenderer::Entry &LineRenderer::entry(qint64 key, const QString &line) {
  if (Entry *known = cache_.object(key))
    return *known;
  auto *made = new Entry;
  if (folds_) {
    made->folds = rule_ ? rule_(key, line) : foldsOf(line);
    if (const auto open = open_.constFind(key); open != open_.cend())
      made->folds.removeIf([&](const LineFold &fold) {
        if (open->contains(fold.begin))
          made->opened.append(fold);
        return open->contains(fold.begin);
      });
  }
  QString text;
  int copied = 0;
  for (const LineFold &fold : made->folds) {
    text += QStringView(line).sliced(copied, fold.begin - copied);
    text += u'\u2026';
    copied = fold.end;
  }
  text += QStringView(line).sliced(copied);
  made->shown = int(text.size());
  made->columns = int(line.size());
  const int limit = wrapWidth_ > 0 ? 4 * maxColumns : maxColumns;
  QString remark;
  if (text.size() > limit) {
    const int cut = made->toColumn(limit);
    made->folds.removeIf([cut](const LineFold &fold) { return fold.end > cut; });
    made->shown = limit;
    made->columns = cut;
    remark = QStringLiteral(" … %1 more characters").arg(groupedNumber(line.size() - cut));
    text.truncate(limit);
  }
  QList<QTextLayout::FormatRange> ranges = formats(line, *made);
  if (!remark.isEmpty()) {
    QTextLayout::FormatRange range;
    range.start = int(text.size());
    range.length = int(remark.size());
    range.format.setForeground(theme_->textMuted);
    range.format.setFontItalic(true);
    ranges.append(range);
  }
  made->layout.setFormats(ranges);
  layOut(*made, text + remark);
  cache_.insert(key, made);
  return *made;
}

/// In one row, or broken where words end; what is broken off stands in a bit.
void LineRenderer::layOut(Entry &entry, const QString &text) {
  charactersLaidOut_ += text.size();
  QTextOption option;
  option.setWrapMode(wrapWidth_ > 0 ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
  option.setTabStopDistance(charWidth_ * 4);
  entry.layout.setTextOption(option);
  entry.layout.setFont(font_);
  entry.layout.setText(text);
  entry.layout.setCacheEnabled(true);
  qsizetype spaces = 0;
  while (spaces < text.size() && text[spaces] == u' ')
    ++spaces;
  const double indent = std::min((double(spaces) + 4) * charWidth_, wrapWidth_ / 2);
  entry.layout.beginLayout();
  for (int row = 0;; ++row) {
    QTextLine laid = entry.layout.createLine();
    if (!laid.isValid())
      break;
    const double left = row > 0 ? indent : 0;
    laid.setLineWidth(wrapWidth_ > 0 ? std::max(charWidth_, wrapWidth_ - left) : 1e7);
    laid.setPosition(QPointF(left, row * lineHeight_));
    if (wrapWidth_ <= 0)
      break;
  }
  entry.layout.endLayout();
}

int LineRenderer::rows(qint64 key, const QString &line) {
  return wrapWidth_ > 0 ? std::max(1, entry(key, line).layout.lineCount()) : 1;
}

int LineRenderer::columns(qint64 key, const QString &line) { return entry(key, line).columns; }

double LineRenderer::width(qint64 key, const QString &line) {
  const QTextLayout &layout = entry(key, line).layout;
  double widest = 0;
  for (int row = 0; row < layout.lineCount(); ++row)
    widest = std::max(widest, layout.lineAt(row).x() + layout.lineAt(row).naturalTextWidth());
  return widest;
}

QPointF LineRenderer::columnToPoint(qint64 key, const QString &line, int column) {
  const Entry &made = entry(key, line);
  const int place = made.toShown(std::clamp(column, 0, made.columns));
  const QTextLine laid = made.layout.lineForTextPosition(place);
  return laid.isValid() ? QPointF(laid.cursorToX(place), laid.lineNumber() * lineHeight_) : QPointF();
}

int LineRenderer::pointToColumn(qint64 key, const QString &line, QPointF point) {
  const Entry &made = entry(key, line);
  if (made.layout.lineCount() == 0)
    return 0;
  const int row = std::clamp(int(point.y() / lineHeight_), 0, made.layout.lineCount() - 1);
  const QTextLine laid = made.layout.lineAt(row);
  int place = laid.xToCursor(std::max(0.0, point.x()));
  // The end of a row is the start of the next one: the caret stays in this one.
  if (row + 1 < made.layout.lineCount())
    place = std::min(place, laid.textStart() + laid.textLength() - 1);
  return made.toColumn(std::min(place, made.shown));
}

FoldSpot LineRenderer::foldAt(qint64 key, const QString &line, QPointF point) {
  const auto isAt = [&](int begin, int end) {
    const QList<QRectF> parts = boxes(key, line, begin, end);
    return std::any_of(parts.cbegin(), parts.cend(), [&](const QRectF &box) { return box.contains(point); });
  };
  const Entry &made = entry(key, line);
  for (const LineFold &fold : made.folds)
    if (isAt(fold.begin, fold.end))
      return {.fold = fold};
  for (const LineFold &fold : made.opened)
    if (isAt(fold.begin - 1, fold.begin) || isAt(fold.end, fold.end + 1))
      return {.fold = fold, .isOpen = true};
  return {};
}

FoldSpot LineRenderer::foldAt(qint64 key, const QString &line, int column) {
  const Entry &made = entry(key, line);
  const auto hasColumn = [column](const LineFold &fold) { return fold.begin <= column && column <= fold.end; };
  if (const auto fold = std::find_if(made.folds.cbegin(), made.folds.cend(), hasColumn); fold != made.folds.cend())
    return {.fold = *fold};
  if (const auto fold = std::find_if(made.opened.cbegin(), made.opened.cend(), hasColumn); fold != made.opened.cend())
    return {.fold = *fold, .isOpen = true};
  return {};
}

LineFold LineRenderer::foldHiding(qint64 key, const QString &line, int column) {
  const FoldSpot spot = foldAt(key, line, column);
  return spot && !spot.isOpen && spot.fold.begin < column && column < spot.fold.end ? spot.fold : LineFold();
}

QList<LineFold> LineRenderer::foldsHiding(qint64 key, const QString &line, int begin, int end) {
  QList<LineFold> hiding;
  for (const LineFold &fold : entry(key, line).folds)
    if (fold.begin < end && begin < fold.end)
      hiding.append(fold);
  return hiding;
}

void LineRenderer::setFoldOpen(qint64 key, const LineFold &fold, bool open) {
  if (open)
    open_[key].insert(fold.begin);
  else
    open_[key].remove(fold.begin);
  forget(key);
}

QList<QRectF> LineRenderer::boxes(qint64 key, const QString &line, int begin, int end) {
  const Entry &made = entry(key, line);
  QList<QRectF> boxes;
  int first = made.toShown(std::clamp(begin, 0, made.columns)), last = made.toShown(std::clamp(end, 0, made.columns));
  if (last == first && end > begin && made.toColumn(first) < made.columns)
    ++last; // it is in a fold
  for (int row = 0; row < made.layout.lineCount(); ++row) {
    const QTextLine laid = made.layout.lineAt(row);
    const int from = std::max(first, laid.textStart()), to = std::min(last, laid.textStart() + laid.textLength());
    if (from < to)
      boxes.append(
          QRectF(laid.cursorToX(from), row * lineHeight_, laid.cursorToX(to) - laid.cursorToX(from), lineHeight_));
  }
  return boxes;
}

void LineRenderer::fillColumns(QPainter &painter, QPointF origin, qint64 key, const QString &line, int begin, int end,
                               const QColor &fill, bool rounded) {
  bool smooth = painter.testRenderHint(QPainter::Antialiasing);
  for (const QRectF &part : boxes(key, line, begin, end)) {
    const QRectF box = part.translated(origin);
    if (!rounded) {
      painter.fillRect(box, fill);
      continue;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box.adjusted(-1, 1, 1, -1), 2.5, 2.5);
  }
  painter.setRenderHint(QPainter::Antialiasing, smooth);
}

void LineRenderer::paint(QPainter &painter, QPointF origin, qint64 key, const QString &line) {
  Entry &made = entry(key, line);
  if (made.layout.lineCount() == 0)
    return;
  painter.setPen(theme_->text);
  made.layout.draw(&painter, origin + QPointF(0, baseline_ - made.layout.lineAt(0).ascent()));
}

void LineRenderer::paintNumber(QPainter &painter, double right, double top, int number, const QColor &color) const {
  QFont small = font_;
  small.setPointSizeF(font_.pointSizeF() * 0.92);
  QString text = QString::number(number);
  painter.setFont(small);
  painter.setPen(color);
  double width = QFontMetricsF(small).horizontalAdvance(text);
  painter.drawText(QPointF(std::round(right - width), top + baseline_), text);
}

int utf16Column(QStringView line, int byteColumn) {
  int bytes = 0, column = 0;
  while (column < line.size() && bytes < byteColumn) {
    char16_t unit = line[column].unicode();
    // Two units of a surrogate pair are four bytes together.
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : QChar::isSurrogate(unit) ? 2 : 3;
    ++column;
  }
  return column;
}

void paintEmptyState(QPainter &painter, const QRect &area, const Theme &theme, const QString &title,
                     const QString &hint) {
  QRectF room = QRectF(area).adjusted(24, 0, -24, 0);
  double middle = room.center().y();
  painter.setPen(theme.text);
  painter.setFont(uiFont(15, QFont::DemiBold));
  painter.drawText(QRectF(room.left(), middle - 28, room.width(), 24), Qt::AlignCenter, title);
  painter.setPen(theme.textMuted);
  painter.setFont(uiFont(12));
  painter.drawText(QRectF(room.left(), middle + 2, room.width(), 80),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, hint);
}

} // namespace fuselage
