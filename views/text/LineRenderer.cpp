#include "views/text/LineRenderer.h"
#include "views/text/MlirTokenizer.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

LineRenderer::LineRenderer() : theme_(&Theme::light()), cache_(1024) { setFont(monoFont(10)); }

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

LineRenderer::Entry &LineRenderer::entry(qint64 key, const QString &line) {
  if (Entry *known = cache_.object(key))
    return *known;
  auto *made = new Entry;
  QString text = line.left(maxColumns);
  made->columns = int(text.size());
  QList<QTextLayout::FormatRange> formats;
  for (const Token &token : tokenizeMlir(text)) {
    QTextLayout::FormatRange range;
    range.start = token.begin;
    range.length = token.length;
    range.format.setForeground(theme_->token(token.kind));
    if (token.kind == TokenKind::Comment)
      range.format.setFontItalic(true);
    formats.append(range);
  }
  if (line.size() > maxColumns) {
    QString remark = QStringLiteral(" … %1 more characters").arg(groupedNumber(line.size() - maxColumns));
    QTextLayout::FormatRange range;
    range.start = int(text.size());
    range.length = int(remark.size());
    range.format.setForeground(theme_->textMuted);
    range.format.setFontItalic(true);
    formats.append(range);
    text += remark;
  }
  QTextOption option;
  option.setWrapMode(QTextOption::NoWrap);
  option.setTabStopDistance(charWidth_ * 4);
  made->layout.setTextOption(option);
  made->layout.setFont(font_);
  made->layout.setText(text);
  made->layout.setFormats(formats);
  made->layout.setCacheEnabled(true);
  made->layout.beginLayout();
  QTextLine laid = made->layout.createLine();
  if (laid.isValid()) {
    laid.setLineWidth(1e7);
    laid.setPosition(QPointF(0, 0));
  }
  made->layout.endLayout();
  cache_.insert(key, made);
  return *made;
}

static QTextLine firstLine(const QTextLayout &layout) {
  return layout.lineCount() > 0 ? layout.lineAt(0) : QTextLine();
}

double LineRenderer::width(qint64 key, const QString &line) {
  QTextLine laid = firstLine(entry(key, line).layout);
  return laid.isValid() ? laid.naturalTextWidth() : 0;
}

double LineRenderer::columnToX(qint64 key, const QString &line, int column) {
  Entry &made = entry(key, line);
  QTextLine laid = firstLine(made.layout);
  return laid.isValid() ? laid.cursorToX(std::clamp(column, 0, made.columns)) : 0;
}

int LineRenderer::xToColumn(qint64 key, const QString &line, double x) {
  Entry &made = entry(key, line);
  QTextLine laid = firstLine(made.layout);
  return laid.isValid() ? std::min(laid.xToCursor(std::max(0.0, x)), made.columns) : 0;
}

void LineRenderer::fillColumns(QPainter &painter, QPointF origin, qint64 key, const QString &line,
                               int begin, int end, const QColor &fill, bool rounded) {
  double left = columnToX(key, line, begin), right = columnToX(key, line, end);
  if (right <= left)
    return;
  QRectF box(origin.x() + left, origin.y(), right - left, lineHeight_);
  if (!rounded) {
    painter.fillRect(box, fill);
    return;
  }
  bool smooth = painter.testRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawRoundedRect(box.adjusted(-1, 1, 1, -1), 2.5, 2.5);
  painter.setRenderHint(QPainter::Antialiasing, smooth);
}

void LineRenderer::paint(QPainter &painter, QPointF origin, qint64 key, const QString &line) {
  Entry &made = entry(key, line);
  QTextLine laid = firstLine(made.layout);
  if (!laid.isValid())
    return;
  painter.setPen(theme_->text);
  made.layout.draw(&painter, origin + QPointF(0, baseline_ - laid.ascent()));
}

void LineRenderer::paintNumber(QPainter &painter, double right, double top, int number,
                               const QColor &color) const {
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
