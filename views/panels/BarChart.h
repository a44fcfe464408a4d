// Median times of kernels as horizontal bars, with whiskers from min to p95.
#pragma once
#include "app/bridge/ProtocolTypes.h"
#include <QAbstractScrollArea>

namespace fuselage {

/// Bars in the kernels' order, on a linear axis from 0; painted by hand, scrolls vertically.
class BarChart : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit BarChart(QWidget *parent = nullptr);
  void setKernels(const QList<protocol::Kernel> &kernels);
  /// Highlights a bar; -1: none.
  void setCurrent(int kernel);
  QSize sizeHint() const override { return {360, 180}; }

signals:
  void kernelActivated(int kernel);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  bool viewportEvent(QEvent *event) override;

private:
  int kernelAt(const QPoint &position) const;
  void updateScrollBar();
  int rowHeight() const;
  QString nameOf(const protocol::Kernel &kernel) const;
  QList<protocol::Kernel> kernels_;
  qsizetype commonPrefix_ = 0; ///< what all names begin with is not worth its space
  int hovered_ = -1;
  int current_ = -1;
};

} // namespace fuselage
