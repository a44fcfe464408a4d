// Many trials in little memory, with what plots, table and filter ask of them.
#pragma once
#include "views/messages/TuneTypes.h"
#include <QHash>
#include <QPair>

namespace fuselage {

/// In the order in which they came. Texts are kept once, and so is each value of a knob: a trial is some hundred bytes,
/// whatever it says.
class TrialList {
public:
  TrialList() = default;
  explicit TrialList(const QList<protocol::TuneTrial> &trials) { append(trials); }
  void append(const QList<protocol::TuneTrial> &trials);

  int size() const { return int(rows_.size()); }
  bool isEmpty() const { return rows_.isEmpty(); }
  /// As it came. Rows count from 0.
  protocol::TuneTrial at(int row) const;
  int number(int row) const { return rows_[row].number; }
  int launches(int row) const { return rows_[row].launches; }
  double medianUs(int row) const { return rows_[row].medianUs; }
  double minUs(int row) const { return rows_[row].minUs; }
  double baselineUs(int row) const { return rows_[row].baselineUs; }
  const QString &status(int row) const { return texts_[rows_[row].status]; }
  /// The same number for the same status.
  int kind(int row) const { return rows_[row].status; }
  const QString &why(int row) const { return texts_[rows_[row].why]; }
  /// As speedOf().
  double speed(int row) const;
  /// As of TuneTrial: the best of those up to it.
  bool isBest(int row) const { return rows_[row].isBest; }
  /// The row of the best one; -1: none ran and was right.
  int best() const { return best_; }

  /// In the order in which they came up.
  QStringList knobs() const;
  QStringList valuesOf(const QString &knob) const;
  /// Of each row, the index of its value of the knob among `values`; -1: it is not there.
  QList<int> placesOf(const QString &knob, const QStringList &values) const;
  /// By the first knob that is different; numbers by their size.
  bool isPointLess(int row, int other) const;
  /// Whether each of the words is in a setting ("rows=16"), the status or the reason, in any case.
  bool matches(int row, const QStringList &words) const;

private:
  struct Setting {
    int knob, value; ///< texts
    QString text;    ///< "rows=16"
    qint64 number;
    bool isNumber;
  };
  struct Row {
    double medianUs, minUs, baselineUs, relative, seconds;
    int number, launches, work, status, why, first; ///< `first` of its places in `points_`
    bool isBest;
  };
  int textNumber(const QString &text);
  int settingNumber(const QString &knob, const QString &value);
  qsizetype endOf(int row) const { return row + 1 < rows_.size() ? rows_[row + 1].first : points_.size(); }

  QList<Row> rows_;
  QList<int> points_; ///< settings of all rows, one row behind the other
  QList<Setting> settings_;
  QHash<QPair<int, int>, int> settingNumbers_;
  QStringList texts_;
  QHash<QString, int> textNumbers_;
  int best_ = -1;
};

/// How many times as fast as the baseline a trial is; negative: it did not run, or wrongly.
double speedOf(const protocol::TuneTrial &trial);
/// It was cut short, so that its speed is that of few launches.
bool isRough(const QString &status);
/// "rows=16 columns=32".
QString pointText(const QMap<QString, QString> &parameters);

} // namespace fuselage
