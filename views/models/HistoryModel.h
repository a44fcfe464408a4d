// What became of something over the steps, as a table.
#pragma once
#include "views/messages/SearchTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// A row is a step that introduced, changed or removed it; one for the input where it was there from the start.
class HistoryModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Step, Name, Change, Text, ColumnCount };

  explicit HistoryModel(QObject *parent = nullptr);
  /// `names` of the steps, by their number.
  void setHistory(const protocol::History &history, const QStringList &names);
  void clear() { setHistory({}, {}); }
  const protocol::HistoryEvent *at(int row) const { return row >= 0 && row < events_.size() ? &events_[row] : nullptr; }
  static QString changeText(protocol::HistoryChange change);

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QList<protocol::HistoryEvent> events_;
  QStringList names_;
};

} // namespace fuselage
