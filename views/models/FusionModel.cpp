#include "views/models/FusionModel.h"
#include "core/text/PlaceList.h"
#include "views/common/Marks.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/models/ReasonWords.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

FusionMark markOf(const protocol::FusionEdge &edge) {
  static_assert(int(FusionMark::Impossible) == int(message::FusionState::Impossible) &&
                std::size(fusionMarks) == message::fusionStateCount);
  return FusionMark(edge.state);
}

bool isDecided(const protocol::FusionEdge &edge) {
  return edge.verdict == protocol::FusionVerdict::Separate && !edge.missed && edge.bytes != 0;
}

QString verdictText(const protocol::FusionEdge &edge) {
  if (edge.verdict == protocol::FusionVerdict::FusedIntoOp)
    return FusionModel::tr("fused into the consumer");
  if (edge.verdict == protocol::FusionVerdict::SameDispatch)
    return FusionModel::tr("in the same dispatch");
  if (edge.verdict == protocol::FusionVerdict::Cloned)
    return FusionModel::tr("computed again in the consumer's dispatch");
  if (isDecided(edge))
    return FusionModel::tr("in another dispatch: decided in an earlier step");
  return edge.missed ? fusionWords(markOf(edge)) : FusionModel::tr("in another dispatch; no bytes move");
}

QString reasonText(const protocol::FusionEdge &edge) {
  if (edge.reasons.isEmpty())
    return {};
  const protocol::FusionReason &reason = edge.reasons.first();
  return reason.kind.isEmpty() ? reason.code : reason.code + u" / "_s + reason.kind;
}

QString reasonPageOf(const protocol::FusionEdge &edge) {
  if (edge.reasons.isEmpty())
    return {};
  const protocol::FusionReason &reason = edge.reasons.first();
  return reason.kind.isEmpty() ? reason.code : reason.kind;
}

QString countedDispatches(qint64 count) {
  return counted(count, FusionModel::tr("dispatch"), FusionModel::tr("dispatches"));
}

/// "38" of "model.mlir:38:12"; empty where there is no place.
static QString lineOf(const QString &loc) {
  const QStringList parts = loc.split(u':');
  return parts.size() >= 3 ? parts[parts.size() - 2] : QString();
}

/// "model.mlir" of "models/model.mlir:38:12".
static QString fileOf(const QString &loc) { return loc.section(u':', 0, -3).section(u'/', -1); }

QString opText(const QString &op, const QString &loc) {
  const QString line = lineOf(loc);
  return line.isEmpty() ? op : FusionModel::tr("%1, line %2 of %3").arg(op, line, fileOf(loc));
}

QString placeText(const protocol::FusionEdge &edge) {
  const QString line = lineOf(edge.toLoc);
  return line.isEmpty() ? FusionModel::tr("op %1").arg(edge.to)
                        : FusionModel::tr("line %1 of %2").arg(line, fileOf(edge.toLoc));
}

void FusionModel::setReport(const protocol::FusionReport &report) {
  beginResetModel();
  report_ = report;
  rows_.clear();
  missedOf_.clear();
  rows_.reserve(report_.edges.size());
  // What ends in an op says more about it than what begins there.
  for (const bool ends : {true, false})
    for (int row = 0; row < report_.edges.size(); ++row) {
      const protocol::FusionEdge &edge = report_.edges[row];
      if (ends)
        rows_.insert({.from = edge.from, .to = edge.to, .operand = edge.operand}, row);
      if (!edge.missed)
        continue;
      auto known = missedOf_.find(ends ? edge.to : edge.from);
      if (known == missedOf_.end())
        missedOf_.insert(ends ? edge.to : edge.from, row);
      else if (ends && report_.edges[*known].bytes < edge.bytes)
        *known = row;
    }
  endResetModel();
}

const protocol::FusionEdge *FusionModel::edgeAt(int row) const {
  return row >= 0 && row < report_.edges.size() ? &report_.edges[row] : nullptr;
}

int FusionModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(report_.edges.size()); }

FusionModel::FusionModel(QObject *parent)
    : TableModel(
          {{tr("Saves"), true, tr("Bytes that would no longer go through memory")},
           {tr("Time"), true, tr("How long memory takes to move them")},
           {tr("Share"), true, tr("Of all bytes that the function's dispatches move")},
           {tr("Places"), true, tr("How many identical edges there are, such as in equal layers")},
           {tr("Producer")},
           {tr("Consumer")},
           {tr("State"), false,
            tr("Can be fused: a transform was tried that does it. Tried without success: transforms were tried, and "
               "none does. Cannot be fused: the ops cannot share loops.")},
           {tr("Reason")},
           {tr("Unlocked by"), false, tr("Transforms that each fuse the edge on their own")}},
          parent) {}

QString FusionModel::opText(qint64 op, const QString &name, const QString &loc) const {
  const QString known = names_ ? names_(op) : QString();
  return fuselage::opText(known.isEmpty() ? name : known, loc);
}

QString shareText(double share) {
  if (share < 0)
    return {};
  return share > 0 && share < 0.0005 ? u"< 0.1 %"_s : u"%1 %"_s.arg(share * 100, 0, 'f', 1);
}

