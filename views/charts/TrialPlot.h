// How fast trials were: in their order with the best so far, or against the values of a knob.
#pragma once
#include "views/models/trials/TrialList.h"
#include <QPixmap>
#include <QWidget>

namespace fuselage {

/// A dot a trial, as many times as fast as the baseline (the dashed line at 1); a ring was cut short, a cross on the
/// floor has no time. Of thousands, one dot stands for those of its kind within a few pixels, and the plot says how
/// many there are. Left and Right go through the trials, Home and End to the ends, Enter activates; a click does both.
class TrialPlot : public QWidget {
  Q_OBJECT
public:
  explicit TrialPlot(QWidget *parent = nullptr);

  /// Shows them as they are now; they outlive this, and who changes them says so again.
  void setTrials(const TrialList &trials);
  /// The values along the foot are those of this knob, in this order; empty: the trials in theirs.
  void setKnob(const QString &name, const QStringList &values);
  void setEmptyText(const QString &title, const QString &hint);
  void setCurrent(int row);
  int current() const { return current_; }
  /// Where the dot of a trial is.
  QPointF positionOf(int row) const;
  QString trialToolTip(int row) const;
  /// How many dots the last picture had.
  int dots() const { return dots_; }
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
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  bool event(QEvent *event) override;

private:
  const QRectF &area() const { return area_; }
  /// Text around it has the font's size, which takes too long to ask for each dot.
  void measure();
  double xOf(int row) const;
  double yOf(double speed) const;
  int trialAt(const QPointF &position) const;
  void select(int row);
  void paintAxes(QPainter &painter) const;
  void paintFoot(QPainter &painter) const;
  void paintBestSoFar(QPainter &painter) const;
  void paintDots(QPainter &painter) const;
  void makePicture();
  /// One for each place, of those that few are enough to fill.
  QList<int> rowsToPaint() const;
  void paintDot(QPainter &painter, int row, bool isSet) const;
  void place();
  void describe();

  const TrialList *trials_;
  QList<int> places_; ///< of rows, along the values of the knob
  QString knob_, emptyTitle_, emptyHint_;
  QStringList values_;
  int current_ = -1, hovered_ = -1, dots_ = 0;
  QPixmap picture_; ///< of all dots; null: it is to be made
  qint64 pictureColours_ = 0;
  double most_ = 1; ///< speed at the top
  QRectF area_;     ///< of the dots
};

} // namespace fuselage
