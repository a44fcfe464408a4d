// The verdicts on a snapshot's edges as a table, and the filter in front of it.
#pragma once
#include "views/common/SceneData.h"
#include "views/messages/FusionTypes.h"
#include "views/models/TableModel.h"
#include <QSortFilterProxyModel>
#include <QTimer>
#include <functional>
#include <vector>

namespace fuselage {

/// A row an edge, in program order. Grouped, the first row of a FusionGroup stands for all edges of the group; which
/// rows are shown is the filter's matter.
class FusionModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Saves, Time, Share, Places, Producer, Consumer, State, Reason, Unlocks, ColumnCount };
  enum Role { MarkRole = Qt::UserRole }; ///< a FusionMark

  explicit FusionModel(QObject *parent = nullptr);
  void setReport(const protocol::FusionReport &report);
  /// What the graph calls an op: "matmul 128x768x768"; empty where it does not know.
  void setNames(std::function<QString(qint64)> names) { names_ = std::move(names); }
  QString producerText(const protocol::FusionEdge &edge) const { return opText(edge.from, edge.fromOp, edge.fromLoc); }
  QString consumerText(const protocol::FusionEdge &edge) const { return opText(edge.to, edge.toOp, edge.toLoc); }
  void setGrouped(bool grouped);
  /// The rows of edges that are the same as that of a row but for where they are, its own among them.
  QList<int> placesOf(int row) const;
  /// The row that stands for a row: the first of its group, or itself.
  int shownRowOf(int row) const;
  /// Rows of missed edges that stand for their group.
  const std::vector<int> &missedGroups() const { return missedGroups_; }
  /// What most rows are asked for letter by letter of a filter: edges lie far apart in memory.
  bool isMissed(int row) const { return missed_[size_t(row)]; }
  /// What the edge of a row would save, or all that it stands for.
  protocol::FusionGroup worthOf(int row) const;
  /// As the table shows it.
  QString text(int row, int column) const;
  /// What the graph calls the ops of a row; empty where it does not know.
  QString namesOf(int row) const;
  const protocol::FusionReport &report() const { return report_; }
  /// Null for a row that there is none of.
  const protocol::FusionEdge *edgeAt(int row) const;
  /// The row of an edge; -1: none.
  int rowOf(const EdgeUse &use) const;
  /// The dearest separate edge that ends, or else begins, in an op; -1: none.
  int missedRowOf(NodeId op) const { return missedOf_.value(op, -1); }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QString opText(qint64 op, const QString &name, const QString &loc) const;
  void indexRows();
  int &firstFrom(NodeId op);
  protocol::FusionReport report_;
  bool grouped_ = true;
  std::function<QString(qint64)> names_;
  std::vector<int> rowsFrom_, nextFrom_; ///< by op, the last of the rows that begin there; by row, the one before
  QHash<NodeId, int> otherFrom_;         ///< the first of these, for ops with odd numbers
  QHash<NodeId, int> missedOf_;
  std::vector<bool> missed_; ///< by row
  std::vector<int> leaders_; ///< by row: the first row of its group
  std::vector<int> missedGroups_;
};

/// Shows separate edges only, unless asked for all, and of those the ones that have all the words. Sorts
/// numbers by value; what is unknown comes last.
class FusionFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit FusionFilter(QObject *parent = nullptr);
  void setSourceModel(QAbstractItemModel *model) override;
  void setWords(const QString &words);
  void setShowsFused(bool shows);

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
  bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
  const FusionModel &model() const { return *static_cast<const FusionModel *>(sourceModel()); }
  const protocol::FusionEdge &edge(int row) const;
  const QString &textOf(int row) const;
  void prepare();
  QStringList words_;
  bool showsFused_ = false;
  QTimer preparing_;
  size_t prepared_ = 0;                  ///< of the model's missed groups
  mutable std::vector<QString> texts_{}; ///< by row: what words are looked for in, but for the graph's names
};

FusionMark markOf(const protocol::FusionEdge &edge);
/// Whether an earlier step drew the border between the two; here nothing can be missed any more.
bool isDecided(const protocol::FusionEdge &edge);
/// "fused into the consumer", "can be fused", ...
QString verdictText(const protocol::FusionEdge &edge);
/// "NON_FUSABLE_OP / RESHAPE_EXPAND"; empty for a fused edge.
QString reasonText(const protocol::FusionEdge &edge);
/// The code of the page that says most about an edge; empty for a fused one.
QString reasonPageOf(const protocol::FusionEdge &edge);
/// "13.6 %"; empty for what is unknown (negative).
QString shareText(double share);
/// "1 dispatch", "15 dispatches".
QString countedDispatches(qint64 count);
/// Where an edge is: "line 38 of model.mlir", of its consumer as the file has it, or "op 12".
QString placeText(const protocol::FusionEdge &edge);
/// "linalg.generic, line 38 of model.mlir".
QString opText(const QString &op, const QString &loc);

} // namespace fuselage
