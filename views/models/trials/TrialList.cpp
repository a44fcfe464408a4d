#include "views/models/trials/TrialList.h"
#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace fuselage {

static double speedBy(double relative) { return relative > 0 ? 1 / relative : -1; }

double speedOf(const protocol::TuneTrial &trial) { return speedBy(trial.relative); }

bool isRough(const QString &status) { return status == "cut short"_L1; }

QString pointText(const QMap<QString, QString> &parameters) {
  QStringList words;
  for (auto it = parameters.begin(); it != parameters.end(); ++it)
    words.append(it.key() + u'=' + it.value());
  return words.join(u' ');
}

int TrialList::textNumber(const QString &text) {
  const auto known = textNumbers_.constFind(text);
  if (known != textNumbers_.cend())
    return *known;
  texts_.append(text);
  return *textNumbers_.insert(text, int(texts_.size()) - 1);
}

int TrialList::settingNumber(const QString &knob, const QString &value) {
  const QPair<int, int> key(textNumber(knob), textNumber(value));
  const auto known = settingNumbers_.constFind(key);
  if (known != settingNumbers_.cend())
    return *known;
  bool isNumber = false;
  const qint64 number = value.toLongLong(&isNumber);
  settings_.append(
      {.knob = key.first, .value = key.second, .text = knob + u'=' + value, .number = number, .isNumber = isNumber});
  return *settingNumbers_.insert(key, int(settings_.size()) - 1);
}

void TrialList::append(const QList<protocol::TuneTrial> &trials) {
  for (const protocol::TuneTrial &trial : trials) {
    if (trial.isBest)
      best_ = size();
    rows_.append({.medianUs = trial.medianUs,
                  .minUs = trial.minUs,
                  .baselineUs = trial.baselineUs,
                  .relative = trial.relative,
                  .seconds = trial.seconds,
                  .number = trial.number,
                  .launches = trial.launches,
                  .work = trial.work,
                  .status = textNumber(trial.status),
                  .why = textNumber(trial.why),
                  .first = int(points_.size()),
                  .isBest = trial.isBest});
    for (auto it = trial.parameters.begin(); it != trial.parameters.end(); ++it)
      points_.append(settingNumber(it.key(), it.value()));
  }
}

protocol::TuneTrial TrialList::at(int row) const {
  const Row &from = rows_[row];
  protocol::TuneTrial trial;
  trial.number = from.number;
  trial.status = texts_[from.status];
  trial.why = texts_[from.why];
  trial.medianUs = from.medianUs;
  trial.minUs = from.minUs;
  trial.baselineUs = from.baselineUs;
  trial.relative = from.relative;
  trial.launches = from.launches;
  trial.isBest = from.isBest;
  trial.seconds = from.seconds;
  trial.work = from.work;
  for (qsizetype place = from.first; place < endOf(row); ++place)
    trial.parameters.insert(texts_[settings_[points_[place]].knob], texts_[settings_[points_[place]].value]);
  return trial;
}

double TrialList::speed(int row) const { return speedBy(rows_[row].relative); }

QStringList TrialList::knobs() const {
  QStringList names;
  for (const Setting &setting : settings_)
    if (!names.contains(texts_[setting.knob]))
      names.append(texts_[setting.knob]);
  return names;
}

QStringList TrialList::valuesOf(const QString &knob) const {
  QStringList values;
  for (const Setting &setting : settings_)
    if (texts_[setting.knob] == knob)
      values.append(texts_[setting.value]);
  return values;
}

QList<int> TrialList::placesOf(const QString &knob, const QStringList &values) const {
  QList<int> placeOf(settings_.size(), -1); // by setting
  for (qsizetype i = 0; i < settings_.size(); ++i)
    if (texts_[settings_[i].knob] == knob)
      placeOf[i] = int(values.indexOf(texts_[settings_[i].value]));
  QList<int> places(rows_.size(), -1);
  for (int row = 0; row < size(); ++row)
    for (qsizetype place = rows_[row].first; place < endOf(row); ++place)
      places[row] = std::max(places[row], placeOf[points_[place]]);
  return places;
}

bool TrialList::isPointLess(int row, int other) const {
  const auto *a = points_.constData() + rows_[row].first, *b = points_.constData() + rows_[other].first;
  const auto *endOfA = points_.constData() + endOf(row), *endOfB = points_.constData() + endOf(other);
  std::tie(a, b) = std::mismatch(a, endOfA, b, endOfB);
  if (a == endOfA || b == endOfB)
    return a == endOfA && b != endOfB;
  const Setting &left = settings_[*a], &right = settings_[*b];
  return left.knob == right.knob && left.isNumber && right.isNumber ? left.number < right.number
                                                                    : left.text < right.text;
}

bool TrialList::matches(int row, const QStringList &words) const {
  const auto has = [this, row](const QString &word) {
    for (qsizetype place = rows_[row].first; place < endOf(row); ++place)
      if (settings_[points_[place]].text.contains(word, Qt::CaseInsensitive))
        return true;
    return texts_[rows_[row].status].contains(word, Qt::CaseInsensitive) ||
           texts_[rows_[row].why].contains(word, Qt::CaseInsensitive);
  };
  return std::all_of(words.begin(), words.end(), has);
}

} // namespace fuselage
