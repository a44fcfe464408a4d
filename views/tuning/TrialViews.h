// What a search found, in pictures and as a table.
#pragma once
#include "views/models/trials/TrialModel.h"
#include <QTabWidget>

class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace fuselage {

class KnobMap;
class TrialPlot;

/// Best so far, time by a knob, two knobs, and the table with its filter; all of them show the same
/// trial as current.
class TrialViews : public QTabWidget {
  Q_OBJECT
public:
  explicit TrialViews(TrialModel *model, QWidget *parent = nullptr);

  /// Knobs and the order of their values, from the space; else values stand in the order of trials.
  void setKnobs(const QList<protocol::TuneKnob> &knobs);
  void setCurrent(int row);
  int current() const { return current_; }
  TrialPlot *progressPlot() const { return progress_; }
  TrialPlot *knobPlot() const { return byKnob_; }
  KnobMap *map() const { return map_; }
  QTableView *table() const { return table_; }
  QLineEdit *filter() const { return filter_; }
  QComboBox *knobBox() const { return knob_; }

signals:
  /// A trial is current.
  void trialChosen(int row);
  /// It is to be opened.
  void trialOpened(int row);

private:
  void choose(int row);
  void showTrials();
  void listKnobs();
  void showKnobs();
  QStringList valuesOf(const QString &knob) const;

  TrialModel *model_;
  QSortFilterProxyModel *sorted_;
  QList<protocol::TuneKnob> knobs_;
  TrialPlot *progress_, *byKnob_;
  KnobMap *map_;
  QTableView *table_;
  QLineEdit *filter_;
  QComboBox *knob_, *across_, *up_;
  int current_ = -1;
};

} // namespace fuselage
