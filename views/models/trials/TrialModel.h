// The trials of a search, as a table.
#pragma once
#include "views/messages/TuneTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// Rows are only added, until setTrials() begins anew. SortRole carries plain numbers.
class TrialModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Number, Point, Status, Speed, Median, Min, Baseline, Launches, Why, ColumnCount };
  enum Role { SortRole = Qt::UserRole, IsGoodRole, IsBestRole };

  explicit TrialModel(QObject *parent = nullptr);
  void setTrials(const QList<protocol::TuneTrial> &trials);
  void append(const QList<protocol::TuneTrial> &trials);
  const QList<protocol::TuneTrial> &trials() const { return trials_; }
  /// The row of the best one; -1: none ran and was right.
  int best() const { return best_; }
  /// All of them, below a line with the names of columns; numbers in microseconds.
  QByteArray csv() const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QString cell(const protocol::TuneTrial &trial, int column) const;
  QVariant sortKey(const protocol::TuneTrial &trial, int column) const;

  QList<protocol::TuneTrial> trials_;
  int best_ = -1;
};

/// How many times as fast as the baseline a trial is; negative: it did not run, or wrongly.
double speedOf(const protocol::TuneTrial &trial);
/// It was cut short, so that its speed is that of few launches.
bool isRough(const protocol::TuneTrial &trial);
/// "rows=16 columns=32".
QString pointText(const QMap<QString, QString> &parameters);
/// "1.52×"; an em dash for what is unknown (negative).
QString formatSpeed(double speed);

} // namespace fuselage
