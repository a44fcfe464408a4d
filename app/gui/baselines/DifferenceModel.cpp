#include "app/gui/baselines/DifferenceModel.h"
#include "app/gui/baselines/KeptRun.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include <QFont>
#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace fuselage {

DifferenceModel::DifferenceModel(QObject *parent)
    : TableModel({{tr("Dispatch"), false, tr("With the number of identical ones, such as in equal layers")},
                  {tr("Before"), true, tr("The medians of all of them, in one pass")},
                  {tr("After"), true, tr("The medians of all of them, in one pass")},
                  {tr("Change"), true, tr("How much longer, or shorter, they take")},
                  {tr("Remark"), false,
                   tr("Within noise: the ranges of the launches overlap, from minimum to 95th percentile; merged: only "
                      "before, "
                      "another dispatch has its root op after")}},
                 parent) {}

void DifferenceModel::setDifferences(const RunDifferences &differences) {
  beginResetModel();
  differences_ = differences;
  order_.resize(differences_.rows.size());
  std::iota(order_.begin(), order_.end(), size_t(0));
  endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() || differences_.rows.empty() ? 0 : int(differences_.rows.size()) + 1;
}

/// "−9.2 %" with a minus sign.
static QString change(const TimeRange &before, const TimeRange &after) {
  const QString text = QString::fromStdString(changeText(before, after));
  return text.isEmpty() ? u"\u2014"_s : QString(text).replace(u'-', u'\u2212');
}

/// " ×80", " ×14 → ×12"; empty for one.
static QString countText(const RunDifference &row) {
  const auto times = [](size_t count) { return u" \u00d7%1"_s.arg(groupedNumber(qint64(count))); };
  if (row.isInBoth() && row.countBefore != row.countAfter)
    return u"%1 \u2192%2"_s.arg(times(row.countBefore), times(row.countAfter));
  const size_t count = std::max(row.countBefore, row.countAfter);
  return count > 1 ? times(count) : QString();
}

/// Without the function, as charts have it: "0_matmul_8x8". The tooltip says all.
static QString shortName(const RunDifference &row) {
  const QString name = QString::fromStdString(row.name);
  if (row.onHost)
    return DifferenceModel::tr("on the host: %1").arg(name);
  const QString mark = u"dispatch_"_s;
  const qsizetype at = name.indexOf(mark);
  return at < 0 ? name : name.mid(at + mark.size());
}

QString DifferenceModel::text(int row, int column) const {
  if (isSum(row)) {
    const TimeRange &before = differences_.before, &after = differences_.after;
    switch (column) {
    case Dispatch:
      return tr("Sum of one pass");
    case Before:
      return formatMicroseconds(before.median);
    case After:
      return formatMicroseconds(after.median);
    case Change:
      return change(before, after);
    case Remark:
      return before.isKnown() && after.isKnown() && before.overlaps(after) ? tr("within noise") : QString();
    default:
      return {};
    }
  }
  const RunDifference &of = differences_.rows[order_[size_t(row)]];
  switch (column) {
  case Dispatch:
    return shortName(of) + countText(of);
  case Before:
    return of.countBefore ? formatMicroseconds(of.before.median) : u"\u2014"_s;
  case After:
    return of.countAfter ? formatMicroseconds(of.after.median) : u"\u2014"_s;
  case Change:
    return of.isInBoth() ? change(of.before, of.after) : u"\u2014"_s;
  case Remark:
    return QString::fromStdString(remarkOf(of));
  default:
    return {};
  }
}

QString DifferenceModel::toolTip(int row) const {
  const bool sum = isSum(row);
  const RunDifference *of = sum ? nullptr : &differences_.rows[order_[size_t(row)]];
  QStringList lines{sum ? text(row, Dispatch) : QString::fromStdString(of->name)};
  if (sum || of->countBefore)
    lines.append(tr("Before: %1").arg(rangeText(sum ? differences_.before : of->before)));
  if (sum || of->countAfter)
    lines.append(tr("After: %1").arg(rangeText(sum ? differences_.after : of->after)));
  if (!sum && !of->mergedInto.empty())
    lines.append(tr("Only before; its ops are in %1 after").arg(QString::fromStdString(of->mergedInto)));
  lines.append(tr("Medians of the launches; in parentheses from minimum to 95th percentile"));
  return lines.join(u'\n');
}

DifferenceModel::Tone DifferenceModel::tone(int row) const {
  const TimeRange *before = &differences_.before, *after = &differences_.after;
  if (!isSum(row)) {
    const RunDifference &of = differences_.rows[order_[size_t(row)]];
    if (!of.isInBoth() || !of.isKnown())
      return Tone::None;
    before = &of.before;
    after = &of.after;
  }
  if (!before->isKnown() || !after->isKnown() || before->overlaps(*after))
    return Tone::Muted;
  return after->median < before->median ? Tone::Better : Tone::Worse;
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return text(index.row(), index.column());
  case Qt::ToolTipRole:
    return toolTip(index.row());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case Qt::FontRole: {
    QFont font;
    font.setBold(true);
    return isSum(index.row()) ? QVariant(font) : QVariant();
  }
  case ToneRole:
    return int(tone(index.row()));
  default:
    return {};
  }
}

void DifferenceModel::sort(int column, Qt::SortOrder order) {
  const auto &rows = differences_.rows;
  const auto number = [column](const RunDifference &row) {
    switch (column) {
    case Before:
      return row.countBefore ? row.before.median : -1;
    case After:
      return row.countAfter ? row.after.median : -1;
    default:
      return row.isInBoth() && row.isKnown() && row.before.median > 0 ? row.after.median / row.before.median : -1;
    }
  };
  const auto isLess = [&](size_t a, size_t b) {
    if (column == Dispatch)
      return rows[a].name < rows[b].name;
    if (column == Remark)
      return remarkOf(rows[a]) < remarkOf(rows[b]);
    return number(rows[a]) < number(rows[b]);
  };
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const std::vector<size_t> before = order_;
  std::iota(order_.begin(), order_.end(), size_t(0)); // as they came
  if (column >= 0)
    std::stable_sort(order_.begin(), order_.end(),
                     [&](size_t a, size_t b) { return order == Qt::AscendingOrder ? isLess(a, b) : isLess(b, a); });
  const QModelIndexList held = persistentIndexList();
  for (const QModelIndex &each : held)
    if (!isSum(each.row())) {
      const size_t meant = before[size_t(each.row())];
      const auto row = std::find(order_.begin(), order_.end(), meant) - order_.begin();
      changePersistentIndex(each, index(int(row), each.column()));
    }
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace fuselage
