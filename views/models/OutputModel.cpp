#include "views/models/OutputModel.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include <QCoreApplication>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString text(const char *words) { return QCoreApplication::translate("OutputModel", words); }

QString verdictText(const protocol::Comparison &result) {
  const auto within = [&] {
    return std::isnan(result.absolute)
               ? QString()
               : text(" within %1 + %2 |expected|").arg(formatError(result.absolute), formatError(result.relative));
  };
  switch (result.verdict) {
  case protocol::RunVerdict::Ok:
    return text("agrees with the unfused program on the host%1").arg(within());
  case protocol::RunVerdict::Unchecked:
  case protocol::RunVerdict::Wrong:
    return result.why.isEmpty() ? text("differs from the unfused program on the host: max abs error %1, relative %2")
                                      .arg(formatError(result.maxAbsError), formatError(result.maxRelError))
                                : result.why;
  case protocol::RunVerdict::NotComparable:
    return result.why.isEmpty() ? text("not comparable: too many elements are not finite") : result.why;
  case protocol::RunVerdict::NothingToRun:
    return result.why.isEmpty() ? text("nothing ran") : result.why;
  }
  return {};
}

QString comparedError(const protocol::Comparison &result, double error) {
  const bool isCompared =
      result.verdict != protocol::RunVerdict::NotComparable && result.verdict != protocol::RunVerdict::Unchecked;
  return isCompared ? formatError(error) : u"\u2014"_s;
}

QString worstText(const protocol::WorstElement &worst) {
  QStringList index;
  for (const qint64 i : worst.index)
    index.append(QString::number(i));
  return text("[%1] is %2, expected %3").arg(index.join(u", "_s), worst.actual, worst.expected);
}

QString valuesText(const protocol::Output &output) {
  if (output.values.isEmpty())
    return {};
  const qint64 shown = output.values.size();
  const QString values = output.values.join(u", "_s);
  return output.elements > shown
             ? text("first %1 of %2: %3, \u2026").arg(groupedNumber(shown), groupedNumber(output.elements), values)
             : values;
}

/// "1.25", or an em dash for what nobody knows.
static QString figure(double value) { return std::isnan(value) ? u"\u2014"_s : QString::number(value, 'g', 5); }

static QString nonfinite(const protocol::Output &output) {
  if (output.nonfiniteActual == 0 && output.nonfiniteExpected == 0)
    return u"0"_s;
  return text("%1 (expected %2)").arg(groupedNumber(output.nonfiniteActual), groupedNumber(output.nonfiniteExpected));
}

void OutputModel::setOutputs(const QList<protocol::Output> &outputs) {
  beginResetModel();
  outputs_ = outputs;
  stale_ = false;
  endResetModel();
}

void OutputModel::setStale(bool stale) {
  if (stale == stale_)
    return;
  stale_ = stale;
  if (!outputs_.isEmpty())
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int OutputModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(outputs_.size()); }

OutputModel::OutputModel(QObject *parent)
    : TableModel({{tr("Result")},
                  {tr("Type")},
                  {tr("Max abs error"), true},
                  {tr("Max rel error"), true},
                  {tr("Not finite"), true},
                  {tr("Min"), true},
                  {tr("Max"), true},
                  {tr("Mean"), true}},
                 parent) {}

QVariant OutputModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const protocol::Output &output = outputs_[index.row()];
  switch (role) {
  case Qt::ToolTipRole:
    return verdictText(output);
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case VerdictRole:
    return int(output.verdict);
  case StaleRole:
    return stale_;
  case Qt::DisplayRole:
    break;
  default:
    return {};
  }
  switch (index.column()) {
  case Result:
    return QString::number(index.row());
  case Type:
    return output.type;
  case AbsError:
    return comparedError(output, output.maxAbsError);
  case RelError:
    return comparedError(output, output.maxRelError);
  case Nonfinite:
    return nonfinite(output);
  case Min:
    return figure(output.statistics.min);
  case Max:
    return figure(output.statistics.max);
  case Mean:
    return figure(output.statistics.mean);
  default:
    return {};
  }
}

} // namespace fuselage
