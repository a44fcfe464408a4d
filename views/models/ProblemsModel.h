// Diagnostics of everything that went wrong, newest cause first.
#pragma once
#include "views/messages/DocumentTypes.h"
#include <QAbstractItemModel>

namespace fuselage {

/// A tree of two levels: diagnostics, and the notes of each. Diagnostics are grouped by what they
/// came from ("open", "record", "run"), so that a new attempt replaces the words of the last one.
class ProblemsModel : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column { Message, Location, ColumnCount };
  enum Role {
    SeverityRole = Qt::UserRole,
    FileRole,
    LineRole,   ///< from 1; 0: unknown
    ColumnRole, ///< from 1; 0: unknown
    OpRole,     ///< op in the snapshot before the step; -1: none
    OpLineRole, ///< from 0; -1: none
    StepRole,   ///< step that the diagnostic belongs to; -1: none
  };

  using QAbstractItemModel::QAbstractItemModel;

  /// Replaces what `source` said before. `step`: see StepRole.
  void setDiagnostics(const QString &source, const QList<protocol::Diagnostic> &diagnostics, int step = -1);
  void add(const QString &source, const protocol::Diagnostic &diagnostic, int step = -1);
  void clear(const QString &source);
  /// Whatever it came from.
  void clearAll();
  int errorCount() const;
  int warningCount() const;
  /// All of it, a line each, as compilers print it.
  QString toText() const;

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &child) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  struct Item {
    QString source;
    protocol::Diagnostic diagnostic;
    int step = -1;
    quintptr id = 0; ///< what the indices of its notes carry; rows shift, ids stay
  };
  int rowOf(quintptr id) const;
  const protocol::Diagnostic *diagnosticAt(const QModelIndex &index) const;
  QList<Item> items_;
  quintptr nextId_ = 1;
};

/// "file.mlir:3:7"; the file's name only, or all of its path.
QString formatLocation(const protocol::Diagnostic &diagnostic, bool wholePath);

} // namespace fuselage
