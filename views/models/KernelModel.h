// What the last run did, as a table: kernels, and the ops between them that ran on the host.
#pragma once
#include "views/models/RunWords.h"
#include "views/models/TableModel.h"
#include <QHash>

namespace fuselage {

/// A row a group of the report, what takes longest first, or a row each in the order of the first launches. SortRole
/// carries the plain numbers, so that a QSortFilterProxyModel sorts by value.
class KernelModel : public TableModel {
  Q_OBJECT
public:
  enum Column {
    Dispatch,
    Places,
    Total,
    Where,
    Device,
    Median,
    Before,
    Ratio,
    Share,
    Min,
    P95,
    Gflops,
    Gbps,
    Bytes,
    TotalBytes,
    Copy,
    Library,
    AbsError,
    RelError,
    Grid,
    Block,
    Shared,
    ColumnCount
  };
  /// VerdictRole is a protocol::RunVerdict, -1 where nothing is compared.
  enum Role { SortRole = Qt::UserRole, OkRole, DispatchIndexRole, VerdictRole, StaleRole };

  explicit KernelModel(QObject *parent = nullptr);
  void setReport(const protocol::RunReport &report);
  /// More of the run on screen: rows that are there already stay where they are.
  void extendReport(const protocol::RunReport &report);
  /// Of a report that has no more than these.
  void setKernels(const QList<protocol::Kernel> &kernels);
  void setGrouped(bool grouped);
  /// Whether some group has several rows.
  bool hasGroups() const { return hasGroups_; }
  /// By row; of a group what stands for all of it (message::rowOf).
  const QList<protocol::Kernel> &kernels() const { return kernels_; }
  /// What a row stands for: indices of kernels of the report. Never empty.
  const protocol::KernelGroup &groupAt(int row) const { return groups_[row]; }
  /// The row that a kernel of the report is in; -1: there is none.
  int rowOf(int kernel) const { return rows_.value(kernel, -1); }
  /// They are of a program that has changed since.
  void setStale(bool stale);
  bool isStale() const { return stale_; }
  /// Another run to compare with, by where the dispatches' root ops come from; empty: none.
  void setBefore(const QList<protocol::Kernel> &kernels);
  bool hasBefore() const { return !before_.isEmpty(); }
  /// Median microseconds of all kernels of the dispatch of a row in the other run; negative: it is not there.
  double before(int row) const;
  /// How many times as long it takes as it did then; negative: unknown.
  double ratio(int row) const;
  /// Whether the times of the two, from the least to the 95th percentile, lie apart.
  bool differs(int row) const;
  /// How fast the dispatch of a row is beside a library's matmul alone; negative: there is none.
  double librarySpeed(int row) const;
  /// Kernels of the other run whose dispatch is not in this one.
  int goneCount() const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  void makeRows();
  /// Of the dispatches of a row that are in both runs: in the one before, and now.
  struct Pair {
    double then = 0, now = 0;
    int count = 0;
  };
  Pair timesOf(int row) const;
  QVariant groupData(int row, int column, int role) const;

  /// Of a dispatch: all of its kernels.
  struct Times {
    double median = 0, min = 0, p95 = 0;
    int first = -1; ///< index of a kernel
  };
  static QHash<QString, Times> timesOf(const QList<protocol::Kernel> &kernels);
  /// Null for kernels but the first of a dispatch, and where there is none.
  const Times *timesBefore(int kernel) const;

  protocol::RunReport report_;
  bool grouped_ = true, hasGroups_ = false;
  QList<protocol::Kernel> kernels_;     ///< by row
  QList<protocol::KernelGroup> groups_; ///< by row
  QStringList where_;                   ///< by row
  QList<int> rows_;                     ///< by kernel of the report
  QList<KernelPart> parts_;             ///< of the rows
  QHash<QString, Times> now_, before_;  ///< by place
  bool stale_ = false;
};

} // namespace fuselage
