#include "views/models/CompareModel.h"
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
    : TableModel({{tr("Relation"), false, tr("How the dispatches of A and B hang together")},
                  {tr("A")},
                  {tr("Bytes A"), true, tr("Through memory")},
                  {tr("Time A"), true, tr("In the last run")},
                  {tr("B")},
                  {tr("Bytes B"), true, tr("Through memory")},
                  {tr("Time B"), true, tr("In the last run")}},
                 parent) {}

void CompareModel::setComparison(const protocol::DispatchComparison &comparison) {
  beginResetModel();
  comparison_ = comparison;
  // A row names dispatches that there are.
  for (protocol::ComparedRow &row : comparison_.rows)
    for (const bool ofB : {false, true})
      (ofB ? row.b : row.a).removeIf([&](int index) { return index < 0 || index >= side(ofB).dispatches.size(); });
  endResetModel();
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
  return row >= 0 && row < comparison_.rows.size() ? &comparison_.rows[row] : nullptr;
}

QList<qint64> CompareModel::opsOf(int row, bool ofB) const {
  QList<qint64> ops;
  if (const protocol::ComparedRow *data = rowAt(row))
    for (const int index : ofB ? data->b : data->a)
      ops.append(side(ofB).dispatches[index].op);
  return ops;
}

int CompareModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(comparison_.rows.size());
}

QString CompareModel::names(const protocol::ComparedRow &row, bool ofB) const {
  QStringList names;
  for (const int index : ofB ? row.b : row.a)
    names.append(side(ofB).dispatches[index].name);
  return names.join(u" + "_s);
}

qint64 CompareModel::bytes(const protocol::ComparedRow &row, bool ofB) const {
  const QList<int> &indices = ofB ? row.b : row.a;
  qint64 sum = indices.isEmpty() ? -1 : 0;
  for (const int index : indices) {
    const qint64 bytes = side(ofB).dispatches[index].bytes;
    sum = sum < 0 || bytes < 0 ? -1 : sum + bytes;
  }
  return sum;
}

double CompareModel::time(const protocol::ComparedRow &row, bool ofB) const {
  double sum = -1;
  for (const int index : ofB ? row.b : row.a)
    if (const auto known = times_.constFind(side(ofB).dispatches[index].loc); known != times_.constEnd())
      sum = std::max(sum, 0.0) + *known;
  return sum;
}

QString CompareModel::text(const protocol::ComparedRow &row, int column) const {
  const bool ofB = column >= NamesB;
  const bool isThere = !(ofB ? row.b : row.a).isEmpty();
  switch (column) {
  case Relation:
    return relationText(row.relation);
  case NamesA:
  case NamesB:
    return names(row, ofB);
  case BytesA:
  case BytesB: {
    const QList<int> &indices = ofB ? row.b : row.a;
    const bool atMost =
        std::any_of(indices.begin(), indices.end(), [&](int index) { return side(ofB).dispatches[index].bytesAtMost; });
    return isThere ? (atMost ? u"\u2264 "_s : QString()) + formatBytes(bytes(row, ofB)) : QString();
  }
  case TimeA:
  case TimeB:
    return time(row, ofB) < 0 ? QString() : formatMicroseconds(time(row, ofB));
  default:
    return {};
  }
}

/// What each dispatch computes, a line each.
QString CompareModel::toolTip(const protocol::ComparedRow &row, int column) const {
  if (column == Relation)
    return relationText(row.relation);
  const bool ofB = column >= NamesB;
  QStringList lines;
  for (const int index : ofB ? row.b : row.a) {
    const protocol::ComparedDispatch &dispatch = side(ofB).dispatches[index];
    lines.append(u"%1: %2"_s.arg(dispatch.name, dispatch.ops.join(u", "_s)));
  }
  return lines.join(u'\n');
}

QVariant CompareModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::ComparedRow &row = comparison_.rows[index.row()];
  const bool ofB = index.column() >= NamesB;
  switch (role) {
  case Qt::DisplayRole:
    return text(row, index.column());
  case Qt::ToolTipRole:
    return toolTip(row, index.column());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case RelationRole:
    return int(row.relation);
  case SortRole:
    switch (index.column()) {
    case Relation:
      return int(row.relation) * 100'000 + index.row();
    case BytesA:
    case BytesB:
      return bytes(row, ofB);
    case TimeA:
    case TimeB:
      return time(row, ofB);
    default: { // in program order; what only the other has comes last
      const QList<int> &indices = ofB ? row.b : row.a;
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
