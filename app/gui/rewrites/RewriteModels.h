// The rewrites of a step, its patterns, and what was tried on an op, as tables.
#pragma once
#include "views/messages/RewriteTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// A row is a rewrite, in the order in which they happened.
class RewriteModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Index, Name, Op, Function, Changes, ColumnCount };
  /// All texts of a row, for filters: "@main" is a function.
  enum Role { FilterRole = Qt::UserRole };

  explicit RewriteModel(QObject *parent = nullptr);
  void setRewrites(const QList<protocol::StepRewrite> &rewrites);
  const QList<protocol::StepRewrite> &rewrites() const { return rewrites_; }
  /// "FuseElementwiseOps", or what kind of change it is.
  static QString nameOf(const protocol::StepRewrite &rewrite);

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QString text(int row, int column) const;
  QString toolTip(int row) const;
  QList<protocol::StepRewrite> rewrites_;
};

/// A row is a pattern; those that were applied most come first.
class PatternModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Name, Applied, Attempts, Time, ColumnCount };
  enum Role { SortRole = Qt::UserRole };

  explicit PatternModel(QObject *parent = nullptr);
  void setPatterns(const QList<protocol::PatternUse> &patterns);
  const QList<protocol::PatternUse> &patterns() const { return patterns_; }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QList<protocol::PatternUse> patterns_;
};

/// A row is a pattern that was tried on one op, with what came of it.
class AttemptModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Name, Outcome, Reason, ColumnCount };

  explicit AttemptModel(QObject *parent = nullptr);
  void setAttempts(const QList<protocol::OpAttempt> &attempts);
  const QList<protocol::OpAttempt> &attempts() const { return attempts_; }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QList<protocol::OpAttempt> attempts_;
};

} // namespace fuselage
