#include "views/models/BufferModel.h"
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
  // What clean-up drops is nobody's business.
  report_.moves.removeIf([](const protocol::BufferMove &move) { return !move.remains; });
  endResetModel();
}

const protocol::BufferOperand *BufferModel::operandAt(int row) const {
  return row >= 0 && row < report_.operands.size() ? &report_.operands[row] : nullptr;
}

const protocol::BufferMove *BufferModel::moveAt(int row) const {
  const qsizetype index = row - report_.operands.size();
  return index >= 0 && index < report_.moves.size() ? &report_.moves[index] : nullptr;
}

int BufferModel::rowOf(qint64 op, int operand) const {
  for (int row = 0; row < rowCount(); ++row) {
    const protocol::BufferOperand *candidate = operandAt(row);
    if (opAt(row) == op && (candidate ? candidate->place.operand == operand : operand < 0))
      return row;
  }
  return -1;
}

qint64 BufferModel::opAt(int row) const {
  const protocol::BufferOperand *operand = operandAt(row);
  return operand ? operand->place.op : moveAt(row)->op;
}

const protocol::BufferBytes *BufferModel::bytesAt(int row) const {
  if (const protocol::BufferMove *move = moveAt(row))
    return &move->size;
  const int buffer = operandAt(row)->buffer;
  return buffer >= 0 && buffer < report_.buffers.size() ? &report_.buffers[buffer].size : nullptr;
}

int BufferModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(report_.operands.size() + report_.moves.size());
}

BufferModel::BufferModel(QObject *parent)
    : TableModel({{tr("Op")}, {tr("Operand")}, {tr("Bufferized")}, {tr("Bytes"), true}, {tr("Reason")}}, parent) {}

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
  case Bytes:
    return bytesAt(row) ? formatBytes(*bytesAt(row)) : QString();
  default:
    return reasonWords(operand ? operand->reason : moveAt(row)->reason);
  }
}

QString BufferModel::toolTip(int row) const {
  const protocol::BufferOperand *operand = operandAt(row);
  QString text = u"<b>%1</b>"_s.arg(display(row, Op).toHtmlEscaped());
  if (operand)
    text += tr("<br>operand %1, %2").arg(operand->place.operand).arg(operand->type.toHtmlEscaped());
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
