#include "views/tiles/TileCards.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include <QCoreApplication>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString tr(const char *text) { return QCoreApplication::translate("TileCards", text); }

QString formatFactor(double factor) {
  if (factor < 0)
    return tr("unknown");
  return std::abs(factor - std::round(factor)) < 5e-4 ? QString::number(std::round(factor))
                                                      : QString::number(factor, 'f', 2);
}

/// "rows 32–63 of 128": the dimension that is drawn downwards or across.
static QString describeDim(const protocol::TileFootprint &footprint, int dim) {
  return tr("dim %1: %2").arg(dim).arg(describeRuns(runsOf(footprint.pieces, dim), footprint.shape[dim]));
}

static TileCard domainCard(const protocol::TileReport &report, const QList<qint64> &inner) {
  TileCard card{.kind = TileCard::Kind::Domain,
                .section = tr("Iteration domain"),
                .footprint = {},
                .plane = planeOf(report.loops)};
  QStringList ranges;
  for (const protocol::TileLoop &loop : report.loops)
    ranges.append(QString::number(loop.range));
  card.title = report.op.op;
  card.subtitle = ranges.join(u" \u00d7 "_s);
  card.lines.append(tr("tile %1 of %2").arg(groupedNumber(report.tileNumber + 1), groupedNumber(report.tiles)));
  for (int loop : {card.plane.row, card.plane.column})
    if (loop >= 0)
      card.lines.append(tr("%1: %2 of %3")
                            .arg(report.loops[loop].name, groupedNumber(report.tile.value(loop) + 1),
                                 groupedNumber(report.loops[loop].trips)));
  QStringList held;
  for (qsizetype loop = 0; loop < std::min(inner.size(), report.loops.size()); ++loop)
    held.append(QString::number(inner[loop] == 0 ? report.loops[loop].range : inner[loop]));
  if (!held.isEmpty())
    card.lines.append(tr("in registers: %1").arg(held.join(u" \u00d7 "_s)));
  QStringList uneven;
  for (const protocol::TileLoop &loop : report.loops)
    if (loop.lastSize != loop.size)
      uneven.append(tr("last of %1 is %2").arg(loop.name).arg(loop.lastSize));
  card.warning = uneven.isEmpty() ? QString() : tr("uneven: %1").arg(uneven.join(u", "_s));
  card.toolTip = tr("Click a tile to go there");
  return card;
}

static TileCard footprintCard(const QString &section, const protocol::TileFootprint &footprint) {
  TileCard card{
      .section = section, .title = footprint.name, .subtitle = describeType(footprint.type), .footprint = footprint};
  card.plane = planeOf(footprint.shape, footprint.pieces, footprint.halo);
  if (footprint.pieces.isEmpty()) {
    card.lines.append(tr("none of it"));
  } else {
    for (int dim : {card.plane.row, card.plane.column})
      if (dim >= 0)
        card.lines.append(describeDim(footprint, dim));
    if (const QString others = describeOthers(footprint.shape, footprint.pieces, card.plane.others); !others.isEmpty())
      card.lines.append(others);
    card.lines.append(
        tr("%1, %2").arg(tr("%1 elements").arg(groupedNumber(footprint.elements)), formatBytes(footprint.bytes)));
  }
  if (footprint.haloElements > 0)
    card.lines.append(tr("halo %1").arg(groupedNumber(footprint.haloElements)));
  if (!footprint.exact)
    card.warning = tr("at most: %1").arg(footprint.note);
  QStringList tip{footprint.type};
  if (!footprint.map.isEmpty())
    tip.append(footprint.map);
  if (!footprint.note.isEmpty())
    tip.append(footprint.note);
  if (footprint.piecesTotal > footprint.pieces.size())
    tip.append(tr("%1 of %2 pieces are drawn").arg(footprint.pieces.size()).arg(footprint.piecesTotal));
  card.toolTip = tip.join(u'\n');
  return card;
}

static void addProducer(const protocol::TileProducer &producer, QList<TileCard> &cards) {
  for (const protocol::TileFootprint &result : producer.results) {
    if (result.pieces.isEmpty() && producer.results.size() > 1)
      continue;
    TileCard card = footprintCard(tr("Fused producers"), result);
    card.title = u"%1 = %2"_s.arg(result.name, producer.op.op);
    if (producer.view)
      card.lines.append(tr("moves no data itself"));
    else
      card.lines.append(tr("recompute \u00d7%1").arg(formatFactor(producer.recompute)));
    if (!producer.view && producer.recompute >= 0 && producer.sliceRecompute > producer.recompute + 5e-4)
      card.lines.append(tr("as slices \u00d7%1").arg(formatFactor(producer.sliceRecompute)));
    if (producer.otherUsers && card.warning.isEmpty())
      card.warning = tr("also needed elsewhere");
    cards.append(card);
  }
}

QList<TileCard> tileCards(const protocol::TileReport &report, const QList<qint64> &inner) {
  QList<TileCard> cards;
  if (!report.loops.isEmpty())
    cards.append(domainCard(report, inner));
  for (const protocol::TileFootprint &footprint : report.operands)
    cards.append(footprintCard(tr("Operands"), footprint));
  for (const protocol::TileFootprint &footprint : report.results)
    cards.append(footprintCard(tr("Result"), footprint));
  for (const protocol::TileProducer &producer : report.producers)
    addProducer(producer, cards);
  if (report.fused)
    for (const protocol::TileFootprint &footprint : report.outside)
      cards.append(footprintCard(tr("Read from memory"), footprint));
  return cards;
}

} // namespace fuselage
