// The trials of a search, as a table.
#pragma once
#include "views/models/TableModel.h"
#include "views/models/trials/TrialList.h"

namespace fuselage {

/// Rows are only added, until setTrials() begins anew.
class TrialModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Number, Point, Status, Speed, Median, Min, Baseline, Launches, Why, ColumnCount };
  enum Role { IsBestRole = Qt::UserRole };

  explicit TrialModel(QObject *parent = nullptr);
  void setTrials(const TrialList &trials);
  void append(const QList<protocol::TuneTrial> &trials);
  const TrialList &trials() const { return trials_; }
  /// The row of the best one; -1: none ran and was right.
  int best() const { return trials_.best(); }
  /// Whether a row stands in front of another one, where they are sorted by the column.
  bool isLess(int row, int other, int column) const;
  /// All of them, below a line with the names of columns; numbers in microseconds.
  QByteArray csv() const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QString cell(const protocol::TuneTrial &trial, int column) const;

  TrialList trials_;
};

/// "1.52×"; an em dash for what is unknown (negative).
QString formatSpeed(double speed);

} // namespace fuselage
