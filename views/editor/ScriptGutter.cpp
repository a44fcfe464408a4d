// The margin of the script editor.
#include "views/common/Theme.h"
#include "views/editor/ScriptEdit.h"
#include <QContextMenuEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTextBlock>
#include <algorithm>
#include <cmath>

namespace fuselage {

static constexpr int padding = 6, widestForms = 22; // characters

ScriptGutter::ScriptGutter(ScriptEdit *edit) : QWidget(edit), edit_(edit) {
  setCursor(Qt::ArrowCursor);
  setToolTip({}); // the editor answers for it
}

int ScriptGutter::marksWidth() const { return int(std::ceil(QFontMetricsF(edit_->font()).height())) + 4; }

int ScriptGutter::formsWidth() const {
  qsizetype longest = 0;
  for (const QStringList &forms : edit_->forms())
    longest = std::max(longest, forms.join(QStringLiteral(", ")).size());
  if (longest == 0)
    return 0;
  return int(std::ceil(double(std::min<qsizetype>(longest, widestForms)) *
                       QFontMetricsF(edit_->font()).horizontalAdvance(u'0'))) +
         2 * padding;
}

int ScriptGutter::wantedWidth() const {
  const int digits = std::max(3, int(QString::number(edit_->blockCount()).size()));
  const double number = QFontMetricsF(edit_->font()).horizontalAdvance(u'0');
  return marksWidth() + formsWidth() + int(std::ceil(digits * number)) + 2 * padding;
}

int ScriptGutter::lineAt(int y) const { return edit_->cursorForPosition(QPoint(0, y)).blockNumber() + 1; }

QPoint ScriptGutter::breakpointPlace(int line) const {
  const QTextBlock block = edit_->document()->findBlockByNumber(line - 1);
  const QRectF place = edit_->blockBoundingGeometry(block).translated(edit_->contentOffset());
  return {marksWidth() / 2, int(place.center().y())};
}

void ScriptGutter::mousePressEvent(QMouseEvent *event) {
  const int line = lineAt(int(event->position().y()));
  if (event->button() == Qt::LeftButton)
    edit_->toggleBreakpoint(line);
}

void ScriptGutter::contextMenuEvent(QContextMenuEvent *event) {
  QContextMenuEvent asked(event->reason(), QPoint(1, event->pos().y()), event->globalPos(), event->modifiers());
  edit_->contextMenuEvent(&asked);
}

/// A disc for a breakpoint, an arrow where the schedule stands, a triangle for a problem.
void ScriptGutter::paintMarks(QPainter &painter, int line, const QRect &place) {
  const Theme &theme = Theme::of(palette());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const QPointF centre = QRectF(place).center();
  const double size = place.height() * 0.62;
  const QRectF box(centre.x() - size / 2, centre.y() - size / 2, size, size);
  const bool stops = edit_->hasBreakpoint(line);
  if (stops) {
    painter.setBrush(theme.error);
    painter.drawEllipse(box);
  }
  const protocol::Diagnostic *worst = nullptr;
  for (const ScriptEdit::Problem &problem : edit_->problemPlaces_)
    if (problem.place.blockNumber() + 1 == line &&
        (!worst || edit_->problems_[problem.at].severity == QLatin1String("error")))
      worst = &edit_->problems_[problem.at];
  if (worst) {
    const QColor colour = worst->severity == QLatin1String("error") ? theme.error : theme.warning;
    painter.fillRect(QRectF(place.right() - 2, place.top(), 3, place.height()), colour);
  }
  if (edit_->stepLine() == line) {
    QPainterPath arrow;
    const QRectF inner =
        stops ? box.adjusted(size * 0.22, size * 0.22, -size * 0.12, -size * 0.22) : box.adjusted(size * 0.1, 0, 0, 0);
    arrow.moveTo(inner.topLeft());
    arrow.lineTo(QPointF(inner.right(), inner.center().y()));
    arrow.lineTo(inner.bottomLeft());
    arrow.closeSubpath();
    painter.fillPath(arrow, stops ? theme.surface : theme.opBar);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void ScriptGutter::paintEvent(QPaintEvent *event) {
  const Theme &theme = Theme::of(palette());
  QPainter painter(this);
  painter.fillRect(event->rect(), theme.gutter);
  painter.setFont(edit_->font());
  const int marks = marksWidth(), forms = formsWidth(), current = edit_->currentLine();
  const QFontMetrics metrics(edit_->font());
  QString before;
  for (QTextBlock block = edit_->firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF place = edit_->blockBoundingGeometry(block).translated(edit_->contentOffset());
    if (place.top() > event->rect().bottom())
      break;
    const int line = block.blockNumber() + 1, top = int(place.top()), height = int(place.height());
    if (line == edit_->stepLine())
      painter.fillRect(0, top, width(), height, theme.opLines);
    paintMarks(painter, line, QRect(0, top, marks, height));
    const QString known = edit_->formsAt(line).join(QStringLiteral(", "));
    painter.setPen(known == before ? theme.textFaint : theme.textMuted);
    if (forms > 0 && !known.isEmpty())
      painter.drawText(QRect(marks + padding, top, forms - 2 * padding, height), Qt::AlignLeft | Qt::AlignVCenter,
                       known == before ? QStringLiteral("\u2502")
                                       : metrics.elidedText(known, Qt::ElideRight, forms - 2 * padding));
    before = known.isEmpty() ? before : known;
    painter.setPen(line == current ? theme.text : theme.gutterText);
    painter.drawText(QRect(marks + forms, top, width() - marks - forms - padding, height),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
  }
  painter.setPen(theme.border);
  painter.drawLine(width() - 1, event->rect().top(), width() - 1, event->rect().bottom());
}

} // namespace fuselage
