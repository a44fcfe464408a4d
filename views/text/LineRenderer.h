// Lays out and paints single lines of MLIR text; shared by the text and the diff view.
#pragma once
#include "views/common/Theme.h"
#include <QCache>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

namespace fuselage {

/// Highlighted lines, kept laid out while they are in use. Keys are the caller's (line numbers).
class LineRenderer {
public:
  /// Longer lines are cut here and end in a remark of how much is missing.
  static constexpr int maxColumns = 2000;

  LineRenderer();
  void setTheme(const Theme &theme);
  void setFont(const QFont &font);
  void clear() { cache_.clear(); }
  void forget(qint64 key) { cache_.remove(key); }

  const Theme &theme() const { return *theme_; }
  const QFont &font() const { return font_; }
  double lineHeight() const { return lineHeight_; } ///< whole px
  double charWidth() const { return charWidth_; }

  /// The width of the line in px.
  double width(qint64 key, const QString &line);
  /// x of a UTF-16 column, from the start of the line.
  double columnToX(qint64 key, const QString &line, int column);
  int xToColumn(qint64 key, const QString &line, double x);
  /// Paints the line with its top left at `origin`. Columns [begin, end) get the background `fill`.
  void fillColumns(QPainter &painter, QPointF origin, qint64 key, const QString &line, int begin,
                   int end, const QColor &fill, bool rounded);
  void paint(QPainter &painter, QPointF origin, qint64 key, const QString &line);
  /// A number of the margin that ends at x = `right`, on the baseline of the line at `top`.
  void paintNumber(QPainter &painter, double right, double top, int number, const QColor &color) const;

private:
  struct Entry {
    QTextLayout layout;
    int columns = 0;
  };
  Entry &entry(qint64 key, const QString &line);

  const Theme *theme_;
  QFont font_;
  double lineHeight_ = 16, charWidth_ = 8, baseline_ = 12;
  QCache<qint64, Entry> cache_;
};

/// Converts a column in UTF-8 bytes to one in UTF-16 units; past the end: the end.
int utf16Column(QStringView line, int byteColumn);

/// The headline and the hint of an empty view, centred in `area`.
void paintEmptyState(QPainter &painter, const QRect &area, const Theme &theme, const QString &title,
                     const QString &hint);

} // namespace fuselage
