// How fast trials were by the values of two knobs: the best of each pair.
#pragma once
#include "views/models/trials/TrialList.h"
#include <QHash>
#include <QWidget>

namespace fuselage {

/// A cell a pair of values; pairs that nobody tried stay empty. Arrows go through the cells that
/// were tried, Home and End to the first and the best, Enter activates, a click does both.
class KnobMap : public QWidget {
  Q_OBJECT
public:
  explicit KnobMap(QWidget *parent = nullptr);

  /// Shows them as they are now; they outlive this, and who changes them says so again.
  void setTrials(const TrialList &trials);
  /// What goes along the foot, and up the side, with its values in their order.
  void setKnobs(const QString &across, const QStringList &acrossValues, const QString &up, const QStringList &upValues);
  void setEmptyText(const QString &title, const QString &hint);
  /// Sets the cell apart that has this trial; -1: none.
  void setCurrent(int trial);
  /// The best trial of that cell; -1: none is set apart.
  int current() const { return trialOf(current_.first, current_.second); }
  /// Of the cell at a position; an empty text where there is none.
  QString cellText(const QPoint &position) const;
  /// Of a cell that was tried, the row of its best trial; -1: nobody tried it.
  int trialOf(int column, int row) const { return cells_.value({column, row}, -1); }
  /// Where a cell is painted.
  QRectF placeOf(int column, int row) const;
  QSize sizeHint() const override { return {420, 240}; }
  QSize minimumSizeHint() const override { return {200, 120}; }

signals:
  void trialActivated(int row);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool event(QEvent *event) override;

private:
  using Cell = QPair<int, int>; ///< column and row
  void collect();
  QRectF area() const;
  Cell cellAt(const QPointF &position) const;
  QColor colourOf(double speed) const;
  void paintLabels(QPainter &painter) const;
  void paintScale(QPainter &painter) const;
  void select(const Cell &cell);
  void setHovered(const Cell &cell);
  /// The one that was tried first.
  Cell firstCell() const;
  void mark(QPainter &painter, const Cell &cell, const QColor &colour) const;

  const TrialList *trials_;
  QString across_, up_, emptyTitle_, emptyHint_;
  QStringList acrossValues_, upValues_;
  QHash<Cell, int> cells_; ///< the best trial
  Cell current_{-1, -1}, hovered_{-1, -1};
  double low_ = 0, high_ = 1;
};

} // namespace fuselage
