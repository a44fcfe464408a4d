#include "views/models/CompareModel.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace fuselage {

QString relationText(protocol::DispatchRelation relation) {
  switch (relation) {
  case protocol::DispatchRelation::Same:
    return CompareModel::tr("same");
  case protocol::DispatchRelation::Differs:
    return CompareModel::tr("other ops in it, too");
  case protocol::DispatchRelation::Merged:
    return CompareModel::tr("merged in A");
  case protocol::DispatchRelation::Split:
    return CompareModel::tr("split in A");
  case protocol::DispatchRelation::Regrouped:
    return CompareModel::tr("cut elsewhere");
  case protocol::DispatchRelation::OnlyA:
    return CompareModel::tr("only in A");
  case protocol::DispatchRelation::OnlyB:
    return CompareModel::tr("only in B");
  }
  return {};
}

CompareModel::CompareModel(QObject *parent)
    : TableModel({{tr("Relation"), false, tr("How the dispatches of A and B correspond")},
                  {tr("Places"), true, tr("How many identical ones there are, such as in equal layers")},
                  {tr("A")},
                  {tr("Bytes A"), true, tr("Through memory, of all places")},
                  {tr("Time A"), true, tr("In the last run, of all places")},
                  {tr("B")},
                  {tr("Bytes B"), true, tr("Through memory, of all places")},
                  {tr("Time B"), true, tr("In the last run, of all places")}},
                 parent) {}

void CompareModel::setComparison(const protocol::DispatchComparison &comparison) {
  beginResetModel();
  comparison_ = comparison;
  // A row names dispatches that there are.
  for (protocol::ComparedRow &row : comparison_.rows)
    for (const bool ofB : {false, true})
      (ofB ? row.b : row.a).removeIf([&](int index) { return index < 0 || index >= side(ofB).dispatches.size(); });
  makeRows();
  endResetModel();
}

void CompareModel::setGrouped(bool grouped) {
  beginResetModel();
  grouped_ = grouped;
  makeRows();
  endResetModel();
}

/// In program order, a group where its first stands.
void CompareModel::makeRows() {
  rows_.clear();
  hasGroups_ = false;
  QHash<int, int> known;
  for (int row = 0; row < comparison_.rows.size(); ++row) {
    const int group = comparison_.rows[row].group;
    const int first = known.value(group, -1);
    hasGroups_ |= first >= 0;
    if (first >= 0 && grouped_) {
      rows_[first].append(row);
      continue;
    }
    if (group >= 0 && first < 0)
      known.insert(group, int(rows_.size()));
    rows_.append({row});
  }
}

