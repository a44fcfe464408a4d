// A model as a tree: modules, stages, layers, dispatches, ops, with what each costs; and the filter in front of it.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/messages/RunTypes.h"
#include <QAbstractItemModel>
#include <QHash>
#include <QSortFilterProxyModel>

namespace fuselage {

/// Rows as graph/outline has them; siblings that are equal and follow each other are below one row that stands for
/// them. Times come from a run, by dispatch, and add up.
class OutlineModel : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column { Name, Time, Bytes, Dispatches, Missed, Ops, Flops, ColumnCount };
  enum Role {
    RowRole = Qt::UserRole, ///< index in outline().rows
    SortRole,               ///< of numbers the number, unknown ones below all; of the name the place in the program
  };

  explicit OutlineModel(QObject *parent = nullptr);
  void setOutline(const protocol::Outline &outline);
  /// With the rows that stand for several at the end: the parents of those.
  const protocol::Outline &outline() const { return outline_; }
  /// How many equal rows a row stands for; 1: itself.
  qsizetype countOf(int row) const { return row >= listed_ ? children_[row].size() : 1; }
  /// What kernels took; empty: nothing has run, or what ran is another program.
  void setTimes(const QList<protocol::Kernel> &kernels);
  bool hasTimes() const { return hasTimes_; }
  /// Microseconds of a row; negative: unknown.
  double timeOf(int row) const { return times_.value(row, -1); }

  /// Null: there is no such row.
  const protocol::OutlineRow *rowAt(const QModelIndex &index) const;
  QModelIndex indexOf(int row, int column = 0) const;
  /// The row of an op, else of the dispatch that it leads; -1: none.
  int rowOf(qint64 node) const { return rowOfNode_.value(node, -1); }

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &child) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  QString text(int row, int column) const;
  double number(int row, int column) const;
  void fold();
  int addFold(const QList<int> &equal);
  void addTimes();

  protocol::Outline outline_;
  qsizetype listed_ = 0; ///< rows without those that stand for several
  QList<protocol::Kernel> kernels_;
  QList<QList<int>> children_; ///< by row; the last one is of the top
  QList<int> placeInParent_;   ///< by row
  QHash<qint64, int> rowOfNode_;
  QList<double> times_;
  bool hasTimes_ = false;
};

/// Rows that have all the words in their name, with what is around them and what is in them.
class OutlineFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit OutlineFilter(QObject *parent = nullptr);
  void setSourceModel(QAbstractItemModel *model) override;
  void setWords(const QString &words);

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  bool matches(const QModelIndex &index) const;
  QStringList words_;
  mutable QStringList texts_; ///< by row, that the words are looked for in; null: not made yet
};

/// "layer", "dispatch", for people.
QString outlineKindText(message::OutlineKind kind);

} // namespace fuselage
