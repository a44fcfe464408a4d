#include "views/models/OutlineModel.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

QString outlineKindText(message::OutlineKind kind) {
  switch (kind) {
  case message::OutlineKind::Module:
    return OutlineModel::tr("module");
  case message::OutlineKind::Function:
    return OutlineModel::tr("function");
  case message::OutlineKind::Stage:
    return OutlineModel::tr("stage");
  case message::OutlineKind::Layer:
    return OutlineModel::tr("layer");
  case message::OutlineKind::Block:
    return OutlineModel::tr("block");
  case message::OutlineKind::Dispatch:
    return OutlineModel::tr("dispatch");
  case message::OutlineKind::Op:
    return OutlineModel::tr("op");
  }
  return {};
}

OutlineModel::OutlineModel(QObject *parent) : QAbstractItemModel(parent) { children_.resize(1); }

void OutlineModel::setOutline(const protocol::Outline &outline) {
  beginResetModel();
  outline_ = outline;
  const qsizetype count = outline_.rows.size();
  children_.clear();
  children_.resize(count + 1);
  placeInParent_.clear();
  rowOfNode_.clear();
  for (int row = 0; row < count; ++row) {
    protocol::OutlineRow &data = outline_.rows[row];
    // Parents come before their children; what says otherwise stands at the top.
    if (data.parent >= row || data.parent < 0)
      data.parent = -1;
    QList<int> &siblings = children_[data.parent < 0 ? count : data.parent];
    placeInParent_.append(int(siblings.size()));
    siblings.append(row);
    // An op says more about its node than the dispatch around it.
    if (data.node >= 0 && (data.kind == protocol::OutlineKind::Op || !rowOfNode_.contains(data.node)))
      rowOfNode_.insert(data.node, row);
  }
  addTimes();
  endResetModel();
}

void OutlineModel::setTimes(const QList<protocol::Kernel> &kernels) {
  kernels_ = kernels;
  addTimes();
  for (const QList<int> &siblings : children_)
    if (!siblings.isEmpty())
      emit dataChanged(indexOf(siblings.first(), Time), indexOf(siblings.last(), Time));
}

/// Dispatches are known by where their root op comes from; of several from one place, the first ran first.
void OutlineModel::addTimes() {
  times_ = QList<double>(outline_.rows.size(), -1);
  hasTimes_ = false;
  QHash<QString, QList<double>> measured;
  for (const protocol::Kernel &kernel : kernels_)
    if (!kernel.onHost && !kernel.loc.isEmpty() && kernel.medianUs >= 0)
      measured[kernel.loc].append(kernel.medianUs);
  QHash<QString, int> last;
  for (int row = 0; row < outline_.rows.size(); ++row) {
    const protocol::OutlineRow &data = outline_.rows[row];
    if (data.kind != protocol::OutlineKind::Dispatch || data.loc.isEmpty())
      continue;
    QList<double> &left = measured[data.loc];
    if (left.isEmpty())
      continue;
    times_[row] = left.takeFirst();
    last[data.loc] = row;
  }
  // One dispatch may be several kernels.
  for (auto it = last.cbegin(); it != last.cend(); ++it)
    for (const double time : measured.value(it.key()))
      times_[it.value()] += time;
  for (int row = int(outline_.rows.size()) - 1; row >= 0; --row) {
    const int parent = outline_.rows[row].parent;
    if (times_[row] < 0)
      continue;
    hasTimes_ = true;
    if (parent >= 0)
      times_[parent] = std::max(times_[parent], 0.0) + times_[row];
  }
}

const protocol::OutlineRow *OutlineModel::rowAt(const QModelIndex &index) const {
  const auto row = qsizetype(index.internalId());
  return index.isValid() && row < outline_.rows.size() ? &outline_.rows[row] : nullptr;
}

QModelIndex OutlineModel::indexOf(int row, int column) const {
  return row >= 0 && row < outline_.rows.size() ? createIndex(placeInParent_[row], column, quintptr(row))
                                                : QModelIndex();
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex &parent) const {
  if (parent.isValid() && parent.column() != 0)
    return {};
  const QList<int> &siblings = children_[parent.isValid() ? qsizetype(parent.internalId()) : children_.size() - 1];
  if (row < 0 || row >= siblings.size() || column < 0 || column >= ColumnCount)
    return {};
  return createIndex(row, column, quintptr(siblings[row]));
}

