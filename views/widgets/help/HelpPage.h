// Pages of resources/docs, as Help shows them.
#pragma once
#include <QString>

namespace fuselage {

/// The Markdown of a page for a QTextBrowser. A `<picture>` with a light and a dark source becomes the one for `dark`,
/// from the screenshots in the resources.
QString helpPage(const QString &markdown, bool dark);

/// The anchor that a heading has on a page, by GitHub's rule: "Ten minutes!" is "ten-minutes".
QString anchorOf(const QString &heading);

} // namespace fuselage
