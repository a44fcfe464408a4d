#include "views/graph/BlockRaster.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

void BlockRaster::begin(QSize deviceSize, double devicePixelRatio) {
  if (image_.size() != deviceSize)
    image_ = QImage(deviceSize, QImage::Format_ARGB32_Premultiplied);
  image_.setDevicePixelRatio(devicePixelRatio);
  thickness_ = std::max(1, int(std::lround(devicePixelRatio)));
  image_.fill(Qt::transparent);
  pixels_ = reinterpret_cast<QRgb *>(image_.bits());
  width_ = image_.width();
  height_ = image_.height();
}

void BlockRaster::fill(double left, double top, double right, double bottom, QRgb color) {
  if (!(right >= 0 && bottom >= 0 && left < width_ && top < height_))
    return;
  int x0 = int(std::max(0.0, left)), y0 = int(std::max(0.0, top));
  int x1 = std::max(x0 + 1, int(std::min<double>(width_, right)));
  int y1 = std::max(y0 + 1, int(std::min<double>(height_, bottom)));
  for (int y = y0; y < y1; ++y)
    std::fill(pixels_ + size_t(y) * width_ + x0, pixels_ + size_t(y) * width_ + x1, color);
}

void BlockRaster::line(double x0, double y0, double x1, double y1, QRgb color) {
  double steps = std::max(std::abs(x1 - x0), std::abs(y1 - y0));
  if (!(steps >= 1 && steps < 1e6))
    return;
  const bool isSteep = std::abs(y1 - y0) > std::abs(x1 - x0);
  double dx = (x1 - x0) / steps, dy = (y1 - y0) / steps;
  // The part of the line inside the image, by clipping its parameter on both axes.
  double begin = 0, end = steps;
  auto clip = [&](double start, double delta, double limit) {
    if (std::abs(delta) < 1e-12) {
      if (start < 0 || start >= limit)
        end = -1;
      return;
    }
    double a = -start / delta, b = (limit - 1 - start) / delta;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
  };
  clip(x0, dx, width_);
  clip(y0, dy, height_);
  if (end < begin)
    return;
  double x = x0 + dx * begin, y = y0 + dy * begin;
  for (int i = 0, n = int(end - begin); i <= n; ++i, x += dx, y += dy) {
    int px = std::clamp(int(x), 0, width_ - 1), py = std::clamp(int(y), 0, height_ - 1);
    pixels_[size_t(py) * width_ + px] = color;
    if (thickness_ > 1) // beside a steep line, below a flat one
      for (int more = 1; more < thickness_; ++more)
        if (const int x2 = px + (isSteep ? more : 0), y2 = py + (isSteep ? 0 : more); x2 < width_ && y2 < height_)
          pixels_[size_t(y2) * width_ + x2] = color;
  }
}

} // namespace fuselage
