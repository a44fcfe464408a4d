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
  listed_ = outline_.rows.size();
  rowOfNode_.clear();
  for (int row = 0; row < listed_; ++row) {
    protocol::OutlineRow &data = outline_.rows[row];
    // Parents come before their children; what says otherwise stands at the top.
    if (data.parent >= row || data.parent < 0)
      data.parent = -1;
    // An op says more about its node than the dispatch around it.
    if (data.node >= 0 && (data.kind == protocol::OutlineKind::Op || !rowOfNode_.contains(data.node)))
      rowOfNode_.insert(data.node, row);
  }
  fold();
  const qsizetype count = outline_.rows.size();
  children_.clear();
  children_.resize(count + 1);
  placeInParent_ = QList<int>(count, 0);
  const auto add = [&](int row) {
    const int parent = outline_.rows[row].parent;
    QList<int> &siblings = children_[parent < 0 ? count : parent];
    placeInParent_[row] = int(siblings.size());
    siblings.append(row);
  };
  for (int row = 0; row < listed_; ++row) {
    // What stands for several is where the first of them is.
    if (const int parent = outline_.rows[row].parent; parent >= listed_ && children_[parent].isEmpty())
      add(parent);
    add(row);
  }
  addTimes();
  endResetModel();
}

/// "layer 2 to 11" of "layer 2 of 12" and "layer 11 of 12", "layer.2 to 11"; what they are called if all are called the
/// same.
static QString rangeText(const QString &first, const QString &last) {
  if (first == last)
    return first;
  qsizetype begin = 0, end = 0;
  const qsizetype shorter = std::min(first.size(), last.size());
  while (begin < shorter && first[begin] == last[begin])
    ++begin;
  while (begin > 0 && first[begin - 1].isDigit()) // the number as a whole
    --begin;
  while (end < shorter - begin && first[first.size() - 1 - end] == last[last.size() - 1 - end])
    ++end;
  while (end > 0 && first[first.size() - end].isDigit())
    --end;
  const QString number = last.mid(begin, last.size() - begin - end), after = first.right(end);
  const bool isOfAll = after.startsWith(" of "_L1); // how many there are is said by the count
  return OutlineModel::tr("%1 to %2").arg(first.left(first.size() - end), number) + (isOfAll ? QString() : after);
}

/// Appends the row that stands for equal siblings.
int OutlineModel::addFold(const QList<int> &equal) {
  const protocol::OutlineRow &first = outline_.rows[equal.first()], &last = outline_.rows[equal.last()];
  const auto textOf = [](const protocol::OutlineRow &row) { return row.label.isEmpty() ? row.name : row.label; };
  protocol::OutlineRow sum = first;
  sum.id = int(outline_.rows.size());
  sum.label = rangeText(textOf(first), textOf(last));
  sum.name = rangeText(first.name, last.name);
  sum.loc.clear();
  sum.cluster = last.outside; // of layers that the graph shows as one
  const qint64 count = equal.size();
  const auto times = [count](auto &number) { number = number < 0 ? number : number * decltype(number + 0)(count); };
  times(sum.ops);
  times(sum.dispatches);
  times(sum.missed);
  times(sum.bytes);
  times(sum.flops);
  outline_.rows.append(sum);
  return sum.id;
}

/// Puts rows around equal siblings that follow each other.
void OutlineModel::fold() {
  constexpr qsizetype fewest = 3; // two are seen at a glance
  QMap<int, QList<int>> runs;     // by parent: the last equal siblings
  const auto close = [&](const QList<int> &equal) {
    if (equal.size() < fewest)
      return;
    const int around = addFold(equal);
    for (const int row : equal)
      outline_.rows[row].parent = around;
  };
  for (int row = 0; row < listed_; ++row) {
    const int parent = outline_.rows[row].parent, form = outline_.rows[row].form;
    QList<int> &run = runs[parent];
    if (run.isEmpty() || form < 0 || outline_.rows[run.first()].form != form) {
      close(run);
      run.clear();
    }
    run.append(row);
  }
  for (const QList<int> &run : std::as_const(runs))
    close(run);
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
  for (int row = 0; row < listed_; ++row) {
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
  for (int row = int(listed_) - 1; row >= 0; --row) {
    if (times_[row] < 0)
      continue;
    hasTimes_ = true;
    const auto add = [&](int around) { times_[around] = std::max(times_[around], 0.0) + times_[row]; };
    int parent = outline_.rows[row].parent;
    if (parent >= listed_) { // it stands for several, and its time is a part of what is around it
      add(parent);
      parent = outline_.rows[parent].parent;
    }
    if (parent >= 0)
      add(parent);
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
    return row < listed_ ? row : children_[row].first(); // in program order
  }
}

QString OutlineModel::text(int row, int column) const {
  const protocol::OutlineRow &data = outline_.rows[row];
  const bool isOp = data.kind == protocol::OutlineKind::Op;
  switch (column) {
  case Name:
    return (data.label.isEmpty() ? data.name : data.label) +
           (row < listed_ ? QString() : u"  \u00d7%1"_s.arg(groupedNumber(countOf(row))));
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
    if (index.column() == Name)
      return u"%1 (%2)"_s.arg(data->name.isEmpty() ? data->label : data->name, outlineKindText(data->kind));
    if (row >= listed_ && !text(row, index.column()).isEmpty())
      return tr("%1 in each of %2").arg(text(children_[row].first(), index.column()), groupedNumber(countOf(row)));
    return {};
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
  const QString tips[] = {tr("Sort by it for program order"),
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

void OutlineFilter::setSourceModel(QAbstractItemModel *model) {
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { texts_.clear(); });
  QSortFilterProxyModel::setSourceModel(model);
}

void OutlineFilter::setWords(const QString &words) {
  words_ = words.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool OutlineFilter::matches(const QModelIndex &index) const {
  const protocol::OutlineRow *row = static_cast<const OutlineModel *>(sourceModel())->rowAt(index);
  if (!row)
    return false;
  const auto number = qsizetype(index.internalId());
  if (number >= texts_.size())
    texts_.resize(number + 1);
  QString &text = texts_[number]; // a row is asked about for itself, for what is in it, and letter by letter
  if (text.isNull())
    text = row->name + u' ' + row->label + u' ' + outlineKindText(row->kind);
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
