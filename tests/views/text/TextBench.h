// What the tests of the text view have in common.
#pragma once
#include "views/text/TextView.h"
#include <QScrollBar>
#include <cmath>

namespace fuselage {

inline QString text(int lines) {
  QStringList all;
  for (int i = 0; i < lines; ++i)
    all << QStringLiteral("  %%1 = arith.addf %a, %b : f32").arg(i);
  return all.join(u'\n');
}

/// The middle of a character cell, in viewport coordinates.
inline QPoint at(const TextView &view, int line, int column) {
  LineRenderer renderer;
  renderer.setFont(monoFont(10 * view.zoom()));
  int gutter = int(std::ceil(std::max(3, int(QString::number(view.source()->lineCount()).size())) * renderer.charWidth())) + 22;
  return {int(gutter + 8 + column * renderer.charWidth()) - view.horizontalScrollBar()->value(),
          int((line + 0.5) * renderer.lineHeight()) - view.verticalScrollBar()->value()};
}

} // namespace fuselage
