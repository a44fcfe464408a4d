// The recorded steps as a table, and the filter in front of it.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/models/TableModel.h"
#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>

namespace fuselage {

/// Row 0 is the opened document, row i + 1 is step i. While a recording runs its current step is the last row, without
/// a time.
class StepModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Index, Name, Time, Delta, ColumnCount };
  enum Role {
    StepRole = Qt::UserRole, ///< number of the step; -1: the document
    ChangedRole,
    StatusRole,
    AnchorRole, ///< "@main": the end of the name, the function that a pass ran on; or empty
  };
  enum Status { Input, Unchanged, Changed, Failed, Running };

  explicit StepModel(QObject *parent = nullptr);

  /// Empty name: no document, no rows.
  void setDocument(const QString &name);
  void setSteps(const QList<protocol::Step> &steps);
  void append(const protocol::Step &step);
  /// Shows the step that runs now; the next append() or setSteps() takes its place.
  void setRunning(const protocol::StepStarted &step);
  void clearRunning();

  const QList<protocol::Step> &steps() const { return steps_; }
  /// Null for the document's row and for the running step.
  const protocol::Step *stepAt(int row) const;
  /// The snapshot to show for a row: behind its step, or in front of it where a log has no other.
  int snapshotAt(int row) const;
  /// The first row that shows a snapshot; -1: none does.
  int rowOf(int snapshot) const;
  /// Whether any step was measured; those of logs are not.
  bool hasTimes() const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QVariant display(int row, int column) const;
  QString toolTip(int row) const;
  Status status(int row) const;

  QString document_;
  QList<protocol::Step> steps_;
  QString running_;
};

/// Hides steps that changed nothing, and those whose name, pass and scope lack the filter's words: `@f` is the function
/// that a pass ran on, `op:linalg.matmul` the ops that a step touched, `dispatch:matmul_8x8` the dispatch. The
/// document, failed and running steps always stay.
class StepFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setHideUnchanged(bool hide);
  bool hidesUnchanged() const { return hideUnchanged_; }
  void setWords(const QString &words);
  /// The names behind `op:`, and the words with `dispatch:`.
  QStringList touchedNames() const { return ops_ + dispatches_; }
  static QString dispatchSign() { return QStringLiteral("dispatch:"); }
  /// Steps in whose diff a line with this op, or of an op of this dispatch is. Until this is known, those that made
  /// more or fewer of the op stay, and of a dispatch all.
  void setTouched(const QString &name, const QSet<int> &steps);
  void forgetTouched() { touched_.clear(); }
  /// The first of touchedNames() that nothing is known of; empty: all is known.
  QString unknownName() const;
  /// What can be typed to narrow the list down, "@main" and "op:linalg.matmul"; `dispatches`: names of such.
  static QStringList completions(const QList<protocol::Step> &steps, const QStringList &dispatches = {});

protected:
  bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
  bool hideUnchanged_ = false;
  bool touches(const protocol::Step &step, const QString &name) const;
  QStringList words_, functions_, ops_, dispatches_;
  QHash<QString, QSet<int>> touched_;
};

/// "linalg.fill −2, scf.forall +3"; at most `most` names, the largest changes first.
QString describeDelta(const QMap<QString, qint64> &delta, int most);

} // namespace fuselage
