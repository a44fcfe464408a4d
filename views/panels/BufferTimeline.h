// Lifetimes of buffers: a row each, from the op that makes it to the last one that uses it.
#pragma once
#include "app/bridge/BufferTypes.h"
#include <QAbstractScrollArea>

namespace fuselage {

struct Theme;

/// The colour of a memory space, the same in every view of memory.
QColor spaceColour(const Theme &theme, const QString &space);

/// Program order runs to the right, bars have the colour of their memory space; arguments, which are the
/// caller's and not counted, are outlines. A dashed line is where a space's peak is reached. Up and Down
/// walk through the rows.
class BufferTimeline : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit BufferTimeline(QWidget *parent = nullptr);
  void setReport(const protocol::BuffersReport &report);
  /// What is said where there is nothing to see.
  void setEmptyText(const QString &title, const QString &hint);
  /// An index into the report's buffers; -1: none.
  void setCurrent(int buffer);
  int current() const { return current_; }
  QSize sizeHint() const override { return {420, 160}; }

signals:
  void bufferActivated(int buffer);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  bool viewportEvent(QEvent *event) override;

private:
  int rowHeight() const;
  int rowAt(const QPoint &position) const;
  QRect plot() const;
  double xOf(qint64 op) const;
  QString nameOf(const protocol::Buffer &buffer) const;
  QString toolTip(const protocol::Buffer &buffer) const;
  void updateScrollBar();
  void paintRow(QPainter &painter, int row, int y, const Theme &theme);
  void paintPeaks(QPainter &painter, const Theme &theme);

  protocol::BuffersReport report_;
  QString emptyTitle_, emptyHint_;
  qint64 first_ = 0, last_ = 0; ///< ops at the ends of the axis
  int nameWidth_ = 0;
  int hovered_ = -1, current_ = -1;
};

} // namespace fuselage
