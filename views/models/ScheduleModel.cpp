#include "views/models/ScheduleModel.h"
#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace fuselage {

ScheduleModel::ScheduleModel(QObject *parent)
    : TableModel({{.title = tr("Schedule")},
                  {.title = tr("Line"), .isNumber = true},
                  {.title = tr("Result"), .toolTip = tr("Whether the application changed the payload")},
                  {.title = tr("ms"), .isNumber = true, .toolTip = tr("With what is inside")}},
                 parent) {}

void ScheduleModel::setTrace(const protocol::ScheduleTrace &trace) {
  beginResetModel();
  trace_ = trace;
  endResetModel();
}

const protocol::ScheduleStep *ScheduleModel::stepAt(int row) const {
  return row >= 0 && row < trace_.steps.size() ? &trace_.steps[row] : nullptr;
}

int ScheduleModel::into(int row) const { return std::min(row + 1, int(trace_.steps.size()) - 1); }

int ScheduleModel::over(int row) const {
  const protocol::ScheduleStep *step = stepAt(row);
  return step && step->next < trace_.steps.size() ? std::max(step->next, row) : row;
}

int ScheduleModel::out(int row) const {
  const protocol::ScheduleStep *step = stepAt(row);
  return step && step->parent >= 0 ? over(step->parent) : row;
}

int ScheduleModel::back(int row) const { return std::max(row - 1, 0); }

const protocol::ScheduleStep *ScheduleModel::appliedBefore(int row) const {
  const protocol::ScheduleStep *step = stepAt(row);
  if (!step)
    return nullptr;
  for (int sibling = row - 1; sibling > step->parent; --sibling)
    if (trace_.steps[sibling].parent == step->parent)
      return &trace_.steps[sibling];
  return stepAt(step->parent);
}

int ScheduleModel::nextAt(int row, const QList<int> &lines, const QString &file, bool back) const {
  const int direction = back ? -1 : 1;
  for (int next = row + direction; next >= 0 && next < trace_.steps.size(); next += direction) {
    const protocol::ScheduleStep &step = trace_.steps[next];
    // The end of a block without a terminator of its own lies on the line of the op around it.
    const bool isWritten = !step.end || !stepAt(step.parent) || stepAt(step.parent)->line != step.line;
    if (isWritten && step.file == file && lines.contains(step.line))
      return next;
  }
  return -1;
}

/// "foreach, iteration 3": what of an op is running while it stands in `inside`.
QString ScheduleModel::frameText(const protocol::ScheduleStep &step, const protocol::ScheduleStep &inside) const {
  const QString name = QString(step.name).section(u'.', 1);
  const qsizetype symbol = step.text.indexOf(u'@');
  if (name == "named_sequence"_L1 || name == "include"_L1) {
    qsizetype end = symbol + 1;
    while (symbol >= 0 && end < step.text.size() &&
           (step.text[end].isLetterOrNumber() || step.text[end] == u'_' || step.text[end] == u'.'))
      ++end;
    const QString callee = symbol < 0 ? QString() : step.text.sliced(symbol, end - symbol);
    return name == "include"_L1 ? tr("include %1").arg(callee) : callee;
  }
  if (name == "foreach"_L1)
    return tr("foreach, iteration %1").arg(inside.iteration + 1);
  if (name == "alternatives"_L1)
    return tr("alternative %1").arg(inside.block + 1);
  if (name == "foreach_match"_L1)
    return tr("foreach_match, try %1").arg(inside.block + 1);
  return inside.iteration > 0 ? tr("%1, time %2").arg(name).arg(inside.iteration + 1) : name;
}

QList<ScheduleFrame> ScheduleModel::frames(int row) const {
  QList<ScheduleFrame> frames;
  const protocol::ScheduleStep *inside = stepAt(row);
  if (!inside)
    return frames;
  frames.append({row, inside->end ? tr("end") : QString(inside->name).section(u'.', 1)});
  while (const protocol::ScheduleStep *step = stepAt(inside->parent)) {
    frames.prepend({inside->parent, frameText(*step, *inside)});
    inside = step;
  }
  return frames;
}

int ScheduleModel::lineIn(const QString &file, int row) const {
  const protocol::ScheduleStep *step = stepAt(row);
  while (step && step->file != file)
    step = stepAt(step->parent);
  return step ? step->line : 0;
}

int ScheduleModel::firstFailure() const {
  // The innermost one: what is around it fails for its sake.
  for (int row = 0; row < trace_.steps.size(); ++row)
    if (!trace_.steps[row].diagnostics.isEmpty() && trace_.steps[row].outcome != "success"_L1)
      return row;
  return -1;
}

int ScheduleModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(trace_.steps.size()); }

QString ScheduleModel::result(const protocol::ScheduleStep &step) const {
  if (step.end)
    return {};
  if (step.outcome == "success"_L1)
    return !step.changed ? QString() : *step.changed ? tr("changed") : tr("unchanged");
  if (step.outcome == "unfinished"_L1)
    return tr("stopped");
  return step.suppressed ? tr("failed, silenced") : tr("failed");
}

QString ScheduleModel::toolTip(const protocol::ScheduleStep &step) const {
  QString text = step.text;
  for (const protocol::Diagnostic &diagnostic : step.diagnostics)
    text += u"\n\n"_s + diagnostic.message;
  return text;
}

QVariant ScheduleModel::data(const QModelIndex &index, int role) const {
  const protocol::ScheduleStep *step = stepAt(index.row());
  if (!step || !index.isValid())
    return {};
  switch (role) {
  case Qt::DisplayRole:
    switch (index.column()) {
    case Application: {
      QString text = QString(2 * step->depth, u' ') + (step->end ? tr("end of the block") : step->text);
      return step->iteration > 0 && step->end ? text + tr(", iteration %1").arg(step->iteration + 1) : text;
    }
    case Line:
      return step->line > 0 ? QVariant(step->line) : QVariant();
    case Result:
      return result(*step);
    case Time:
      return step->end ? QString() : QString::number(step->milliseconds, 'f', 2);
    default:
      return {};
    }
  case Qt::ToolTipRole:
    return toolTip(*step);
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case FailedRole:
    return step->outcome == "silenceable"_L1 || step->outcome == "definite"_L1;
  case EndRole:
    return step->end;
  default:
    return {};
  }
}

HandleModel::HandleModel(QObject *parent)
    : TableModel({{.title = tr("Handle")},
                  {.title = tr("Holds"),
                   .toolTip = tr("Payload ops, or what invalidated the handle; for a parameter, its value")},
                  {.title = tr("Type")}},
                 parent) {}

void HandleModel::setHandles(const QList<protocol::ScheduleHandle> &handles) {
  beginResetModel();
  handles_ = handles;
  pointedAt_.clear();
  endResetModel();
}

void HandleModel::setPointedAt(const QSet<int> &rows) {
  const QSet<int> before = std::exchange(pointedAt_, rows);
  for (const int row : before + rows)
    if (before.contains(row) != rows.contains(row))
      emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void HandleModel::pointAtLine(int line) {
  QSet<int> rows;
  qint64 fewest = std::numeric_limits<qint64>::max();
  for (int row = 0; row < handles_.size(); ++row)
    for (qsizetype i = 0; i + 1 < handles_[row].lines.size(); i += 2) {
      const qint64 first = handles_[row].lines[i], last = handles_[row].lines[i + 1];
      if (line < first || line > last || last - first > fewest)
        continue;
      if (last - first < fewest)
        rows.clear();
      fewest = last - first;
      rows.insert(row);
    }
  setPointedAt(rows);
}

const protocol::ScheduleHandle *HandleModel::handleAt(int row) const {
  return row >= 0 && row < handles_.size() ? &handles_[row] : nullptr;
}

int HandleModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(handles_.size()); }

QString HandleModel::holds(const protocol::ScheduleHandle &handle) const {
  if (handle.state == "consumed"_L1)
    return tr("consumed by line %1").arg(handle.byLine);
  if (handle.state == "invalidated"_L1)
    return tr("invalidated by line %1, which consumed an op around it or the same").arg(handle.byLine);
  if (handle.kind == "param"_L1)
    return QStringList(handle.details).join(u", "_s);
  const qsizetype count = handle.ops.size();
  if (handle.kind == "value"_L1)
    return count == 1 ? tr("1 value") : tr("%1 values").arg(count);
  return count == 1 ? tr("1 op") : tr("%1 ops").arg(count);
}

QVariant HandleModel::data(const QModelIndex &index, int role) const {
  const protocol::ScheduleHandle *handle = handleAt(index.row());
  if (!handle || !index.isValid())
    return {};
  switch (role) {
  case Qt::DisplayRole:
  case Qt::ToolTipRole:
    return index.column() == Name    ? QString(handle->name)
           : index.column() == Holds ? holds(*handle)
                                     : QString(handle->type);
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case DeadRole:
    return handle->state != "live"_L1;
  case PointedAtRole:
    return pointedAt_.contains(index.row());
  default:
    return {};
  }
}

} // namespace fuselage
