// A section of the README, as a page of help.
#pragma once
#include <QString>

namespace fuselage {

/// The Markdown under the heading (a line such as "### Ten minutes"), up to the next heading of its level or above;
/// empty where there is none. Pictures for light and dark become the one for `dark`, `width` pixels wide, from the
/// resources.
QString helpSection(const QString &readme, const QString &heading, bool dark, int width);

} // namespace fuselage
