#include "views/tiles/TileNumbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr double barHeight = 10;

static QString traffic(const protocol::TileCost &cost) {
  const QString bytes = formatBytes(qint64(cost.bytes));
  return cost.bytesAtMost ? u"\u2264 "_s + bytes : bytes;
}

TileNumbers::TileNumbers(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("Workgroup memory, work and traffic"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void TileNumbers::setReport(const protocol::TileReport &report) {
  report_ = report;
  setAccessibleDescription(tr("%1 of workgroup memory").arg(formatBytes(report.workgroupBytes)));
  updateGeometry();
  update();
}

void TileNumbers::clear() { setReport({}); }

QList<TileNumbers::Line> TileNumbers::lines() const {
  QList<Line> lines;
  if (report_.fused)
    lines.append({tr("op by op"), report_.separate});
  lines.append({tr("untiled"), report_.untiled});
  lines.append({tr("tiled"), report_.tiled});
  if (report_.fused)
    lines.append({tr("fused"), *report_.fused});
  return lines;
}

QSize TileNumbers::sizeHint() const {
  const int line = fontMetrics().lineSpacing();
  constexpr double leastBetween = 12;
  const QList<double> widths = columnWidths();
  const double width = std::accumulate(widths.begin(), widths.end(), leastBetween * double(widths.size() - 1));
  return {std::max(240, int(std::ceil(width))),
          2 * line + int(barHeight) + 14 + (int(lines().size()) + 1) * (line + 3) + (report_.complete ? 0 : line)};
}

/// What the tile takes of the limit; the largest tile as a mark.
void TileNumbers::paintBar(QPainter &painter, const QRectF &rect) const {
  const Theme &theme = Theme::of(palette());
  const double most =
      double(std::max({report_.workgroupLimit, report_.workgroupBytes, report_.maxWorkgroupBytes, qint64(1)}));
  const bool fits = report_.workgroupLimit <= 0 ||
                    std::max(report_.workgroupBytes, report_.maxWorkgroupBytes) <= report_.workgroupLimit;
  painter.setPen(Qt::NoPen);
  painter.fillRect(rect, theme.surfaceMuted);
  painter.fillRect(QRectF(rect.topLeft(), QSizeF(rect.width() * double(report_.workgroupBytes) / most, rect.height())),
                   fits ? theme.success : theme.error);
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
  if (report_.maxWorkgroupBytes > report_.workgroupBytes) {
    const double x = rect.left() + rect.width() * double(report_.maxWorkgroupBytes) / most;
    painter.setPen(QPen(theme.text, 1));
    painter.drawLine(QLineF(x - 0.5, rect.top(), x - 0.5, rect.bottom()));
  }
  if (report_.workgroupLimit > 0 && double(report_.workgroupLimit) < most) {
    const double x = rect.left() + rect.width() * double(report_.workgroupLimit) / most;
    painter.setPen(QPen(theme.error, 2));
    painter.drawLine(QLineF(x, rect.top() - 2, x, rect.bottom() + 2));
  }
}

/// Name, work, traffic, intensity; a row each, below their headers.
QList<QStringList> TileNumbers::rows() const {
  QList<QStringList> rows{{QString(), tr("work"), tr("traffic"), tr("flop/B")}};
  for (const Line &each : lines()) {
    const bool known = each.cost.flops >= 0;
    rows.append({each.name, known ? formatFlops(qint64(each.cost.flops)) : u"\u2014"_s,
                 known ? traffic(each.cost) : u"\u2014"_s, formatRate(each.cost.intensity)});
  }
  return rows;
}

QFont TileNumbers::fontOf(int row) const {
  QFont font = this->font();
  font.setBold(row == 0);
  return font;
}

/// As wide as what is in them.
QList<double> TileNumbers::columnWidths() const {
  const QList<QStringList> rows = this->rows();
  QList<double> widths(rows.first().size(), 0);
  for (int row = 0; row < rows.size(); ++row)
    for (int i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], QFontMetricsF(fontOf(row)).horizontalAdvance(rows[row][i]));
  return widths;
}

/// What is left over is between the columns.
void TileNumbers::paintTable(QPainter &painter, double &y) const {
  const Theme &theme = Theme::of(palette());
  const QList<QStringList> rows = this->rows();
  const QList<double> widths = columnWidths();
  const double between = (width() - std::accumulate(widths.begin(), widths.end(), 0.0)) / double(widths.size() - 1);
  const double line = fontMetrics().lineSpacing();
  for (int row = 0; row < rows.size(); ++row) {
    painter.setFont(fontOf(row));
    painter.setPen(row == 0 ? theme.textMuted : theme.text);
    double x = 0;
    for (int i = 0; i < widths.size(); ++i) {
      painter.drawText(QRectF(x, y, widths[i] + 1, line), Qt::AlignVCenter | (i == 0 ? Qt::AlignLeft : Qt::AlignRight),
                       rows[row][i]);
      x += widths[i] + between;
    }
    y += line + 3;
  }
}

void TileNumbers::paintEvent(QPaintEvent *) {
  if (report_.loops.isEmpty())
    return;
  QPainter painter(this);
  const Theme &theme = Theme::of(palette());
  const double line = fontMetrics().lineSpacing();
  double y = 0;
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(theme.textMuted);
  painter.drawText(QRectF(0, y, width(), line), Qt::AlignVCenter, tr("Workgroup memory"));
  y += line;
  painter.setFont(font());
  const bool hasLimit = report_.workgroupLimit > 0;
  const bool fits = !hasLimit || std::max(report_.workgroupBytes, report_.maxWorkgroupBytes) <= report_.workgroupLimit;
  QString text = hasLimit ? tr("%1 of %2").arg(formatBytes(report_.workgroupBytes), formatBytes(report_.workgroupLimit))
                          : formatBytes(report_.workgroupBytes);
  if (report_.maxWorkgroupBytes > report_.workgroupBytes)
    text += tr(", at most %1").arg(formatBytes(report_.maxWorkgroupBytes));
  if (!fits)
    text += tr(": does not fit");
  painter.setPen(fits ? theme.text : theme.error);
  painter.drawText(QRectF(0, y, width(), line), Qt::AlignVCenter,
                   fontMetrics().elidedText(text, Qt::ElideRight, width()));
  y += line + 3;
  paintBar(painter, QRectF(0, y, width(), barHeight));
  y += barHeight + 9;

  paintTable(painter, y);
  if (!report_.complete) {
    painter.setFont(font());
    painter.setPen(theme.warning);
    painter.drawText(QRectF(0, y, width(), line), Qt::AlignVCenter, tr("too many different tiles to add them all up"));
  }
}

} // namespace fuselage
