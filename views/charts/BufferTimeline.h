// Lifetimes of buffers: a row each, from the op that makes it to the last one that uses it.
#pragma once
#include "views/charts/RowChart.h"
#include "views/messages/BufferTypes.h"

namespace fuselage {

struct Theme;

/// The colour of a memory space, the same in every view of memory.
QColor spaceColour(const Theme &theme, const QString &space);

/// Program order runs to the right, bars have the colour of their memory space; arguments, which are the
/// caller's and not counted, are outlines. A dashed line is where a space's peak is reached.
class BufferTimeline : public RowChart {
  Q_OBJECT
public:
  explicit BufferTimeline(QWidget *parent = nullptr);
  void setReport(const protocol::BuffersReport &report);
  QSize sizeHint() const override { return {420, 160}; }

protected:
  int rowCount() const override { return int(report_.buffers.size()); }
  void paintRow(QPainter &painter, int row, const QRect &place) override;
  void paintBackground(QPainter &painter) override;
  QString rowToolTip(int row) const override;

private:
  QRect plot() const;
  double xOf(qint64 op) const;
  QString nameOf(const protocol::Buffer &buffer) const;

  protocol::BuffersReport report_;
  qint64 first_ = 0, last_ = 0; ///< ops at the ends of the axis
  int nameWidth_ = 0;
};

} // namespace fuselage
