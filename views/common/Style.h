// The look of the window's parts, in one place: spacing, corners, lines, focus. Colours are the Theme's.
#pragma once
#include <QHash>
#include <QIcon>
#include <QProxyStyle>

namespace fuselage {

/// Qt's Fusion style with quieter parts: flat tabs with an accent line, tool buttons that are there when they are
/// needed, thin scroll bars, one line between panels. What it does not paint is Fusion's.
class Style : public QProxyStyle {
public:
  Style();

  int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
  int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                QStyleHintReturn *data) const override;
  /// Drawn once: every panel has two of them.
  QIcon standardIcon(StandardPixmap icon, const QStyleOption *option, const QWidget *widget) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                         const QWidget *widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                       const QWidget *widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
  void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                   const QWidget *widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                          const QWidget *widget) const override;

private:
  mutable QHash<int, QIcon> icons_;
};

/// Makes it the application's, once.
void applyStyle();

} // namespace fuselage
