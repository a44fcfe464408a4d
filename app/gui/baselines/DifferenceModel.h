// Two runs as a table of differences: a row for each dispatch, or for those that are equal but for where they are.
#pragma once
#include "core/pictures/RunDifferences.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// The largest change comes first; the last row is the sum, however rows are sorted.
class DifferenceModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Dispatch, Before, After, Change, Remark, ColumnCount };
  /// Better, Worse or neither, as an int.
  enum Role { ToneRole = Qt::UserRole };
  enum class Tone { None, Better, Worse, Muted };

  explicit DifferenceModel(QObject *parent = nullptr);
  void setDifferences(const RunDifferences &differences);
  const RunDifferences &differences() const { return differences_; }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order) override;

private:
  bool isSum(int row) const { return row == int(differences_.rows.size()); }
  QString text(int row, int column) const;
  QString toolTip(int row) const;
  Tone tone(int row) const;

  RunDifferences differences_;
  std::vector<size_t> order_; ///< of the rows on screen
};

} // namespace fuselage
