// What a search is about, item by item, as a table.
#pragma once
#include "views/messages/TuneTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// A row an item of the plan, in its order. SortRole carries plain numbers.
class TuneItemModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Name, Calls, Trials, Default, Best, Speed, State, ColumnCount };
  enum Role { SortRole = Qt::UserRole, IsFasterRole, IsRunningRole };

  explicit TuneItemModel(QObject *parent = nullptr);
  /// `running`: the item that is searched now; -1: none.
  void setPlan(const protocol::TunePlan &plan, int running);
  const protocol::TunePlan &plan() const { return plan_; }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QString cell(int row, int column) const;
  QVariant sortKey(int row, int column) const;
  QString stateOf(int row) const;

  protocol::TunePlan plan_;
  int running_ = -1;
};

/// How many times as fast as the baseline the best of an item is: measured again where it was, else
/// by its trial; negative: unknown.
double speedOf(const protocol::TuneItem &item);

} // namespace fuselage
