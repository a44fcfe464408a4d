// Where the graph view looks: a centre in scene coordinates and a scale.
#pragma once
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QTransform>

namespace fuselage {

/// A value; the viewport's size is given with every question.
class Camera {
public:
  static constexpr double minScale = 0.002, maxScale = 6;

  Camera() = default;
  Camera(QPointF center, double scale);
  /// Sees all of `scene` in `viewport` with `margin` px around it, no larger than `largest`.
  static Camera fitting(const QRectF &scene, QSizeF viewport, double margin, double largest);
  /// `t` from 0 to 1; the scale moves in equal ratios, so that flights feel even.
  static Camera between(const Camera &a, const Camera &b, double t);

  QPointF center() const { return center_; }
  double scale() const { return scale_; }
  QPointF toScene(QPointF position, QSizeF viewport) const;
  QPointF toView(QPointF point, QSizeF viewport) const;
  QRectF toView(const QRectF &rect, QSizeF viewport) const;
  QRectF visible(QSizeF viewport) const;
  QTransform transform(QSizeF viewport) const;

  Camera panned(QPointF pixels) const;
  /// Zooms so that what is under `position` stays there.
  Camera zoomed(double factor, QPointF position, QSizeF viewport) const;
  bool operator==(const Camera &other) const = default;

private:
  QPointF center_;
  double scale_ = 1;
};

} // namespace fuselage
