// The roofline chart of a run in the window.
#pragma once
#include "core/pictures/RooflineDrawing.h"
#include "views/messages/RunTypes.h"
#include <QWidget>

namespace fuselage {

/// Measured peaks, a point a dispatch with what its limit would allow, and arrows from the run before. Left and Right
/// go through the points by their operations a byte, Home and End to the ends, Enter activates again; a click does
/// both.
class RooflineView : public QWidget {
  Q_OBJECT
public:
  explicit RooflineView(QWidget *parent = nullptr);

  /// `before` without kernels: there is none.
  void setRuns(const protocol::RunReport &now, const protocol::RunReport &before, const QString &beforeName);
  /// What it shows is out of date: it is paler.
  void setStale(bool isStale);
  /// What is said where there is no chart.
  void setEmptyText(const QString &title, const QString &hint);
  const message::RooflineChart &chart() const { return chart_; }
  /// Sets the dispatch of a row of the report apart; -1: none.
  void setCurrent(int row);
  /// Where a point of `chart().now` is painted.
  QPointF positionOf(int point) const;
  /// Rich text about a point.
  QString pointToolTip(int point) const;
  QByteArray svg() const;
  QByteArray csv() const;
  QSize sizeHint() const override { return {420, 240}; }
  QSize minimumSizeHint() const override { return {220, 140}; }

signals:
  /// The first row of a dispatch.
  void rowActivated(int row);
  void exportRequested();

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  bool event(QEvent *event) override;

private:
  message::RooflinePlace place() const;
  int pointAt(const QPointF &position) const;
  void select(int point);
  void setHovered(int point);
  void describe();
  void paintNotes(QPainter &painter) const;

  message::RooflineChart chart_;
  QList<int> order_; ///< points by operations a byte
  bool hasRun_ = false, isStale_ = false;
  QString emptyTitle_, emptyHint_; ///< the title stands where nothing ran
  int selected_ = -1, hovered_ = -1;
};

} // namespace fuselage
