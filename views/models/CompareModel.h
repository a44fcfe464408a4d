// Dispatches of two programs side by side, as a table.
#pragma once
#include "views/messages/CompareTypes.h"
#include "views/messages/RunTypes.h"
#include "views/models/TableModel.h"
#include <QHash>
#include <QSortFilterProxyModel>

namespace fuselage {

/// A row for each set of dispatches that do the same; grouped, one for those that are the same but for where they are,
/// with what all of them move and take.
class CompareModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Relation, Places, NamesA, BytesA, TimeA, NamesB, BytesB, TimeB, ColumnCount };
  enum Role {
    RelationRole = Qt::UserRole, ///< a protocol::DispatchRelation
    SortRole,
  };

  explicit CompareModel(QObject *parent = nullptr);
  void setComparison(const protocol::DispatchComparison &comparison);
  const protocol::DispatchComparison &comparison() const { return comparison_; }
  void setGrouped(bool grouped);
  /// Whether some row stands, or would stand, for several.
  bool hasGroups() const { return hasGroups_; }
  /// What dispatches took in a run, by where their root op comes from; empty: nothing has run.
  void setTimes(const QList<protocol::Kernel> &kernels);
  /// Microseconds of all dispatches of a side that ran; negative: none did.
  double totalTime(bool ofB) const;
  /// Microseconds of a dispatch by its index on a side; negative: it did not run.
  double timeOf(bool ofB, int dispatch) const;
  /// Of several that a row stands for the first. Null: there is no such row.
  const protocol::ComparedRow *rowAt(int row) const;
  /// The ops that stand for a row's dispatches on one side, of all places.
  QList<qint64> opsOf(int row, bool ofB) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  const protocol::ComparedSide &side(bool ofB) const { return ofB ? comparison_.b : comparison_.a; }
  void makeRows();
  QString names(int row, bool ofB) const;
  qint64 bytes(int row, bool ofB) const;
  double time(int row, bool ofB) const;
  QString text(int row, int column) const;
  QString toolTip(int row, int column) const;

  protocol::DispatchComparison comparison_;
  bool grouped_ = true, hasGroups_ = false;
  QList<QList<int>> rows_;       ///< what each stands for: indices of rows of the comparison, never empty
  QHash<QString, double> times_; ///< by loc
};

/// Rows that differ, or all; numbers by value.
class CompareFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit CompareFilter(QObject *parent = nullptr);
  void setWords(const QString &words);
  void setShowsSame(bool shows);

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  QStringList words_;
  bool showsSame_ = true;
};

/// "same", "merged in A", for people.
QString relationText(protocol::DispatchRelation relation);

} // namespace fuselage
