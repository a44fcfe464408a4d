// Drawings on white paper, shown by a dark window, and the other way round.
#pragma once
#include <QImage>

namespace fuselage {

struct Theme;

/// A drawing is as light or dark as its ground: lightness is turned over where the theme is the other way round, and
/// hues stay. What has no light or dark ground is no drawing, but a photograph perhaps, and stays as it is.
QImage drawingInTheme(const QImage &picture, const Theme &theme);

} // namespace fuselage
