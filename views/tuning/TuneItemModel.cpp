#include "views/tuning/TuneItemModel.h"
#include "views/models/Format.h"
#include "views/models/trials/TrialModel.h"

using namespace Qt::StringLiterals;

namespace fuselage {

double speedOf(const protocol::TuneItem &item) {
  if (item.outcome)
    return item.outcome->isFaster ? item.outcome->ratio : -1;
  return item.bestUs > 0 && item.baselineUs > 0 ? item.baselineUs / item.bestUs : -1;
}

TuneItemModel::TuneItemModel(QObject *parent)
    : TableModel({{.title = tr("Dispatch")},
                  {.title = tr("Calls"),
                   .isNumber = true,
                   .toolTip = tr("How many dispatches of the function are equal to it")},
                  {.title = tr("Trials"), .isNumber = true},
                  {.title = tr("Default"),
                   .isNumber = true,
                   .toolTip = tr("Median time with the pipeline's own sizes, measured next to the best")},
                  {.title = tr("Best"), .isNumber = true, .toolTip = tr("Median time of the best trial")},
                  {.title = tr("Speed"),
                   .isNumber = true,
                   .toolTip = tr("How many times as fast the best is; measured again where it is done")},
                  {.title = tr("State")}},
                 parent) {}

void TuneItemModel::setPlan(const protocol::TunePlan &plan, int running) {
  const bool isSame = plan.items.size() == plan_.items.size();
  if (!isSame)
    beginResetModel();
  plan_ = plan;
  running_ = running;
  if (!isSame)
    endResetModel();
  else if (!plan_.items.isEmpty())
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int TuneItemModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(plan_.items.size()); }

QString TuneItemModel::stateOf(int row) const {
  const protocol::TuneItem &item = plan_.items[row];
  if (!item.whyNot.isEmpty())
    return tr("not tuned: %1").arg(item.whyNot);
  if (item.outcome)
    return item.outcome->isFaster         ? tr("faster")
           : item.outcome->best.isEmpty() ? tr("no point ran correctly")
                                          : tr("no difference");
  return row == running_ ? tr("running") : item.trials > 0 ? tr("ended early") : tr("waiting");
}

QString TuneItemModel::cell(int row, int column) const {
  const protocol::TuneItem &item = plan_.items[row];
  switch (column) {
  case Name:
    return item.name;
  case Calls:
    return QString::number(item.calls);
  case Trials:
    return item.trials > 0 ? QString::number(item.trials) : u"\u2014"_s;
  case Default:
    return formatMicroseconds(item.baselineUs);
  case Best:
    return formatMicroseconds(item.bestUs);
  case Speed:
    return formatSpeed(speedOf(item));
  default:
    return stateOf(row);
  }
}

QVariant TuneItemModel::sortKey(int row, int column) const {
  const protocol::TuneItem &item = plan_.items[row];
  switch (column) {
  case Calls:
    return item.calls;
  case Trials:
    return item.trials;
  case Default:
    return item.baselineUs;
  case Best:
    return item.bestUs;
  case Speed:
    return speedOf(item);
  default:
    return cell(row, column);
  }
}

QVariant TuneItemModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= plan_.items.size())
    return {};
  const protocol::TuneItem &item = plan_.items[index.row()];
  switch (role) {
  case Qt::DisplayRole:
    return cell(index.row(), index.column());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case Qt::ToolTipRole:
    return index.column() == State && item.outcome && !item.outcome->sentence.isEmpty() ? item.outcome->sentence
           : index.column() == State                                                    ? stateOf(index.row())
           : item.detail.isEmpty()                                                      ? item.name
                                   : item.name + u'\n' + item.detail;
  case SortRole:
    return sortKey(index.row(), index.column());
  case IsFasterRole:
    return item.outcome && item.outcome->isFaster;
  case IsRunningRole:
    return index.row() == running_;
  default:
    return {};
  }
}

} // namespace fuselage
