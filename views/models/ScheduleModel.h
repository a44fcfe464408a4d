// The steps of a schedule's trace as a table, and the handles at one of them.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/messages/ScheduleTypes.h"
#include "views/models/TableModel.h"
#include <QSet>

namespace fuselage {

/// A step that another one is in.
struct ScheduleFrame {
  int row = 0;
  QString text; ///< "foreach, iteration 3"
};

/// A row for each step, ends of blocks too: a row is a place where a debugger can stand.
class ScheduleModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Application, Line, Result, Time, ColumnCount };
  enum Role {
    FailedRole = Qt::UserRole, ///< it failed, silenced or not
    EndRole,                   ///< the end of a block
  };

  explicit ScheduleModel(QObject *parent = nullptr);
  void setTrace(const protocol::ScheduleTrace &trace);
  const protocol::ScheduleTrace &trace() const { return trace_; }
  /// Null: there is no such row.
  const protocol::ScheduleStep *stepAt(int row) const;

  // Where a debugger's commands lead from a row; the row itself where there is nowhere to go.
  int into(int row) const;
  int over(int row) const;
  int out(int row) const;
  int back(int row) const;
  /// What was applied right before a row, as schedule/position means it: the step before it in its block, or, of the
  /// first, the one around it. Null: nothing was.
  const protocol::ScheduleStep *appliedBefore(int row) const;
  /// The next row behind or before `row` at one of these lines of `file`; -1: none.
  int nextAt(int row, const QList<int> &lines, const QString &file, bool back = false) const;
  /// What is around a row, the entry first, and the row itself.
  QList<ScheduleFrame> frames(int row) const;
  /// The line of `file` at which a row stands, or from which it was called; 0: none.
  int lineIn(const QString &file, int row) const;
  /// The first step that failed; -1: none.
  int firstFailure() const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QString frameText(const protocol::ScheduleStep &step, const protocol::ScheduleStep &inside) const;
  QString result(const protocol::ScheduleStep &step) const;
  QString toolTip(const protocol::ScheduleStep &step) const;

  protocol::ScheduleTrace trace_;
};

/// Handles, parameters and value handles in scope.
class HandleModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Name, Holds, Type, ColumnCount };
  enum Role { DeadRole = Qt::UserRole, PointedAtRole };

  explicit HandleModel(QObject *parent = nullptr);
  void setHandles(const QList<protocol::ScheduleHandle> &handles);
  /// Null: there is no such row.
  const protocol::ScheduleHandle *handleAt(int row) const;
  /// Handles that hold what the user points at.
  void setPointedAt(const QSet<int> &rows);
  /// Those that hold the innermost op around a line of the payload's text, of all that are held; -1: none.
  void pointAtLine(int line);

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QString holds(const protocol::ScheduleHandle &handle) const;

  QList<protocol::ScheduleHandle> handles_;
  QSet<int> pointedAt_;
};

} // namespace fuselage