void CompareModel::setTimes(const QList<protocol::Kernel> &kernels) {
  times_.clear();
  for (const protocol::Kernel &kernel : kernels)
    if (!kernel.onHost && !kernel.loc.isEmpty() && kernel.medianUs >= 0)
      times_[kernel.loc] += kernel.medianUs;
  if (rowCount() > 0)
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

double CompareModel::totalTime(bool ofB) const {
  double total = -1;
  for (const protocol::ComparedDispatch &dispatch : side(ofB).dispatches)
    if (const auto known = times_.constFind(dispatch.loc); known != times_.constEnd())
      total = std::max(total, 0.0) + *known;
  return total;
}

double CompareModel::timeOf(bool ofB, int dispatch) const {
  return times_.value(side(ofB).dispatches[dispatch].loc, -1);
}

const protocol::ComparedRow *CompareModel::rowAt(int row) const {
  return row >= 0 && row < rows_.size() ? &comparison_.rows[rows_[row].first()] : nullptr;
}

QList<qint64> CompareModel::opsOf(int row, bool ofB) const {
  QList<qint64> ops;
  for (const int member : rows_.value(row)) {
    const protocol::ComparedRow &data = comparison_.rows[member];
    for (const int index : ofB ? data.b : data.a)
      ops.append(side(ofB).dispatches[index].op);
  }
  return ops;
}

int CompareModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

static const QList<int> &dispatchesOf(const protocol::ComparedRow &row, bool ofB) { return ofB ? row.b : row.a; }

QString CompareModel::names(int row, bool ofB) const {
  QStringList names;
  for (const int index : dispatchesOf(*rowAt(row), ofB))
    names.append(side(ofB).dispatches[index].name);
  return names.join(u" + "_s);
}

qint64 CompareModel::bytes(int row, bool ofB) const {
  qint64 sum = dispatchesOf(*rowAt(row), ofB).isEmpty() ? -1 : 0;
  for (const int member : rows_[row])
    for (const int index : dispatchesOf(comparison_.rows[member], ofB)) {
      const qint64 bytes = side(ofB).dispatches[index].bytes;
      sum = sum < 0 || bytes < 0 ? -1 : sum + bytes;
    }
  return sum;
}

double CompareModel::time(int row, bool ofB) const {
  double sum = -1;
  for (const int member : rows_[row])
    for (const int index : dispatchesOf(comparison_.rows[member], ofB))
      if (const auto known = times_.constFind(side(ofB).dispatches[index].loc); known != times_.constEnd())
        sum = std::max(sum, 0.0) + *known;
  return sum;
}

QString CompareModel::text(int row, int column) const {
  const bool ofB = column >= NamesB;
  const QList<int> &indices = dispatchesOf(*rowAt(row), ofB);
  switch (column) {
  case Relation:
    return relationText(rowAt(row)->relation);
  case Places: {
    const qsizetype count = rows_[row].size();
    return count > 1 ? u"\u00d7%1"_s.arg(groupedNumber(count)) : QString();
  }
  case NamesA:
  case NamesB:
    return names(row, ofB);
  case BytesA:
  case BytesB: {
    const bool atMost =
        std::any_of(indices.begin(), indices.end(), [&](int index) { return side(ofB).dispatches[index].bytesAtMost; });
    return indices.isEmpty() ? QString() : (atMost ? u"\u2264 "_s : QString()) + formatBytes(bytes(row, ofB));
  }
  case TimeA:
  case TimeB:
    return time(row, ofB) < 0 ? QString() : formatMicroseconds(time(row, ofB));
  default:
    return {};
  }
}

/// What each dispatch computes, a line each.
QString CompareModel::toolTip(int row, int column) const {
  if (column == Relation || column == Places)
    return text(row, Relation);
  const bool ofB = column >= NamesB;
  QStringList lines;
  for (const int index : dispatchesOf(*rowAt(row), ofB)) {
    const protocol::ComparedDispatch &dispatch = side(ofB).dispatches[index];
    lines.append(u"%1: %2, %3"_s.arg(dispatch.name, dispatch.ops.join(u", "_s), formatBytes(dispatch.bytes)));
  }
  if (const qsizetype count = rows_[row].size(); count > 1)
    lines.append(tr("in %1 places").arg(groupedNumber(count)));
  return lines.join(u'\n');
}

QVariant CompareModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const int row = index.row();
  const bool ofB = index.column() >= NamesB;
  switch (role) {
  case Qt::DisplayRole:
    return text(row, index.column());
  case Qt::ToolTipRole:
    return toolTip(row, index.column());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case RelationRole:
    return int(rowAt(row)->relation);
  case SortRole:
    switch (index.column()) {
    case Relation:
      return int(rowAt(row)->relation) * 100'000 + row;
    case Places:
      return rows_[row].size();
    case BytesA:
    case BytesB:
      return bytes(row, ofB);
    case TimeA:
    case TimeB:
      return time(row, ofB);
    default: { // in program order; what only the other has comes last
      const QList<int> &indices = dispatchesOf(*rowAt(row), ofB);
      return indices.isEmpty() ? std::numeric_limits<int>::max() : indices.first();
    }
    }
  default:
    return {};
  }
}

CompareFilter::CompareFilter(QObject *parent) : QSortFilterProxyModel(parent) { setSortRole(CompareModel::SortRole); }

void CompareFilter::setWords(const QString &words) {
  words_ = words.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

void CompareFilter::setShowsSame(bool shows) {
  showsSame_ = shows;
  invalidateFilter();
}

bool CompareFilter::filterAcceptsRow(int row, const QModelIndex &) const {
  const QModelIndex relation = sourceModel()->index(row, CompareModel::Relation);
  if (!showsSame_ && relation.data(CompareModel::RelationRole).toInt() == int(protocol::DispatchRelation::Same))
    return false;
  QString text;
  for (const int column : {CompareModel::Relation, CompareModel::NamesA, CompareModel::NamesB}) {
    const QModelIndex cell = sourceModel()->index(row, column);
    text += cell.data().toString() + u' ' + cell.data(Qt::ToolTipRole).toString() + u' ';
  }
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace fuselage
