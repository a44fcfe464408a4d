// A 2-d slice of a result as a picture: its values, or how far they are from what was expected.
#pragma once
#include "views/messages/RunTypes.h"
#include <QWidget>

namespace fuselage {

class HeatMap : public QWidget {
  Q_OBJECT
public:
  enum class Shows { Values, Errors };

  explicit HeatMap(QWidget *parent = nullptr);

  /// Of a result without a slice: says so.
  void setOutput(const protocol::Output &output);
  void clear();
  void setShows(Shows shows);
  /// The cell at a position; an empty text where there is none.
  QString cellText(const QPoint &position) const;
  /// Where the cells are.
  QRectF picture() const;
  QSize sizeHint() const override { return {260, 220}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

protected:
  void paintEvent(QPaintEvent *event) override;
  bool event(QEvent *event) override;

private:
  double valueAt(int row, int column) const;
  QColor colorOf(double value) const;
  void paintLegend(QPainter &painter, const QRectF &cells) const;
  QString title() const;

  std::optional<protocol::HeatSlice> heat_;
  std::optional<protocol::WorstElement> worst_;
  Shows shows_ = Shows::Values;
  double low_ = 0, high_ = 0; ///< of the finite cells shown
  qsizetype finite_ = 0;      ///< how many these are
};

} // namespace fuselage
