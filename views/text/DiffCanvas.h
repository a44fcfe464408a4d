// The scrolled part of the diff view: both sides, their headers and the bar between them.
#pragma once
#include "views/common/DiffData.h"
#include "views/common/TextSource.h"
#include "views/text/DiffFolds.h"
#include "views/text/DiffRows.h"
#include "views/text/DiffSide.h"
#include "views/text/LineRenderer.h"
#include "views/text/RowScroll.h"
#include "views/text/ZoomArea.h"
#include <QPointer>
#include <QScrollBar>
#include <optional>

namespace fuselage {

class DiffCanvas : public ZoomArea {
  Q_OBJECT
public:
  explicit DiffCanvas(QWidget *parent);

  void setDiff(const DiffData &diff, TextSource *before, TextSource *after);
  void setTitles(const QString &before, const QString &after);
  void setEmptyText(const QString &title, const QString &hint);
  void setContext(int lines);
  void setFoldsOpen(bool open);
  void setFolding(bool folds);
  bool folds() const { return sides_[0].renderer.folds(); }
  void setWrapping(bool wraps);
  bool wraps() const { return scroll_.wraps(); }
  void setUnified(bool unified);
  void highlightLines(DiffSide side, int first, int last);
  void scrollToLine(DiffSide side, int line);
  void goToChange(int index);
  int setMatches(const QList<DiffMatch> &matches);
  void setCurrentMatch(int index);
  QString selectedText() const;
  void copy() const;

  const DiffRows &rows() const { return rows_; }
  int currentChange() const { return currentChange_; }
  bool isEmpty() const { return rows_.rowCount() == 0 || (!sides_[0].source && !sides_[1].source); }
  int headerHeight() const { return 30; }
  int firstRow() const { return scroll_.first(verticalScrollBar()->value()); }
  /// From the top of a row on; an empty one: it is out of sight.
  QRect rectOfRow(int row) const;
  /// Where a column of a line is painted, if its row is in sight and it is not scrolled away sideways.
  QPoint pointOf(DiffSide which, int line, int column);
  /// Whether the columns of a line are in sight, as far as that is a matter of scrolling sideways.
  bool showsColumns(DiffSide which, int line, int begin, int end);
  int visibleRows() const;
  void scrollToRow(int row, double place);

signals:
  void lineClicked(fuselage::DiffSide side, int line);
  void currentChangeChanged(int index, int count);
  void foldsOpenChanged(bool open);
  void scrolled();

protected:
  void applyZoom() override;
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  bool event(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool viewportEvent(QEvent *event) override;
  void scrollContentsBy(int dx, int dy) override;
  void scrollByPixels(QPointF pixels) override;

private:
  struct Side {
    QPointer<TextSource> source;
    LineRenderer renderer;
    QString title;
    int opFirst = -1, opLast = -1;
    QList<DiffMatch> matches; ///< by line
  };
  Side &side(DiffSide which) { return sides_[which == DiffSide::After]; }
  void connectSource(TextSource *source, DiffSide which);
  void relayout();
  void updateScrollBars();
  void requestVisible();
  void setCurrentChange(int index);
  void moveTo(int row, bool extend);
  void openFold(int row);
  struct FoldHit {
    DiffSide side = DiffSide::After;
    int line = -1;
    FoldSpot spot{};
  };
  FoldPairs foldPairs(const VisibleDiffRow &row) const;
  QList<LineFold> foldsIn(DiffSide which, int line) const;
  FoldHit foldAt(QPoint point);
  bool toggleFold(const FoldHit &hit);
  void toggleFolds(int index);
  void setFoldOpen(DiffSide which, int line, const LineFold &fold, bool open);
  bool showFoldToolTip(const QHelpEvent &event);
  void measureShown();
  void revealMatch();
  int rowAt(int y) const;
  DiffSide sideAt(int row, int x) const;
  int rowsOf(int index);
  int roomForText() const;
  QList<RowScroll::Item> shownRows() const;
  template <class Change> void keepPlace(Change change);
  void revealWords();
  int splitX() const;
  bool isOnSplit(int x) const;
  QString unifiedText() const;
  int gutterWidth(DiffSide which) const;
  /// The top left of the text of a row.
  QPoint textCorner(DiffSide which, int top) const;
  int numberWidth(DiffSide which) const;
  QRect area(DiffSide which) const;
  double lineHeight() const { return sides_[0].renderer.lineHeight(); }

  static constexpr int textPadding = 6, signWidth = 16;
  static bool isLeft(DiffSide side) { return side == DiffSide::Before; }
  struct RowLook;
  RowLook lookOf(DiffSide which, const VisibleDiffRow &row, int index) const;
  void paintSide(QPainter &painter, DiffSide which);
  void paintRow(QPainter &painter, DiffSide which, const RowScroll::Item &item);
  void paintText(QPainter &painter, DiffSide which, const VisibleDiffRow &row, const QRect &band, const RowLook &look);
  void paintMargin(QPainter &painter, DiffSide which, const VisibleDiffRow &row, const QRect &band,
                   const RowLook &look);
  void paintNumbers(QPainter &painter, DiffSide which, const VisibleDiffRow &row, const QRect &margin,
                    const RowLook &look);
  void paintMatches(QPainter &painter, DiffSide which, int line, QPointF origin, const QString &text);
  void paintFold(QPainter &painter, int index, int y, const VisibleDiffRow &row);
  void paintTitle(QPainter &painter, DiffSide which, QRect room);
  void paintHeader(QPainter &painter);

  Side sides_[2];
  QList<DiffMatch> matches_; ///< to step through, from the top
  int currentMatch_ = -1;
  bool wantsMatch_ = false; ///< the current one is scrolled to as soon as its line is there
  DiffRows rows_;
  RowScroll scroll_;
  QString emptyTitle_, emptyHint_;
  double split_ = 0.5, widest_ = 0;
  int currentChange_ = -1, hoveredFold_ = -1;
  DiffSide active_ = DiffSide::After;
  int anchorRow_ = -1, caretRow_ = -1;
  bool draggingSplit_ = false, selecting_ = false;
  /// A row that was scrolled to, and where it stands, while lines above it arrive that wrap.
  std::optional<std::pair<int, double>> held_;
  bool wantsWords_ = false; ///< what changed is scrolled to as soon as its lines are there
};

/// Where in the diff the changes are, beside the scroll bar. Click or drag scrolls there.
class ChangeStrip : public QWidget {
  Q_OBJECT
public:
  ChangeStrip(DiffCanvas *canvas, QWidget *parent);
  QSize sizeHint() const override { return {16, 100}; }

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;

private:
  void scrollTo(double y);
  DiffCanvas *canvas_;
};

} // namespace fuselage
