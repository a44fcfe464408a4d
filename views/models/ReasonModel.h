// The Help pages of the reasons as a list that can be searched.
#pragma once
#include "views/messages/FusionTypes.h"
#include <QAbstractListModel>

namespace fuselage {

/// Only the pages that have all words of the search, in the order of the engine.
class ReasonModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { CodeRole = Qt::UserRole };

  using QAbstractListModel::QAbstractListModel;
  void setReasons(const QList<protocol::ReasonHelp> &reasons);
  void setWords(const QString &words);
  bool isEmpty() const { return reasons_.isEmpty(); }
  /// Null for a code that there is none of; searched or not.
  const protocol::ReasonHelp *find(const QString &code) const;
  /// -1: the search leaves it out.
  int rowOf(const QString &code) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  void filter();
  QList<protocol::ReasonHelp> reasons_;
  QStringList words_;
  QList<int> shown_; ///< indices
};

} // namespace fuselage
