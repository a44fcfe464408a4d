#include "views/models/ReasonModel.h"
#include <algorithm>

namespace fuselage {

void ReasonModel::setReasons(const QList<protocol::ReasonHelp> &reasons) {
  beginResetModel();
  reasons_ = reasons;
  filter();
  endResetModel();
}

void ReasonModel::setWords(const QString &words) {
  beginResetModel();
  words_ = words.split(u' ', Qt::SkipEmptyParts);
  filter();
  endResetModel();
}

void ReasonModel::filter() {
  shown_.clear();
  for (int i = 0; i < reasons_.size(); ++i)
    if (std::all_of(words_.begin(), words_.end(),
                    [&](const QString &word) { return reasons_[i].page.contains(word, Qt::CaseInsensitive); }))
      shown_.append(i);
}

const protocol::ReasonHelp *ReasonModel::find(const QString &code) const {
  const auto found =
      std::find_if(reasons_.begin(), reasons_.end(), [&](const auto &reason) { return reason.code == code; });
  return found == reasons_.end() ? nullptr : &*found;
}

int ReasonModel::rowOf(const QString &code) const {
  const auto found = std::find_if(shown_.begin(), shown_.end(), [&](int i) { return reasons_[i].code == code; });
  return found == shown_.end() ? -1 : int(found - shown_.begin());
}

int ReasonModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(shown_.size()); }

QVariant ReasonModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::ReasonHelp &reason = reasons_[shown_[index.row()]];
  if (role == Qt::DisplayRole || role == CodeRole)
    return reason.code;
  if (role == Qt::ToolTipRole)
    return reason.sentence;
  return {};
}

} // namespace fuselage
