#include "views/models/TrialModel.h"
#include "views/models/Format.h"
#include <QFont>

using namespace Qt::StringLiterals;

namespace fuselage {

double speedOf(const protocol::TuneTrial &trial) {
  return trial.relative > 0 ? 1 / trial.relative : -1;
}

bool isRough(const protocol::TuneTrial &trial) { return trial.status == "cut short"_L1; }

QString pointText(const QMap<QString, QString> &parameters) {
  QStringList words;
  for (auto it = parameters.begin(); it != parameters.end(); ++it)
    words.append(it.key() + u'=' + it.value());
  return words.join(u' ');
}

QString formatSpeed(double speed) {
  return speed < 0 ? u"\u2014"_s : QString::number(speed, 'f', 2) + u'\u00d7';
}

TrialModel::TrialModel(QObject *parent)
    : TableModel(
          {{.title = tr("#"), .isNumber = true},
           {.title = tr("Point")},
           {.title = tr("Status")},
           {.title = tr("Speed"),
            .isNumber = true,
            .toolTip =
                tr("How many times as fast as the baseline that was launched in turns with it")},
           {.title = tr("Median"), .isNumber = true},
           {.title = tr("Min"), .isNumber = true},
           {.title = tr("Baseline"),
            .isNumber = true,
            .toolTip = tr("Median of the baseline, launched in turns with it")},
           {.title = tr("Launches"), .isNumber = true},
           {.title = tr("Why")}},
          parent) {}

void TrialModel::setTrials(const QList<protocol::TuneTrial> &trials) {
  beginResetModel();
  trials_ = trials;
  best_ = -1;
  for (int row = 0; row < trials_.size(); ++row)
    if (trials_[row].isBest)
      best_ = row;
  endResetModel();
}

void TrialModel::append(const QList<protocol::TuneTrial> &trials) {
  if (trials.isEmpty())
    return;
  const int first = int(trials_.size()), before = best_;
  beginInsertRows({}, first, first + int(trials.size()) - 1);
  trials_ += trials;
  for (int row = first; row < trials_.size(); ++row)
    if (trials_[row].isBest)
      best_ = row;
  endInsertRows();
  if (before >= 0 && before != best_)
    emit dataChanged(index(before, 0), index(before, ColumnCount - 1));
}

int TrialModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(trials_.size());
}

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

QVariant TrialModel::sortKey(const protocol::TuneTrial &trial, int column) const {
  switch (column) {
  case Number:
    return trial.number;
  case Speed:
    return speedOf(trial);
  case Median:
    return trial.medianUs;
  case Min:
    return trial.minUs;
  case Baseline:
    return trial.baselineUs;
  case Launches:
    return trial.launches;
  default:
    return cell(trial, column);
  }
}

QVariant TrialModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= trials_.size())
    return {};
  const protocol::TuneTrial &trial = trials_[index.row()];
  switch (role) {
  case Qt::DisplayRole:
    return cell(trial, index.column());
  case Qt::TextAlignmentRole:
    return alignment(index.column());
  case Qt::ToolTipRole:
    return trial.why.isEmpty() ? QVariant() : QVariant(trial.why);
  case Qt::FontRole: {
    QFont font;
    font.setBold(true);
    return index.row() == best_ ? QVariant(font) : QVariant();
  }
  case SortRole:
    return sortKey(trial, index.column());
  case IsGoodRole:
    return speedOf(trial) > 0;
  case IsBestRole:
    return index.row() == best_;
  default:
    return {};
  }
}

/// A field of a line of CSV.
static QString field(const QString &text) {
  return text.contains(u'"') || text.contains(u',') || text.contains(u'\n')
             ? u'"' + QString(text).replace(u'"', u"\"\""_s) + u'"'
             : text;
}

QByteArray TrialModel::csv() const {
  QStringList knobs;
  for (const protocol::TuneTrial &trial : trials_)
    for (auto it = trial.parameters.begin(); it != trial.parameters.end(); ++it)
      if (!knobs.contains(it.key()))
        knobs.append(it.key());
  QString text = u"number,"_s + knobs.join(u',') +
                 u",status,speed,median_us,min_us,baseline_us,launches,why\n"_s;
  for (const protocol::TuneTrial &trial : trials_) {
    QStringList cells{QString::number(trial.number)};
    for (const QString &knob : std::as_const(knobs))
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
