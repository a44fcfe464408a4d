#include "views/models/HistoryModel.h"

using namespace Qt::StringLiterals;

namespace fuselage {

HistoryModel::HistoryModel(QObject *parent)
    : TableModel({{u"#"_s, true}, {tr("Step")}, {tr("What it did")}, {tr("There")}}, parent) {}

void HistoryModel::setHistory(const protocol::History &history, const QStringList &names) {
  beginResetModel();
  events_ = history.events;
  names_ = names;
  rows_.clear();
  for (int event = 0; event < events_.size(); ++event) {
    rows_.append({.event = event});
    for (int rewrite = 0; rewrite < events_[event].rewrites.size(); ++rewrite)
      rows_.append({.event = event, .rewrite = rewrite});
  }
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

QString HistoryModel::changeText(protocol::RewriteChange change) {
  switch (change) {
  case protocol::RewriteChange::Created:
    return tr("created");
  case protocol::RewriteChange::Replaced:
    return tr("replaced");
  case protocol::RewriteChange::Erased:
    return tr("erased");
  case protocol::RewriteChange::Modified:
    return tr("modified");
  }
  return {};
}

const protocol::HistoryEvent *HistoryModel::at(int row) const {
  return row >= 0 && row < rows_.size() ? &events_[rows_[row].event] : nullptr;
}

const protocol::HistoryRewrite *HistoryModel::rewriteAt(int row) const {
  if (row < 0 || row >= rows_.size() || rows_[row].rewrite < 0)
    return nullptr;
  return &events_[rows_[row].event].rewrites[rows_[row].rewrite];
}

int HistoryModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

QVariant HistoryModel::rewriteData(const protocol::HistoryEvent &event, const protocol::HistoryRewrite &rewrite,
                                   int column) const {
  switch (column) {
  case Step:
    return tr("%1.%2", "a step, and a rewrite of it").arg(event.step).arg(rewrite.rewrite);
  case Name:
    // Set in, as it is a part of the step above.
    return u"    "_s + (rewrite.pattern.isEmpty() ? u'(' + rewrite.kind + u')' : rewrite.pattern);
  case Change:
    return changeText(rewrite.change);
  case Text:
    return rewrite.count == 1 ? rewrite.op : tr("%1 \u00d7%2").arg(rewrite.op).arg(rewrite.count);
  default:
    return {};
  }
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::HistoryEvent &event = *at(index.row());
  const protocol::HistoryRewrite *rewrite = rewriteAt(index.row());
  if (role == Qt::TextAlignmentRole)
    return alignment(index.column());
  if (role == Qt::ToolTipRole)
    return rewrite ? tr("Rewrite %1 of step %2: click to show the IR after it").arg(rewrite->rewrite).arg(event.step)
                   : event.text;
  if (role != Qt::DisplayRole)
    return {};
  if (rewrite)
    return rewriteData(event, *rewrite, index.column());
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
