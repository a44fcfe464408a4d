// How fast trials were: in their order with the best so far, or against the values of a knob.
#pragma once
#include "views/messages/TuneTypes.h"
#include <QWidget>

namespace fuselage {

/// A dot a trial, as many times as fast as the baseline (the dashed line at 1); a ring was cut short, a cross on the floor has no time. Left
/// and Right go through the trials, Home and End to the ends, Enter activates; a click does both.
class TrialPlot : public QWidget {
  Q_OBJECT
public:
  explicit TrialPlot(QWidget *parent = nullptr);

  /// `best`: its row; -1: none.
  void setTrials(const QList<protocol::TuneTrial> &trials, int best);
  /// The values along the foot are those of this knob, in this order; empty: the trials in theirs.
  void setKnob(const QString &name, const QStringList &values);
  void setEmptyText(const QString &title, const QString &hint);
  void setCurrent(int row);
  int current() const { return current_; }
  /// Where the dot of a trial is.
  QPointF positionOf(int row) const;
  QString trialToolTip(int row) const;
  QSize sizeHint() const override { return {420, 240}; }
  QSize minimumSizeHint() const override { return {200, 120}; }

signals:
  void trialActivated(int row);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  bool event(QEvent *event) override;

private:
  QRectF area() const;
  double xOf(int row) const;
  double yOf(double speed) const;
  int trialAt(const QPointF &position) const;
  void select(int row);
  void paintAxes(QPainter &painter) const;
  void paintFoot(QPainter &painter) const;
  void paintBestSoFar(QPainter &painter) const;
  void paintDot(QPainter &painter, int row) const;
  void describe();

  QList<protocol::TuneTrial> trials_;
  QString knob_, emptyTitle_, emptyHint_;
  QStringList values_;
  int best_ = -1, current_ = -1, hovered_ = -1;
  double most_ = 1; ///< speed at the top
};

} // namespace fuselage
