// The recorded steps as a table, and the filter in front of it.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/models/TableModel.h"
#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>
#include <optional>

namespace fuselage {

/// A step that the engine did not survive.
struct CrashedStep {
  QString name, pipeline;
  QString reason;    ///< "SIGSEGV"
  QStringList stack; ///< frames, the innermost first; empty: unknown
};

/// Row 0 is the opened document, row i + 1 is step i. The last row is the step that a recording is at, without a time,
/// or the one that crashed.
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
  enum Status { Input, Unchanged, Changed, Failed, Running, Crashed };

  explicit StepModel(QObject *parent = nullptr);

  /// Empty name: no document, no rows.
  void setDocument(const QString &name);
  void setSteps(const QList<protocol::Step> &steps);
  void append(const protocol::Step &step);
  /// Shows the step that runs now; the next append() or setSteps() takes its place.
  void setRunning(const protocol::StepStarted &step);
  void clearRunning();
  /// Shows a step that crashed after the others, until the next one runs or it is cleared.
  void setCrashed(const CrashedStep &step);
  void clearCrashed();
  const std::optional<CrashedStep> &crashed() const { return crashed_; }
  /// Null for every other row.
  const CrashedStep *crashedAt(int row) const;

  const QList<protocol::Step> &steps() const { return steps_; }
  /// Null for the document's row, for the running step and for one that crashed.
  const protocol::Step *stepAt(int row) const;
  /// The snapshot to show for a row: after its step, or before it where a log has no other, or where it crashed.
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
  std::optional<CrashedStep> crashed_; ///< not while one runs
};

/// Hides steps that changed nothing, and those whose name, pass and scope lack the filter's words: `@f` is the function
/// that a pass ran on, `op:linalg.matmul` the ops that a step touched, `dispatch:matmul_8x8` the dispatch. The
/// document, a running step and one that crashed always stay; hideUnchanged keeps failed ones.
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
