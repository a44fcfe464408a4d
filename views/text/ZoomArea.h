// Scrolled text with a size of its own.
#pragma once
#include <QAbstractScrollArea>

namespace fuselage {

/// Zooms by Ctrl+wheel, Ctrl+Plus, Ctrl+Minus and Ctrl+0; scrolls sideways by Shift+wheel and by what a trackpad says;
/// shows by repainting whether it has the focus.
class ZoomArea : public QAbstractScrollArea {
  Q_OBJECT
public:
  double zoom() const { return zoom_; } ///< 1: 100 %
  /// Between 50 % and 400 %.
  void setZoom(double zoom);

signals:
  void zoomChanged(double zoom);

protected:
  using QAbstractScrollArea::QAbstractScrollArea;
  /// The zoom is another one: fonts, scroll bars, and the same text on top as before.
  virtual void applyZoom() = 0;
  /// True if the key was one of the zoom.
  bool zoomByKey(QKeyEvent *event);
  /// To the right and down.
  virtual void scrollByPixels(QPointF pixels);
  /// What of `pixels`, and of what was left over before, makes whole rows.
  double wholeRows(double pixels, double row);
  void wheelEvent(QWheelEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  double zoom_ = 1;
  QPointF rest_; ///< pixels that were no whole ones, or no whole row
};

} // namespace fuselage
