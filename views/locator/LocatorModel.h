// What was found, the best first.
#pragma once
#include "views/locator/LocatorEntry.h"
#include <QAbstractListModel>

namespace fuselage {

class LocatorModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { HintRole = Qt::UserRole, DetailRole, KindRole, KindWordRole };
  using QAbstractListModel::QAbstractListModel;

  /// At most `most` of them, as they come.
  void setEntries(const QList<LocatorEntry> &entries);
  /// By rank, then by kind.
  static QList<LocatorEntry> sorted(QList<LocatorEntry> entries);
  const LocatorEntry *at(int row) const { return row >= 0 && row < entries_.size() ? &entries_[row] : nullptr; }
  /// -1: it is not here.
  int rowOf(const QString &key) const;
  /// The first row that can be chosen; -1: none.
  int firstEnabled() const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;

  static constexpr int most = 300;

private:
  QList<LocatorEntry> entries_;
};

} // namespace fuselage
