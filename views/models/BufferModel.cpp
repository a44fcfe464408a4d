#include "views/models/BufferModel.h"
#include "core/text/PlaceList.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/models/ReasonWords.h"

using namespace Qt::StringLiterals;

namespace fuselage {

QString formatBytes(const protocol::BufferBytes &size) {
  if (!size.lowerBound)
    return formatBytes(size.bytes);
  return size.bytes == 0 ? BufferModel::tr("unknown") : BufferModel::tr("\u2265 %1").arg(formatBytes(size.bytes));
}

QString opName(const protocol::BuffersReport &report, qint64 op) {
  const protocol::BufferOp *found = report.op(op);
  return found ? found->name : BufferModel::tr("op %1").arg(op);
}

void BufferModel::setReport(const protocol::BuffersReport &report) {
  beginResetModel();
  report_ = report;
  makeRows();
  endResetModel();
}

void BufferModel::setGrouped(bool grouped) {
  beginResetModel();
  grouped_ = grouped;
  makeRows();
  endResetModel();
}

/// In program order, a group where its first stands.
void BufferModel::makeRows() {
  rows_.clear();
  hasGroups_ = false;
  QHash<int, int> rowOfGroup;
  const auto add = [&](Entry entry, int group, const protocol::BufferBytes &size) {
    const int first = rowOfGroup.value(group, -1);
    hasGroups_ |= first >= 0;
    if (first < 0 && group >= 0)
      rowOfGroup.insert(group, int(rows_.size()));
    if (!grouped_ || first < 0) {
      rows_.append({.all = {entry}, .total = size});
      return;
    }
    Row &row = rows_[first];
    row.all.append(entry);
    row.total.bytes += size.bytes;
    row.total.lowerBound |= size.lowerBound;
  };
  for (int i = 0; i < report_.operands.size(); ++i) {
    const int buffer = report_.operands[i].buffer;
    add(i, report_.operands[i].group,
        buffer >= 0 && buffer < report_.buffers.size() ? report_.buffers[buffer].size : protocol::BufferBytes());
  }
  for (int i = 0; i < report_.moves.size(); ++i)
    if (report_.moves[i].remains) // what clean-up drops is nobody's business
      add(int(report_.operands.size()) + i, report_.moves[i].group, report_.moves[i].size);
  constexpr size_t mostPlaces = 3;
  for (int row = 0; row < rows_.size(); ++row)
    rows_[row].where = whereText(row, mostPlaces);
}

const protocol::BufferOperand *BufferModel::operandAt(int row) const {
  const Entry entry = row >= 0 && row < rows_.size() ? rows_[row].all.first() : -1;
  return entry >= 0 && entry < report_.operands.size() ? &report_.operands[entry] : nullptr;
}

const protocol::BufferMove *BufferModel::moveAt(int row) const {
  const qsizetype index =
      row >= 0 && row < rows_.size() ? rows_[row].all.first() - report_.operands.size() : qsizetype(-1);
  return index >= 0 ? &report_.moves[index] : nullptr;
}

int BufferModel::rowOf(qint64 op, int operand) const {
  for (int row = 0; row < rowCount(); ++row)
    for (const Entry entry : rows_[row].all) {
      const bool isOperand = entry < report_.operands.size();
      if (opOf(entry) == op && (isOperand ? report_.operands[entry].place.operand == operand : operand < 0))
        return row;
    }
  return -1;
}

qint64 BufferModel::opOf(Entry entry) const {
  return entry < report_.operands.size() ? report_.operands[entry].place.op
                                         : report_.moves[entry - report_.operands.size()].op;
}

const protocol::BufferBytes *BufferModel::bytesAt(int row) const {
  if (const protocol::BufferMove *move = moveAt(row))
    return &move->size;
  const int buffer = operandAt(row)->buffer;
  return buffer >= 0 && buffer < report_.buffers.size() ? &report_.buffers[buffer].size : nullptr;
}

int BufferModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

BufferModel::BufferModel(QObject *parent)
    : TableModel({{tr("Op")},
                  {tr("Operand")},
                  {tr("Bufferized")},
                  {tr("Places"), true, tr("How many identical ones there are, such as in equal layers")},
                  {tr("Bytes"), true},
                  {tr("Total"), true, tr("Bytes of all of them")},
                  {tr("Reason")},
                  {tr("Where"), false, tr("Layers, as the graph names them, or lines")}},
                 parent) {}

/// "layer 1 to 12"; `most` places, and how many more.
QString BufferModel::whereText(int row, size_t most) const {
  std::vector<std::string> names;
  for (const Entry entry : rows_[row].all) {
    const protocol::BufferOp *op = report_.op(opOf(entry));
    const QString name = !op                    ? tr("op %1").arg(opOf(entry))
                         : !op->layer.isEmpty() ? op->layer
                         : op->line >= 0        ? tr("line %1").arg(op->line + 1)
                                                : op->name;
    names.push_back(name.toStdString());
  }
  return QString::fromStdString(placeList(names, most));
}

QString BufferModel::display(int row, int column) const {
  const protocol::BufferOperand *operand = operandAt(row);
  switch (column) {
  case Op: {
    const int line = report_.lineOf(opAt(row));
    const QString name = opName(report_, opAt(row));
    return line < 0 ? name : tr("%1, line %2").arg(name).arg(line + 1);
  }
  case Operand:
    return operand ? u"%1  %2"_s.arg(operand->place.operand).arg(operand->value) : u"\u2013"_s;
  case Place: {
    if (!operand)
      return tr("moves data");
    const bool hasBuffer = operand->buffer >= 0 && operand->buffer < report_.buffers.size();
    if (hasBuffer)
      return report_.buffers[operand->buffer].kind == "copy"_L1 ? tr("copy") : tr("new buffer");
    return operand->inPlace ? tr("in place") : tr("out of place");
  }
  case Places: {
    const qsizetype count = rows_[row].all.size();
    return count > 1 ? u"\u00d7%1"_s.arg(groupedNumber(count)) : QString();
  }
  case Bytes:
    return bytesAt(row) ? formatBytes(*bytesAt(row)) : QString();
  case Total:
    return bytesAt(row) ? formatBytes(rows_[row].total) : QString();
  case Where:
    return rows_[row].where;
  default:
    return reasonWords(operand ? operand->reason : moveAt(row)->reason);
  }
}

QString BufferModel::toolTip(int row) const {
  const protocol::BufferOperand *operand = operandAt(row);
  QString text = u"<b>%1</b>"_s.arg(display(row, Op).toHtmlEscaped());
  if (operand)
    text += tr("<br>operand %1, %2").arg(operand->place.operand).arg(operand->type.toHtmlEscaped());
  constexpr size_t most = 20;
  if (const qsizetype count = rows_[row].all.size(); count > 1)
    text += tr("<br>in %1 places: %2").arg(count).arg(whereText(row, most).toHtmlEscaped());
  const QString sentence = operand ? operand->sentence : moveAt(row)->sentence;
  if (sentence.isEmpty())
    return text;
  const QString code = operand ? operand->reason : moveAt(row)->reason;
  return text + u"<br>%1.<br>%2"_s.arg(sentence.toHtmlEscaped(), code);
}

QVariant BufferModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const int row = index.row();
  const protocol::BufferOperand *operand = operandAt(row);
  switch (role) {
  case Qt::DisplayRole:
    return display(row, index.column());
  case Qt::ToolTipRole:
    return toolTip(row);
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case SortRole:
    if (index.column() == Bytes)
      return bytesAt(row) ? bytesAt(row)->bytes : qint64(-1);
    if (index.column() == Total)
      return bytesAt(row) ? rows_[row].total.bytes : qint64(-1);
    if (index.column() == Places)
      return qint64(rows_[row].all.size());
    if (index.column() == Op)
      return opAt(row);
    return display(row, index.column());
  case CostsRole:
    return bytesAt(row) != nullptr;
  case CopyRole:
    return !operand || display(row, Place) == tr("copy");
  case OpRole:
    return opAt(row);
  case LineRole:
    return report_.lineOf(opAt(row));
  default:
    return {};
  }
}

} // namespace fuselage
