// Values that say how they lie on a mesh, and collectives, a row each.
#pragma once
#include "views/messages/MeshTypes.h"
#include <QAbstractTableModel>

namespace fuselage {

class MeshModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, What, Over, PerDevice, Bytes, ColumnCount };

  explicit MeshModel(QObject *parent = nullptr);

  void setReport(const protocol::MeshReport &report);
  const protocol::MeshReport &report() const { return report_; }

  /// Null: the row is a collective's, or there is none.
  const protocol::MeshValue *valueAt(int row) const;
  const protocol::MeshCollective *collectiveAt(int row) const;
  const protocol::MeshLayout *layoutAt(int row) const;
  /// The row of an op's result or collective; -1: it has none.
  int rowOf(qint64 op) const;
  /// "all-reduce over model of 4: 6.14 kB": for a badge.
  static QString badgeOf(const protocol::MeshCollective &collective);
  /// The shape of what a device has, and the rest that is known of a row, as sentences.
  QString describe(int row) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString textOf(const protocol::MeshValue &value, int column) const;
  QString textOf(const protocol::MeshCollective &collective, int column) const;
  QString describeValue(const protocol::MeshValue &value) const;
  QString describeCollective(const protocol::MeshCollective &collective) const;

  protocol::MeshReport report_;
};

} // namespace fuselage
