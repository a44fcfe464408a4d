#include "views/locator/LocatorModel.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

QList<LocatorEntry> LocatorModel::sorted(QList<LocatorEntry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const LocatorEntry &a, const LocatorEntry &b) {
    return std::pair(a.rank, a.kind) < std::pair(b.rank, b.kind);
  });
  return entries;
}

void LocatorModel::setEntries(const QList<LocatorEntry> &entries) {
  beginResetModel();
  entries_ = entries.first(std::min<qsizetype>(entries.size(), most));
  endResetModel();
}

int LocatorModel::rowOf(const QString &key) const {
  for (int row = 0; row < entries_.size(); ++row)
    if (entries_[row].key() == key)
      return row;
  return -1;
}

int LocatorModel::firstEnabled() const {
  for (int row = 0; row < entries_.size(); ++row)
    if (entries_[row].isEnabled)
      return row;
  return -1;
}

int LocatorModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(entries_.size()); }

Qt::ItemFlags LocatorModel::flags(const QModelIndex &index) const {
  const LocatorEntry *entry = at(index.row());
  if (!index.isValid() || !entry)
    return {};
  return entry->isEnabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                          : Qt::ItemFlags(Qt::ItemNeverHasChildren);
}

QVariant LocatorModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const LocatorEntry &entry = entries_[index.row()];
  switch (role) {
  case Qt::DisplayRole:
    return entry.name;
  case Qt::ToolTipRole:
    return entry.detail.isEmpty() ? entry.name : entry.name + u'\n' + entry.detail;
  case Qt::AccessibleTextRole: {
    QStringList words{entry.name, kindWord(entry.kind), entry.detail, entry.hint};
    if (!entry.isEnabled)
      words.append(tr("not available now"));
    words.removeAll(QString());
    return words.join(u", "_s);
  }
  case HintRole:
    return entry.hint;
  case DetailRole:
    return entry.detail;
  case KindRole:
    return int(entry.kind);
  case KindWordRole:
    return kindWord(entry.kind);
  default:
    return {};
  }
}

} // namespace fuselage
