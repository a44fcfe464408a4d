// The events of a trace over time: a band for each thread, and in it a row for each depth.
#pragma once
#include "views/messages/TraceTypes.h"
#include <QAbstractScrollArea>

namespace fuselage {

/// Shows pieces of a range of time; who has the trace gives them when rangeChanged() asks for them. The wheel with
/// Ctrl,
/// + and - zoom, dragging and the arrows move, 0 shows all. Up and Down scroll.
class TraceTimeline : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit TraceTimeline(QWidget *parent = nullptr);

  /// Another trace: all of it is shown, as soon as its pieces are there. 0 microseconds: there is none.
  void setTrace(double durationUs, const QStringList &threads);
  void setPieces(const protocol::TracePieces &pieces);
  /// Pieces of this name stand out; empty: all are alike.
  void setCurrentName(const QString &name);

  double begin() const { return begin_; }
  double end() const { return end_; }
  /// Zooms around a place, a part of the width.
  void zoom(double factor, double around = 0.5);
  void showAll();
  qsizetype pieceCount() const { return pieces_.name.size(); }
  /// Where a piece is painted, in the viewport.
  QRect placeOf(qsizetype piece) const;

signals:
  /// Pieces of this range are wanted, in so many columns.
  void rangeChanged(double begin, double end, int columns);
  /// A piece was clicked; `step` is -1 where it belongs to none.
  void pieceActivated(const QString &name, int step);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool viewportEvent(QEvent *event) override;

private:
  void setRange(double begin, double end);
  void layOut();
  void paintAxis(QPainter &painter) const;
  void paintPiece(QPainter &painter, qsizetype piece) const;
  qsizetype pieceAt(const QPoint &position) const;
  QString toolTipAt(const QPoint &position) const;
  double xOf(double time) const;
  int rowHeight() const;
  int axisHeight() const;

  protocol::TracePieces pieces_;
  QStringList threads_;
  QList<int> tops_; ///< of the bands, by thread
  int height_ = 0;  ///< of all bands
  double duration_ = 0, begin_ = 0, end_ = 0;
  QString current_;
  QPoint pressed_;
  double pressedBegin_ = 0;
  bool isDragged_ = false;
};

} // namespace fuselage
