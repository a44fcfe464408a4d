// A 2-d slice of a tensor as a picture with a cursor.
#pragma once
#include "views/messages/ValueTypes.h"
#include <QPoint>
#include <QWidget>
#include <optional>

namespace fuselage {

/// Arrows move the cursor, Home and End to the ends of a row, Page Up and Page Down to those of a column; the mouse
/// moves it, too. Where a cell stands for several elements, Enter or a double click asks for the elements around it,
/// Backspace or Escape for the whole slice.
class ValueMap : public QWidget {
  Q_OBJECT
public:
  explicit ValueMap(QWidget *parent = nullptr);

  void setSlice(const std::optional<protocol::ValueSlice> &slice);
  const std::optional<protocol::ValueSlice> &slice() const { return slice_; }
  /// Column and row of the cell with the cursor.
  QPoint current() const { return current_; }
  void setCurrent(const QPoint &cell);
  /// "[0, 17]: 0.125"; of a cell of several elements, which of them it shows.
  QString cellText(const QPoint &cell) const;
  /// Which part of the tensor it is, and what a cell stands for.
  QString title() const;
  /// Where the cells are.
  QRectF picture() const;
  bool isWhole() const;
  QSize sizeHint() const override { return {260, heightForWidth(260)}; }
  QSize minimumSizeHint() const override { return {160, 60}; }
  int heightForWidth(int width) const override;

signals:
  void cellChanged(const QString &text);
  /// Elements are wanted from this row and column of the slice on.
  void zoomRequested(qint64 row, qint64 column);
  void wholeRequested();

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  std::optional<QPoint> cellAt(const QPointF &position) const;
  QRectF placeOf(const QPoint &cell) const;
  void paintCells(QPainter &painter, const QRectF &cells) const;
  void zoom();
  bool hasCells() const;
  double aspect() const;
  int legendHeight() const;

  std::optional<protocol::ValueSlice> slice_;
  QPoint current_{0, 0};
  double low_ = 0, high_ = 0; ///< of the finite cells
  qsizetype finite_ = 0;      ///< how many these are
};

} // namespace fuselage
