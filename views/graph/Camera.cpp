#include "views/graph/Camera.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

Camera::Camera(QPointF center, double scale) : center_(center), scale_(std::clamp(scale, minScale, maxScale)) {}

Camera Camera::fitting(const QRectF &scene, QSizeF viewport, double margin, double largest) {
  double w = std::max(1.0, viewport.width() - 2 * margin);
  double h = std::max(1.0, viewport.height() - 2 * margin);
  double scale = std::min(w / std::max(1.0, scene.width()), h / std::max(1.0, scene.height()));
  return Camera(scene.center(), std::min(scale, largest));
}

Camera Camera::between(const Camera &a, const Camera &b, double t) {
  double scale = std::exp(std::log(a.scale_) * (1 - t) + std::log(b.scale_) * t);
  // The centre moves with the extent seen, else zooming flights would swerve.
  double ia = 1 / a.scale_, ib = 1 / b.scale_;
  double along = std::abs(ib - ia) < 1e-6 * ia ? t : (1 / scale - ia) / (ib - ia);
  return Camera(a.center_ + (b.center_ - a.center_) * along, scale);
}

QPointF Camera::toScene(QPointF position, QSizeF viewport) const {
  return center_ + (position - QPointF(viewport.width(), viewport.height()) / 2) / scale_;
}

QPointF Camera::toView(QPointF point, QSizeF viewport) const {
  return (point - center_) * scale_ + QPointF(viewport.width(), viewport.height()) / 2;
}

QRectF Camera::toView(const QRectF &rect, QSizeF viewport) const {
  return QRectF(toView(rect.topLeft(), viewport), rect.size() * scale_);
}

QRectF Camera::visible(QSizeF viewport) const { return QRectF(toScene({0, 0}, viewport), viewport / scale_); }

QTransform Camera::transform(QSizeF viewport) const {
  QPointF origin = toView({0, 0}, viewport);
  return QTransform(scale_, 0, 0, scale_, origin.x(), origin.y());
}

Camera Camera::panned(QPointF pixels) const { return Camera(center_ - pixels / scale_, scale_); }

Camera Camera::zoomed(double factor, QPointF position, QSizeF viewport) const {
  Camera result(center_, scale_ * factor);
  result.center_ += toScene(position, viewport) - result.toScene(position, viewport);
  return result;
}

} // namespace fuselage
