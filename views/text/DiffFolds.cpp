#include "views/text/DiffFolds.h"
#include "views/text/LineRenderer.h"
#include <algorithm>

namespace fuselage {
namespace {

/// A line without the words that differ and without what the diff does not compare: the same on both sides.
struct CommonText {
  QString text{};
  QList<int> at{};      ///< how much of it is in front of a column
  QList<int> changes{}; ///< how much of it is in front of the words that differ

  /// Words that were put in right behind its bracket, or in front of the other one, are in it.
  bool hasChange(const LineFold &fold, const QList<int> &all) const {
    const auto change = std::lower_bound(all.cbegin(), all.cend(), at[fold.begin]);
    return change != all.cend() && *change <= at[fold.end];
  }
  QStringView of(const LineFold &fold) const {
    return QStringView(text).sliced(at[fold.begin], at[fold.end] - at[fold.begin]);
  }
};

bool isInName(QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'$' || c == u'.'; }

/// The columns of spans, which are in order, in one go.
QList<LineFold> columnsOf(const QString &line, const QList<ByteSpan> &spans) {
  QList<LineFold> columns;
  int bytes = 0, column = 0;
  const auto go = [&](int to) {
    column += to > bytes ? utf16Column(QStringView(line).sliced(column), to - bytes) : 0;
    bytes = std::max(bytes, to);
    return column;
  };
  for (const ByteSpan &span : spans) {
    const int begin = go(span.begin);
    columns.append({begin, go(span.end)});
  }
  return columns;
}

CommonText commonText(const QString &line, const QList<ByteSpan> &spans) {
  CommonText common;
  common.at.reserve(line.size() + 1);
  int column = 0;
  const auto skipTo = [&](int end) {
    for (; column < end; ++column)
      common.at.append(int(common.text.size()));
  };
  const auto keepTo = [&](int end) {
    while (column < end) {
      const QChar c = line[column];
      skipTo(column + 1);
      if (!c.isSpace())
        common.text += c;
      if (QStringView(u"%^#").contains(c))
        while (column < end && isInName(line[column]))
          skipTo(column + 1);
    }
  };
  for (const LineFold &differs : columnsOf(line, spans)) {
    keepTo(differs.begin);
    common.changes.append(int(common.text.size()));
    skipTo(differs.end);
  }
  keepTo(int(line.size()));
  common.at.append(int(common.text.size()));
  return common;
}

} // namespace

FoldPairs foldsOfBoth(const QString &left, const QString &right, const QList<ByteSpan> &leftSpans,
                      const QList<ByteSpan> &rightSpans) {
  QList<LineFold> before = foldsOf(left), after = foldsOf(right);
  if (before.isEmpty() || after.isEmpty())
    return {};
  if (left == right && leftSpans.isEmpty() && rightSpans.isEmpty())
    return {before, after};
  const CommonText a = commonText(left, leftSpans), b = commonText(right, rightSpans);
  QList<int> changes = a.changes + b.changes;
  std::sort(changes.begin(), changes.end());
  before = foldsOf(left, [&](const LineFold &fold) { return !a.hasChange(fold, changes); });
  after = foldsOf(right, [&](const LineFold &fold) { return !b.hasChange(fold, changes); });
  FoldPairs pairs;
  for (qsizetype i = 0, j = 0; i < before.size() && j < after.size();) {
    const int l = a.at[before[i].begin], r = b.at[after[j].begin];
    if (l == r && a.of(before[i]) == b.of(after[j])) {
      pairs.left.append(before[i]);
      pairs.right.append(after[j]);
    }
    i += l <= r;
    j += r <= l;
  }
  return pairs;
}

} // namespace fuselage
