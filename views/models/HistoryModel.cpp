#include "views/models/HistoryModel.h"

using namespace Qt::StringLiterals;

namespace fuselage {

HistoryModel::HistoryModel(QObject *parent)
    : TableModel({{u"#"_s, true}, {tr("Step")}, {tr("What it did")}, {tr("There")}}, parent) {}

void HistoryModel::setHistory(const protocol::History &history, const QStringList &names) {
  beginResetModel();
  events_ = history.events;
  names_ = names;
  endResetModel();
}

QString HistoryModel::changeText(protocol::HistoryChange change) {
  switch (change) {
  case protocol::HistoryChange::Present:
    return tr("was there");
  case protocol::HistoryChange::Introduced:
    return tr("introduced");
  case protocol::HistoryChange::Changed:
    return tr("changed");
  case protocol::HistoryChange::Removed:
    return tr("removed");
  }
  return {};
}

int HistoryModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(events_.size()); }

QVariant HistoryModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::HistoryEvent &event = events_[index.row()];
  if (role == Qt::TextAlignmentRole)
    return alignment(index.column());
  if (role == Qt::ToolTipRole)
    return event.text;
  if (role != Qt::DisplayRole)
    return {};
  switch (index.column()) {
  case Step:
    return event.step < 0 ? QVariant() : QVariant(event.step);
  case Name:
    return event.step < 0 ? tr("the input") : names_.value(event.step);
  case Change:
    return changeText(event.change);
  case Text:
    return event.text;
  default:
    return {};
  }
}

} // namespace fuselage
