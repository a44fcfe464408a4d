// What charts with a row an item have in common: scrolling, hovering, the current row, the keyboard.
#pragma once
#include <QAbstractScrollArea>

namespace fuselage {

/// Painted by hand, scrolls vertically between a head and a foot that stay. Up, Down, Home and End walk
/// through the rows, Enter activates the current one again.
class RowChart : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit RowChart(QWidget *parent = nullptr);
  /// What is said where there are no rows.
  void setEmptyText(const QString &title, const QString &hint);
  /// What it shows is out of date: it is paler.
  void setStale(bool isStale);
  /// Highlights a row and scrolls to it; -1: none.
  void setCurrent(int row);
  int current() const { return current_; }

signals:
  void rowActivated(int row);

protected:
  virtual int rowCount() const = 0;
  virtual void paintRow(QPainter &painter, int row, const QRect &place) = 0;
  /// Rich text about a row.
  virtual QString rowToolTip(int row) const = 0;
  /// Axes and marks, under the rows.
  virtual void paintBackground(QPainter &) {}

  /// To be called by a subclass when its rows are others: nothing is current any more.
  void rowsChanged();
  /// Pixels above and below the rows.
  void setEnds(int head, int foot);
  /// Where rows are: what is between head and foot.
  QRect rowsArea() const;
  int rowHeight() const;
  /// Where a row is painted, in the viewport.
  QRect placeOf(int row) const;

  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  bool viewportEvent(QEvent *event) override;

private:
  int rowAt(const QPoint &position) const;
  void updateScrollBar();
  QString emptyTitle_, emptyHint_;
  int head_ = 0, foot_ = 0;
  int hovered_ = -1, current_ = -1;
  bool isStale_ = false;
};

} // namespace fuselage