QModelIndex OutlineModel::parent(const QModelIndex &child) const {
  return child.isValid() ? indexOf(outline_.rows[qsizetype(child.internalId())].parent) : QModelIndex();
}

int OutlineModel::rowCount(const QModelIndex &parent) const {
  if (parent.isValid() && parent.column() != 0)
    return 0;
  return int(children_[parent.isValid() ? qsizetype(parent.internalId()) : children_.size() - 1].size());
}

int OutlineModel::columnCount(const QModelIndex &) const { return ColumnCount; }

double OutlineModel::number(int row, int column) const {
  const protocol::OutlineRow &data = outline_.rows[row];
  switch (column) {
  case Time:
    return times_[row];
  case Bytes:
    return double(data.bytes);
  case Dispatches:
    return data.dispatches;
  case Missed:
    return data.missed;
  case Ops:
    return data.ops;
  case Flops:
    return double(data.flops);
  default:
    return row; // in program order
  }
}

QString OutlineModel::text(int row, int column) const {
  const protocol::OutlineRow &data = outline_.rows[row];
  const bool isOp = data.kind == protocol::OutlineKind::Op;
  switch (column) {
  case Name:
    return data.label.isEmpty() ? data.name : data.label;
  case Time:
    return times_[row] < 0 ? QString() : formatMicroseconds(times_[row]);
  case Bytes: // those of ops stay within their dispatch, if they have one
    return isOp ? QString() : (data.bytesAtMost ? u"\u2264 "_s : QString()) + formatBytes(data.bytes);
  case Dispatches:
    return isOp ? QString() : groupedNumber(data.dispatches);
  case Missed:
    return isOp || !outline_.judged ? QString() : groupedNumber(data.missed);
  case Ops:
    return groupedNumber(data.ops);
  case Flops:
    return isOp ? QString() : formatFlops(data.flops);
  default:
    return {};
  }
}

QVariant OutlineModel::data(const QModelIndex &index, int role) const {
  const protocol::OutlineRow *data = rowAt(index);
  if (!data)
    return {};
  const int row = int(index.internalId());
  switch (role) {
  case Qt::DisplayRole:
    return text(row, index.column());
  case Qt::ToolTipRole:
    return index.column() == Name
               ? u"%1 (%2)"_s.arg(data->name.isEmpty() ? data->label : data->name, outlineKindText(data->kind))
               : QVariant();
  case Qt::AccessibleTextRole:
    return index.column() == Name ? outlineKindText(data->kind) + u' ' + text(row, Name) : text(row, index.column());
  case Qt::TextAlignmentRole:
    return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  case RowRole:
    return row;
  case SortRole:
    return number(row, index.column());
  default:
    return {};
  }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
    return {};
  const QString titles[] = {tr("Part"), tr("Time"), tr("Bytes"), tr("Dispatches"), tr("Missed"), tr("Ops"), tr("Work")};
  const QString tips[] = {tr("Sorted by it: as the program runs"),
                          tr("Of its kernels in the last run"),
                          tr("What its dispatches read from memory and write there"),
                          {},
                          tr("Missed fusions with both ends in it"),
                          {},
                          tr("Floating-point operations of its dispatches")};
  switch (role) {
  case Qt::DisplayRole:
    return titles[section];
  case Qt::ToolTipRole:
    return tips[section].isEmpty() ? QVariant() : tips[section];
  case Qt::TextAlignmentRole:
    return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  default:
    return {};
  }
}

OutlineFilter::OutlineFilter(QObject *parent) : QSortFilterProxyModel(parent) {
  setSortRole(OutlineModel::SortRole);
  setRecursiveFilteringEnabled(true);
  setDynamicSortFilter(true);
}

void OutlineFilter::setWords(const QString &words) {
  words_ = words.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool OutlineFilter::matches(const QModelIndex &index) const {
  const protocol::OutlineRow *row = static_cast<const OutlineModel *>(sourceModel())->rowAt(index);
  if (!row)
    return false;
  const QString text = row->name + u' ' + row->label + u' ' + outlineKindText(row->kind);
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool OutlineFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
  if (words_.isEmpty() || matches(sourceModel()->index(row, 0, parent)))
    return true;
  // What is in a part that matches belongs to it.
  for (QModelIndex around = parent; around.isValid(); around = around.parent())
    if (matches(around))
      return true;
  return false;
}

} // namespace fuselage
