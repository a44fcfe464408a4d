#include "views/models/FusionModel.h"
#include "core/text/PlaceList.h"
#include "views/common/Marks.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/models/ReasonWords.h"
#include <QThreadPool>
#include <algorithm>
#include <utility>

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

/// "models/model.mlir", "38" of "models/model.mlir:38:12"; empty where there is no place.
static std::pair<QStringView, QStringView> placeOf(const QString &loc) {
  const QStringView text(loc);
  const qsizetype column = text.lastIndexOf(u':'), line = column > 0 ? text.lastIndexOf(u':', column - 1) : -1;
  return line < 0 ? std::pair<QStringView, QStringView>()
                  : std::pair(text.first(line), text.sliced(line + 1, column - line - 1));
}

/// "model.mlir" of "models/model.mlir".
static QString fileOf(QStringView path) { return path.sliced(path.lastIndexOf(u'/') + 1).toString(); }

QString opText(const QString &op, const QString &loc) {
  const auto [path, line] = placeOf(loc);
  return line.isEmpty() ? op : FusionModel::tr("%1, line %2 of %3").arg(op, line, fileOf(path));
}

QString placeText(const protocol::FusionEdge &edge) {
  const auto [path, line] = placeOf(edge.toLoc);
  return line.isEmpty() ? FusionModel::tr("op %1").arg(edge.to)
                        : FusionModel::tr("line %1 of %2").arg(line, fileOf(path));
}

void FusionModel::setReport(const protocol::FusionReport &report) {
  beginResetModel();
  protocol::FusionReport old = std::exchange(report_, report);
  indexRows();
  endResetModel();
  // To give back a large one takes longer than a frame.
  constexpr qsizetype many = 3000;
  if (old.edges.size() > many)
    QThreadPool::globalInstance()->start([old = std::move(old)]() mutable { old = {}; });
}

static const protocol::FusionGroup *groupOf(const protocol::FusionReport &report, int row) {
  const int group = row >= 0 && row < report.edges.size() ? report.edges[row].group : -1;
  return group >= 0 && group < report.groups.size() ? &report.groups[group] : nullptr;
}

/// Rows by the op that they begin in, whose numbers are small and dense; and those of missed edges by their ends.
void FusionModel::indexRows() {
  const QList<protocol::FusionEdge> &edges = std::as_const(report_.edges); // which may have other owners
  rowsFrom_.clear();
  otherFrom_.clear();
  nextFrom_.assign(edges.size(), -1);
  missed_.assign(edges.size(), false);
  leaders_.resize(edges.size());
  missedGroups_.clear();
  missedOf_.clear();
  QHash<NodeId, int> beginning;
  for (int row = 0; row < edges.size(); ++row) {
    const protocol::FusionEdge &edge = edges[row];
    int &first = firstFrom(edge.from);
    nextFrom_[row] = first;
    first = row;
    missed_[row] = edge.missed;
    const protocol::FusionGroup *group = groupOf(report_, row);
    leaders_[row] =
        group && !group->edges.isEmpty() && edgeAt(int(group->edges.first())) ? int(group->edges.first()) : row;
    if (!edge.missed)
      continue;
    if (leaders_[row] == row)
      missedGroups_.push_back(row);
    if (!beginning.contains(edge.from))
      beginning.insert(edge.from, row);
    const auto known = missedOf_.find(edge.to);
    if (known == missedOf_.end())
      missedOf_.insert(edge.to, row);
    else if (edges[*known].bytes < edge.bytes)
      *known = row;
  }
  // What ends in an op says more about it than what begins there.
  for (auto it = beginning.cbegin(); it != beginning.cend(); ++it)
    if (!missedOf_.contains(it.key()))
      missedOf_.insert(it.key(), it.value());
}

int &FusionModel::firstFrom(NodeId op) {
  const NodeId most = 1024 + 64 * NodeId(report_.edges.size());
  if (op < 0 || op >= most) { // an argument's, or of a strange engine
    const auto known = otherFrom_.find(op);
    return known != otherFrom_.end() ? *known : *otherFrom_.insert(op, -1);
  }
  if (size_t(op) >= rowsFrom_.size())
    rowsFrom_.resize(size_t(op) + 1, -1);
  return rowsFrom_[size_t(op)];
}

int FusionModel::rowOf(const EdgeUse &use) const {
  const bool isDense = use.from >= 0 && size_t(use.from) < rowsFrom_.size();
  for (int row = isDense ? rowsFrom_[size_t(use.from)] : otherFrom_.value(use.from, -1); row >= 0;
       row = nextFrom_[size_t(row)])
    if (const protocol::FusionEdge &edge = report_.edges[row]; edge.to == use.to && edge.operand == use.operand)
      return row;
  return -1;
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

QString FusionModel::namesOf(int row) const {
  const protocol::FusionEdge &edge = report_.edges[row];
  return names_ ? names_(edge.from) + u' ' + names_(edge.to) : QString();
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

QList<int> FusionModel::placesOf(int row) const {
  QList<int> rows;
  if (const protocol::FusionGroup *group = groupOf(report_, row))
    for (const qint64 edge : group->edges)
      if (edge >= 0 && edge < report_.edges.size())
        rows.append(int(edge));
  return rows;
}

int FusionModel::shownRowOf(int row) const {
  return grouped_ && row >= 0 && size_t(row) < leaders_.size() ? leaders_[row] : row;
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

FusionFilter::FusionFilter(QObject *parent) : QSortFilterProxyModel(parent) {
  preparing_.setInterval(0);
  connect(&preparing_, &QTimer::timeout, this, &FusionFilter::prepare);
}

void FusionFilter::setSourceModel(QAbstractItemModel *model) {
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    texts_.assign(size_t(sourceModel()->rowCount()), {});
    prepared_ = 0;
    preparing_.start();
  });
  QSortFilterProxyModel::setSourceModel(model);
}

/// Before somebody types: all texts of a large table take longer than a frame. Some at a time.
void FusionFilter::prepare() {
  constexpr size_t some = 200;
  const std::vector<int> &rows = model().missedGroups();
  for (const size_t end = std::min(prepared_ + some, rows.size()); prepared_ < end; ++prepared_)
    textOf(rows[prepared_]);
  if (prepared_ >= rows.size())
    preparing_.stop();
}

const QString &FusionFilter::textOf(int row) const {
  if (size_t(row) >= texts_.size())
    texts_.resize(size_t(row) + 1);
  QString &text = texts_[size_t(row)];
  if (!text.isNull())
    return text;
  const protocol::FusionEdge &data = edge(row);
  text = QStringList{data.function, data.type, fuselage::opText(data.fromOp, data.fromLoc),
                     fuselage::opText(data.toOp, data.toLoc)}
             .join(u' ');
  for (int column = FusionModel::State; column < FusionModel::ColumnCount; ++column)
    text += u' ' + model().text(row, column);
  for (const protocol::FusionReason &reason : data.reasons)
    text += u' ' + reason.code + u' ' + reason.kind;
  return text;
}

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
  if ((!model().isMissed(row) && !showsFused_) || model().shownRowOf(row) != row)
    return false;
  if (words_.isEmpty())
    return true;
  const QString &text = textOf(row), names = model().namesOf(row);
  return std::all_of(words_.begin(), words_.end(), [&](const QString &word) {
    return text.contains(word, Qt::CaseInsensitive) || names.contains(word, Qt::CaseInsensitive);
  });
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
