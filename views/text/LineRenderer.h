// Lays out and paints single lines of MLIR text; shared by the text and the diff view.
#pragma once
#include "views/common/Theme.h"
#include "views/text/LineFolds.h"
#include <QCache>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QSet>
#include <QTextLayout>

namespace fuselage {

/// A fold where somebody points.
struct FoldSpot {
  LineFold fold; ///< an empty one: none
  bool isOpen = false;
  explicit operator bool() const { return fold.end > 0; }
};

/// Highlighted lines, kept laid out while they are in use. Keys are the caller's (line numbers). Columns are those of
/// the line as it is, whatever of it is folded.
class LineRenderer {
public:
  /// Longer lines are cut here and end in a remark of how much is missing; four times as far on where they wrap.
  static constexpr int maxColumns = 2000;

  LineRenderer();
  void setTheme(const Theme &theme);
  void setFont(const QFont &font);
  /// Lines wider than this, in px, are broken; 0: none are.
  void setWrapWidth(double width);
  /// Long attributes are shown as an ellipsis; those that were opened, between brackets that are lit.
  void setFolding(bool folds);
  /// What of a line may be folded, where that is not all of foldsOf().
  using FoldRule = std::function<QList<LineFold>(qint64 key, const QString &line)>;
  void setFoldRule(FoldRule rule) { rule_ = std::move(rule); }
  bool folds() const { return folds_; }
  void clear() { cache_.clear(); }
  /// Another text: nothing is open any longer.
  void reset();
  void forget(qint64 key) { cache_.remove(key); }

  const Theme &theme() const { return *theme_; }
  const QFont &font() const { return font_; }
  double lineHeight() const { return lineHeight_; } ///< of a row, whole px
  double charWidth() const { return charWidth_; }
  /// Characters that were laid out so far, again after each clear(): the work that was done.
  qint64 charactersLaidOut() const { return charactersLaidOut_; }

  /// Rows that the line takes.
  int rows(qint64 key, const QString &line);
  /// The column behind the last one that is shown.
  int columns(qint64 key, const QString &line);
  /// The width of the line in px.
  double width(qint64 key, const QString &line);
  /// x of a UTF-16 column, from the start of the line.
  double columnToX(qint64 key, const QString &line, int column) { return columnToPoint(key, line, column).x(); }
  /// The top of a column, from the top left of the line.
  QPointF columnToPoint(qint64 key, const QString &line, int column);
  int xToColumn(qint64 key, const QString &line, double x) { return pointToColumn(key, line, {x, 0}); }
  int pointToColumn(qint64 key, const QString &line, QPointF point);
  /// What is folded in the line, and what was and is open.
  QList<LineFold> closedFolds(qint64 key, const QString &line) { return entry(key, line).folds; }
  QList<LineFold> openedFolds(qint64 key, const QString &line) { return entry(key, line).opened; }
  /// The fold whose ellipsis is painted at a point, or the open one a bracket of which is.
  FoldSpot foldAt(qint64 key, const QString &line, QPointF point);
  /// The fold that a column is in or at either end of.
  FoldSpot foldAt(qint64 key, const QString &line, int column);
  /// The fold that hides a column; an empty one: none does.
  LineFold foldHiding(qint64 key, const QString &line, int column);
  /// The folds that hide some of the columns [begin, end).
  QList<LineFold> foldsHiding(qint64 key, const QString &line, int begin, int end);
  /// Shows what is folded until reset(), or folds it again.
  void setFoldOpen(qint64 key, const LineFold &fold, bool open);

  /// Paints the line with its top left at `origin`. Columns [begin, end) get the background `fill`.
  void fillColumns(QPainter &painter, QPointF origin, qint64 key, const QString &line, int begin, int end,
                   const QColor &fill, bool rounded);
  /// The boxes of columns [begin, end), one a row.
  QList<QRectF> boxes(qint64 key, const QString &line, int begin, int end);
  void paint(QPainter &painter, QPointF origin, qint64 key, const QString &line);
  /// A number of the margin that ends at x = `right`, on the baseline of the line at `top`.
  void paintNumber(QPainter &painter, double right, double top, int number, const QColor &color) const;

private:
  struct Entry {
    QTextLayout layout;
    QList<LineFold> folds, opened;
    int columns = 0; ///< of the line, as far as it is shown
    int shown = 0;   ///< the same in characters that are painted
    int toShown(int column) const;
    int toColumn(int shown) const;
  };
  Entry &entry(qint64 key, const QString &line);
  void layOut(Entry &entry, const QString &text);
  QList<QTextLayout::FormatRange> formats(const QString &line, const Entry &entry) const;

  const Theme *theme_;
  QFont font_;
  double lineHeight_ = 16, charWidth_ = 8, baseline_ = 12, wrapWidth_ = 0;
  bool folds_ = false;
  FoldRule rule_;
  QHash<qint64, QSet<int>> open_; ///< beginnings of folds, by key
  QCache<qint64, Entry> cache_;
  qint64 charactersLaidOut_ = 0;
};

/// Converts a column in UTF-8 bytes to one in UTF-16 units; past the end: the end.
int utf16Column(QStringView line, int byteColumn);

/// The headline and the hint of an empty view, centred in `area`.
void paintEmptyState(QPainter &painter, const QRect &area, const Theme &theme, const QString &title,
                     const QString &hint);

} // namespace fuselage