void FusionModel::setGrouped(bool grouped) {
  grouped_ = grouped;
  if (rowCount() > 0)
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

static const protocol::FusionGroup *groupOf(const protocol::FusionReport &report, int row) {
  const int group = row >= 0 && row < report.edges.size() ? report.edges[row].group : -1;
  return group >= 0 && group < report.groups.size() ? &report.groups[group] : nullptr;
}

QList<int> FusionModel::placesOf(int row) const {
  QList<int> rows;
  if (const protocol::FusionGroup *group = groupOf(report_, row))
    for (const qint64 edge : group->edges)
      if (edge >= 0 && edge < report_.edges.size())
        rows.append(int(edge));
  return rows;
}

int FusionModel::shownRowOf(int row) const {
  const protocol::FusionGroup *group = grouped_ ? groupOf(report_, row) : nullptr;
  return group && !group->edges.isEmpty() && edgeAt(int(group->edges.first())) ? int(group->edges.first()) : row;
}

protocol::FusionGroup FusionModel::worthOf(int row) const {
  const protocol::FusionGroup *group = grouped_ ? groupOf(report_, row) : nullptr;
  if (group)
    return *group;
  const protocol::FusionEdge &edge = report_.edges[row];
  protocol::FusionGroup own;
  own.edges = {row};
  own.bytes = edge.bytes;
  own.microseconds = edge.microseconds;
  own.share = edge.share;
  return own;
}

/// "encoder.layer.0 to 11".
static QString layersText(const protocol::FusionGroup &group) {
  constexpr size_t most = 12;
  std::vector<std::string> names;
  for (const QString &layer : group.layers)
    names.push_back(layer.toStdString());
  return QString::fromStdString(placeList(names, most));
}

QString FusionModel::text(int row, int column) const {
  const protocol::FusionEdge &edge = report_.edges[row];
  switch (column) {
  case FusionModel::Saves:
    return !edge.missed ? QString() : formatBytes(worthOf(row).bytes);
  case FusionModel::Time:
    return !edge.missed || edge.bytes <= 0 ? QString() : formatMicroseconds(worthOf(row).microseconds);
  case FusionModel::Share:
    return !edge.missed || edge.bytes <= 0 ? QString() : shareText(worthOf(row).share);
  case FusionModel::Places: {
    const qsizetype count = worthOf(row).edges.size();
    return count > 1 ? u"\u00d7%1"_s.arg(groupedNumber(count)) : QString();
  }
  case FusionModel::Producer:
    return producerText(edge);
  case FusionModel::Consumer:
    return consumerText(edge);
  case FusionModel::Reason:
    return edge.missed ? reasonWords(reasonPageOf(edge)) : verdictText(edge);
  case FusionModel::State:
    return edge.missed ? fusionWords(markOf(edge)) : FusionModel::tr("fused");
  case FusionModel::Unlocks:
    return edge.unlocks.join(u", "_s);
  default:
    return {};
  }
}

QVariant FusionModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::FusionEdge &edge = report_.edges[index.row()];
  switch (role) {
  case Qt::DisplayRole:
    return text(index.row(), index.column());
  case Qt::ToolTipRole:
    if (const protocol::FusionGroup worth = index.column() == Places ? worthOf(index.row()) : protocol::FusionGroup();
        !worth.layers.isEmpty())
      return layersText(worth);
    return edge.reasons.isEmpty()
               ? verdictText(edge)
               : u"<b>%1</b><br>%2."_s.arg(reasonText(edge), edge.reasons.first().sentence.toHtmlEscaped());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case Qt::AccessibleTextRole:
    return text(index.row(), index.column());
  case MarkRole:
    return int(markOf(edge));
  default:
    return {};
  }
}

FusionFilter::FusionFilter(QObject *parent) : QSortFilterProxyModel(parent) {}

void FusionFilter::setWords(const QString &words) {
  words_ = words.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

void FusionFilter::setShowsFused(bool shows) {
  showsFused_ = shows;
  invalidateFilter();
}

const protocol::FusionEdge &FusionFilter::edge(int row) const { return *model().edgeAt(row); }

bool FusionFilter::filterAcceptsRow(int row, const QModelIndex &) const {
  const protocol::FusionEdge &data = edge(row);
  if ((!data.missed && !showsFused_) || model().shownRowOf(row) != row)
    return false;
  if (words_.isEmpty())
    return true;
  QString text = data.function + u' ' + data.type + u' ' + data.fromOp + u' ' + data.toOp;
  for (int column = FusionModel::Producer; column < FusionModel::ColumnCount; ++column)
    text += u' ' + model().text(row, column);
  for (const protocol::FusionReason &reason : data.reasons)
    text += u' ' + reason.code + u' ' + reason.kind;
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool FusionFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const {
  const protocol::FusionEdge &a = edge(left.row()), &b = edge(right.row());
  switch (left.column()) {
  case FusionModel::Saves:
  case FusionModel::Time:
    return model().worthOf(left.row()).bytes < model().worthOf(right.row()).bytes;
  case FusionModel::Share:
    return model().worthOf(left.row()).share < model().worthOf(right.row()).share;
  case FusionModel::Places:
    return model().worthOf(left.row()).edges.size() < model().worthOf(right.row()).edges.size();
  case FusionModel::Producer:
    return a.from < b.from;
  case FusionModel::Consumer:
    return a.to < b.to;
  default:
    return model().text(left.row(), left.column()) < model().text(right.row(), right.column());
  }
}

} // namespace fuselage
