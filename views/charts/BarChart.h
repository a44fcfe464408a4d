// Median times of kernels as horizontal bars, with whiskers from min to p95.
#pragma once
#include "views/charts/RowChart.h"
#include "views/models/RunWords.h"

namespace fuselage {

/// Bars in the kernels' order, on a linear axis from 0.
class BarChart : public RowChart {
  Q_OBJECT
public:
  explicit BarChart(QWidget *parent = nullptr);
  /// `counts`: how many each of them stands for; empty: itself.
  void setKernels(const QList<protocol::Kernel> &kernels, const QList<qint64> &counts = {});
  QSize sizeHint() const override { return {360, 180}; }

protected:
  int rowCount() const override { return int(kernels_.size()); }
  void paintRow(QPainter &painter, int row, const QRect &place) override;
  void paintBackground(QPainter &painter) override;
  QString rowToolTip(int row) const override;

private:
  /// Where bars begin, and pixels a microsecond.
  struct Axis {
    int left;
    int width;
    double scale;
  };
  Axis axis() const;
  QString nameOf(int row) const;
  QList<protocol::Kernel> kernels_;
  QList<KernelPart> parts_; ///< of the rows
  QList<qint64> counts_;
  qsizetype commonPrefix_ = 0; ///< what all names begin with is not worth its space
  double longest_ = 0;         ///< microseconds
  int nameWidth_ = 0, timeWidth_ = 0;
};

} // namespace fuselage
