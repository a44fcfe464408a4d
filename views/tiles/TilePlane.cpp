#include "views/tiles/TilePlane.h"
#include "views/common/Theme.h"
#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString tr(const char *text) { return QCoreApplication::translate("TilePlane", text); }

/// The two dimensions with the highest scores, in their order.
static TilePlane pick(const QList<qint64> &shape, const QList<double> &scores) {
  QList<int> dims;
  for (int dim = 0; dim < shape.size(); ++dim)
    dims.append(dim);
  std::stable_sort(dims.begin(), dims.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  TilePlane plane;
  QList<int> shown = dims.mid(0, 2);
  std::sort(shown.begin(), shown.end());
  plane.column = shown.isEmpty() ? -1 : shown.last();
  plane.row = shown.size() > 1 ? shown.first() : -1;
  plane.others = dims.mid(2);
  std::sort(plane.others.begin(), plane.others.end());
  for (int dim : plane.others)
    plane.isStack |= shape[dim] > 1;
  return plane;
}

protocol::TileAxis runsOf(const QList<protocol::TilePiece> &pieces, int dim) {
  protocol::TileAxis runs;
  for (const protocol::TilePiece &piece : pieces)
    for (const protocol::TileRun &run : piece.value(dim))
      if (std::none_of(runs.begin(), runs.end(), [&](const protocol::TileRun &known) {
            return known.offset == run.offset && known.size == run.size && known.stride == run.stride &&
                   known.width == run.width;
          }))
        runs.append(run);
  std::sort(runs.begin(), runs.end(), [](const auto &a, const auto &b) { return a.offset < b.offset; });
  return runs;
}

/// Whether runs are all of a dimension.
static bool isAll(const protocol::TileAxis &axis, qint64 size) {
  return std::any_of(axis.begin(), axis.end(), [&](const protocol::TileRun &run) {
    return run.stride == 1 && run.offset == 0 && run.size == size;
  });
}

/// Whether some piece of the halo is less than what is touched of a dimension.
static bool hasHalo(const QList<protocol::TilePiece> &pieces, const QList<protocol::TilePiece> &halo, int dim) {
  auto count = [&](const protocol::TileAxis &axis) {
    qint64 elements = 0;
    for (const protocol::TileRun &run : axis)
      elements += run.size * (run.stride == 1 ? 1 : run.width);
    return elements;
  };
  const qint64 touched = count(runsOf(pieces, dim));
  return std::any_of(halo.begin(), halo.end(),
                     [&](const protocol::TilePiece &piece) { return count(piece.value(dim)) < touched; });
}

TilePlane planeOf(const QList<qint64> &shape, const QList<protocol::TilePiece> &pieces,
                  const QList<protocol::TilePiece> &halo) {
  QList<double> scores;
  for (int dim = 0; dim < shape.size(); ++dim) {
    const bool isPartial = !pieces.isEmpty() && !isAll(runsOf(pieces, dim), shape[dim]);
    scores.append((shape[dim] > 1 ? 100 : 0) + (isPartial && shape[dim] > 1 ? 1000 : 0) +
                  (hasHalo(pieces, halo, dim) ? 2000 : 0) + 0.01 * dim);
  }
  return pick(shape, scores);
}

TilePlane planeOf(const QList<protocol::TileLoop> &loops) {
  QList<qint64> shape;
  QList<double> scores;
  for (int loop = 0; loop < loops.size(); ++loop) {
    shape.append(loops[loop].range);
    scores.append((loops[loop].range > 1 ? 100 : 0) + (loops[loop].trips > 1 ? 1000 : 0) +
                  (loops[loop].isReduction ? 0 : 10) - 0.01 * loop);
  }
  return pick(shape, scores);
}

QString describeRuns(const protocol::TileAxis &axis, qint64 size) {
  if (axis.isEmpty())
    return tr("none");
  if (isAll(axis, size))
    return tr("all %1").arg(groupedNumber(size));
  QStringList parts;
  constexpr int most = 2;
  for (const protocol::TileRun &run : axis.mid(0, most)) {
    QString part = run.end() - run.offset == 1
                       ? groupedNumber(run.offset)
                       : u"%1\u2013%2"_s.arg(groupedNumber(run.offset), groupedNumber(run.end() - 1));
    if (run.stride > 1)
      part += tr(" step %1").arg(run.stride);
    parts.append(part);
  }
  if (axis.size() > most)
    parts.append(u"\u2026"_s);
  return tr("%1 of %2").arg(parts.join(u", "_s), groupedNumber(size));
}

QString describeOthers(const QList<qint64> &shape, const QList<protocol::TilePiece> &pieces, const QList<int> &dims) {
  QStringList parts;
  for (int dim : dims)
    if (shape[dim] > 1)
      parts.append(tr("dim %1: %2").arg(dim).arg(describeRuns(runsOf(pieces, dim), shape[dim])));
  return parts.join(u" \u00b7 "_s);
}

QString describeType(const QString &type) {
  static const QRegularExpression shaped(u"^(?:tensor|memref)<((?:\\d+x)*)([^,<>]+)[,>]"_s);
  const QRegularExpressionMatch match = shaped.match(type);
  if (!match.hasMatch())
    return type;
  const QString shape = match.captured(1).chopped(match.captured(1).isEmpty() ? 0 : 1);
  return shape.isEmpty() ? match.captured(2)
                         : u"%1 %2"_s.arg(QString(shape).replace(u'x', u'\u00d7'), match.captured(2));
}

} // namespace fuselage
