// Results of kernel bundles as a table: a row for each dispatch, and columns for each file, side by side.
#pragma once
#include "core/protocol/methods/BundleMethods.h"
#include "views/messages/RunTypes.h"
#include <QAbstractTableModel>

namespace fuselage {

namespace protocol {
using BundleOrigin = message::BundleOrigin<QtTypes>;
using ResultPlace = message::ResultPlace<QtTypes>;
using PlacedResults = message::PlacedResults<QtTypes>;
} // namespace protocol

/// A file of results that is open.
struct ResultsFile {
  QString path;
  protocol::PlacedResults content{};
  QString problem{}; ///< why it does not belong to the program as it is now; empty: it does
};

/// A dispatch is one row, whatever kernels it has on each device. What is not known is empty.
class BundleResultsModel : public QAbstractTableModel {
  Q_OBJECT
public:
  /// The first two columns, then those of files: each figure of all of them, side by side. Files are told by their
  /// number, from 1 on, since names of devices are long.
  enum Column { Dispatch, Place, FirstOfFile };
  /// Ratio: of the median to that of the first file.
  enum class Figure { Median, Ratio, Min, Baseline, Check, Error };
  /// SortRole carries the plain numbers. VerdictRole is the verdict of the cell's file as a protocol::RunVerdict; -1:
  /// none. PlacedRole: the dispatch is in the module.
  enum Role { SortRole = Qt::UserRole, VerdictRole, PlacedRole };

  explicit BundleResultsModel(QObject *parent = nullptr);

  void setFiles(const QList<ResultsFile> &files);
  const QList<ResultsFile> &files() const { return files_; }
  /// "NVIDIA H100", with the file's name where two are alike.
  QString nameOf(int file) const;
  /// The figure of a column; only from FirstOfFile on.
  Figure figureOf(int column) const { return columns_[column - FirstOfFile].figure; }
  /// Ops of the dispatch of a row in the step on screen, its root op first; empty: none is there.
  QList<qint64> opsOf(int row) const;
  /// The row of the dispatch that an op belongs to; -1: none.
  int rowOf(qint64 op) const;
  /// The rows of a file that have a place, as times of dispatches of the module.
  protocol::RunReport placedReport(int file) const;

  /// Sums of a file over the dispatches of one pass.
  struct Totals {
    double medianUs = 0;       ///< medians, each times its calls
    bool isLowerBound = false; ///< a median is not known
    double onceUs = 0;         ///< of what is computed once, of weights and constants
    int dispatches = 0, placed = 0, agree = 0;
  };
  Totals totalsOf(int file) const;
  /// Why the first dispatch of a file without a place has none; empty: all have one.
  QString whyNotPlaced(int file) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  /// A dispatch in a file: all of its kernels.
  struct Cell {
    double medianUs = 0, minUs = 0; ///< sums; negative: one is unknown
    int kernels = 0, first = -1;    ///< rows of the file; 0 kernels: the file does not have it
  };
  struct Row {
    QString dispatch;
    bool isOnHost = false;
    QList<Cell> cells; ///< by file
  };
  struct FileColumn {
    int file;
    Figure figure;
  };
  void addRows(int file);
  void addColumns();
  const Cell &cellOf(const Row &row, const FileColumn &column) const { return row.cells[column.file]; }
  const protocol::Kernel &kernelOf(int file, const Cell &cell) const {
    return files_[file].content.results.kernels[cell.first];
  }
  /// The first place of the row that a file says; null: no file knows one.
  const protocol::ResultPlace *placeOf(const Row &row) const;
  QString whyNot(const Row &row) const;
  QString display(const Row &row, const FileColumn &column) const;
  QString toolTip(const Row &row, const FileColumn &column) const;
  QVariant sortKey(const Row &row, const FileColumn &column) const;
  /// The median as a multiple of the first file's; negative: unknown.
  double ratioOf(const Row &row, int file) const;

  QList<ResultsFile> files_;
  QList<Row> rows_;
  QList<FileColumn> columns_;
  QHash<qint64, int> rowByOp_;
};

} // namespace fuselage
