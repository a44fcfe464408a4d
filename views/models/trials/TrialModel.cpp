#include "views/models/trials/TrialModel.h"
#include "core/text/CsvCell.h"
#include "views/models/Format.h"
#include <QFont>

using namespace Qt::StringLiterals;

namespace fuselage {

QString formatSpeed(double speed) { return speed < 0 ? u"\u2014"_s : QString::number(speed, 'f', 2) + u'\u00d7'; }

TrialModel::TrialModel(QObject *parent)
    : TableModel({{.title = tr("#"), .isNumber = true},
                  {.title = tr("Point")},
                  {.title = tr("Status")},
                  {.title = tr("Speed"),
                   .isNumber = true,
                   .toolTip = tr("Speedup over the baseline, which was launched alternately with it")},
                  {.title = tr("Median"), .isNumber = true},
                  {.title = tr("Min"), .isNumber = true},
                  {.title = tr("Baseline"),
                   .isNumber = true,
                   .toolTip = tr("Median of the baseline, launched alternately with it")},
                  {.title = tr("Launches"), .isNumber = true},
                  {.title = tr("Why")}},
                 parent) {}

void TrialModel::setTrials(const TrialList &trials) {
  beginResetModel();
  trials_ = trials;
  endResetModel();
}

void TrialModel::append(const QList<protocol::TuneTrial> &trials) {
  if (trials.isEmpty())
    return;
  const int first = trials_.size(), before = best();
  beginInsertRows({}, first, first + int(trials.size()) - 1);
  trials_.append(trials);
  endInsertRows();
  if (before >= 0 && before != best())
    emit dataChanged(index(before, 0), index(before, ColumnCount - 1));
}

int TrialModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : trials_.size(); }

QString TrialModel::cell(const protocol::TuneTrial &trial, int column) const {
  switch (column) {
  case Number:
    return QString::number(trial.number);
  case Point:
    return pointText(trial.parameters);
  case Status:
    return trial.status;
  case Speed:
    return formatSpeed(speedOf(trial));
  case Median:
    return formatMicroseconds(trial.medianUs);
  case Min:
    return formatMicroseconds(trial.minUs);
  case Baseline:
    return formatMicroseconds(trial.baselineUs);
  case Launches:
    return trial.launches > 0 ? QString::number(trial.launches) : u"\u2014"_s;
  default:
    return trial.why;
  }
}

bool TrialModel::isLess(int row, int other, int column) const {
  const auto by = [&](auto number) { return number(row) < number(other); };
  switch (column) {
  case Number:
    return by([this](int at) { return trials_.number(at); });
  case Point:
    return trials_.isPointLess(row, other);
  case Status:
    return trials_.status(row) < trials_.status(other);
  case Speed:
    return by([this](int at) { return trials_.speed(at); });
  case Median:
    return by([this](int at) { return trials_.medianUs(at); });
  case Min:
    return by([this](int at) { return trials_.minUs(at); });
  case Baseline:
    return by([this](int at) { return trials_.baselineUs(at); });
  case Launches:
    return by([this](int at) { return trials_.launches(at); });
  default:
    return trials_.why(row) < trials_.why(other);
  }
}

QVariant TrialModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= trials_.size())
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return cell(trials_.at(index.row()), index.column());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case Qt::ToolTipRole:
    return trials_.why(index.row()).isEmpty() ? QVariant() : QVariant(trials_.why(index.row()));
  case Qt::FontRole: {
    QFont font;
    font.setBold(true);
    return index.row() == best() ? QVariant(font) : QVariant();
  }
  case IsBestRole:
    return index.row() == best();
  default:
    return {};
  }
}

/// A field of a line of CSV.
static QString field(const QString &text) { return QString::fromStdString(csvCell(text.toStdString())); }

QByteArray TrialModel::csv() const {
  const QStringList knobs = trials_.knobs();
  QString text = u"number,"_s;
  for (const QString &knob : knobs)
    text += field(knob) + u',';
  text += u"status,speed,median_us,min_us,baseline_us,launches,why\n"_s;
  for (int row = 0; row < trials_.size(); ++row) {
    const protocol::TuneTrial trial = trials_.at(row);
    QStringList cells{QString::number(trial.number)};
    for (const QString &knob : knobs)
      cells.append(field(trial.parameters.value(knob)));
    cells.append(trial.status);
    for (const double number : {speedOf(trial), trial.medianUs, trial.minUs, trial.baselineUs})
      cells.append(number < 0 ? QString() : QString::number(number, 'g', 8));
    cells += {QString::number(trial.launches), field(trial.why)};
    text += cells.join(u',') + u'\n';
  }
  return text.toUtf8();
}

} // namespace fuselage
