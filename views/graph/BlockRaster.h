// Fills plain blocks and lines straight into pixels: what a far-away graph is made of.
#pragma once
#include <QColor>
#include <QImage>
#include <QPainter>

namespace fuselage {

/// QPainter takes about 0.2 µs of overhead a rectangle, which is a frame at 100k nodes. This has
/// none. Coordinates are device px.
class BlockRaster {
public:
  void begin(QSize deviceSize, double devicePixelRatio);
  /// At least one pixel.
  void fill(double left, double top, double right, double bottom, QRgb color);
  void line(double x0, double y0, double x1, double y1, QRgb color);
  void end(QPainter &painter) const { painter.drawImage(QPointF(0, 0), image_); }

private:
  QImage image_;
  QRgb *pixels_ = nullptr;
  int width_ = 0, height_ = 0;
  int thickness_ = 1; ///< of lines
};

} // namespace fuselage
