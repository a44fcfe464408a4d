// What became of something over the steps, as a table.
#pragma once
#include "views/messages/SearchTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// A row is a step that introduced, changed or removed it; one for the input where it was there from the start. Below a
/// step are rows for its rewrites that did so, if they are known.
class HistoryModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Step, Name, Change, Text, ColumnCount };

  explicit HistoryModel(QObject *parent = nullptr);
  /// `names` of the steps, by their number.
  void setHistory(const protocol::History &history, const QStringList &names);
  void clear() { setHistory({}, {}); }
  /// The step of a row; null: there is no such row.
  const protocol::HistoryEvent *at(int row) const;
  /// The rewrite of a row; null: it is of a whole step.
  const protocol::HistoryRewrite *rewriteAt(int row) const;
  /// Steps, and the input.
  int eventCount() const { return int(events_.size()); }
  static QString changeText(protocol::HistoryChange change);
  static QString changeText(protocol::RewriteChange change);

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  struct Row {
    int event = 0, rewrite = -1; ///< -1: the event itself
  };
  QVariant rewriteData(const protocol::HistoryEvent &event, const protocol::HistoryRewrite &rewrite, int column) const;

  QList<protocol::HistoryEvent> events_;
  QList<Row> rows_;
  QStringList names_;
};

} // namespace fuselage
