// Our line icons, in the colour of the text around them.
#pragma once
#include <QIcon>

namespace fuselage {

/// The icon of resources/icons/<name>.svg; drawn with the palette's text colour of the moment, so
/// that it follows a change of theme, and sharp at every scale.
QIcon lineIcon(const QString &name);
/// The same in a fixed colour.
QIcon lineIcon(const QString &name, const QColor &colour);

} // namespace fuselage
