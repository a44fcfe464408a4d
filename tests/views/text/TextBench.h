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

/// Lines that are there as soon as they are asked for, which is counted.
struct AskedSource : PagedTextSource {
  /// `lineOf`: the text of a line.
  template <class LineOf> AskedSource(int lineCount, LineOf lineOf) {
    connect(this, &PagedTextSource::linesRequested, this, [this, lineOf](int first, int count) {
      asked += count;
      QStringList lines;
      for (int i = first; i < first + count; ++i)
        lines << lineOf(i);
      deliver(first, lines);
    });
    start(lineCount);
  }
  qint64 asked = 0;
};

/// The middle of a character cell, in viewport coordinates.
inline QPoint at(const TextView &view, int line, int column) {
  LineRenderer renderer;
  renderer.setFont(monoFont(10 * view.zoom()));
  int gutter =
      int(std::ceil(std::max(3, int(QString::number(view.source()->lineCount()).size())) * renderer.charWidth())) + 22;
  return {int(gutter + 8 + column * renderer.charWidth()) - view.horizontalScrollBar()->value(),
          int((line + 0.5) * renderer.lineHeight()) - view.verticalScrollBar()->value()};
}

} // namespace fuselage
