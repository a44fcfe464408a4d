// The trials of a search that goes on, or of a journal, in table and plots.
#pragma once
#include "app/gui/shell/Shell.h"
#include "core/protocol/methods/TuneMethods.h"
#include "views/models/trials/TrialModel.h"

namespace fuselage {

class TuneJournals;
class TuneSearch;
class TuningPanel;

class TuneTrials : public QObject {
  Q_OBJECT
public:
  TuneTrials(Shell &shell, TuningPanel &panel, TrialModel &model, QObject *parent);

  /// Searches what `subject` says, as the panel's fields want it.
  void start(const method::TuneSubject<protocol::QtTypes> &subject);
  /// Cancels what runs, and forgets all.
  void opened();
  /// Nobody is asked any more. Returns whether a search was going on.
  bool engineDied();
  /// The trials of the journal at `path`; empty: the window's own.
  void showJournal(const QString &path);
  /// Of a schedule, the trial's beside that of the baseline; of a dispatch, its sizes are wanted.
  void open(int row);
  bool isReading() const;

signals:
  /// The search has ended.
  void ended();
  /// The knobs are to stand at a point.
  void pointWanted(const QMap<QString, QString> &values);
  /// The user goes on with a trial's schedule.
  void scheduleWanted(const QString &text);

private:
  void connectPanel();
  void take(const protocol::TuneProgress &progress);
  void tell(const QString &text, const protocol::TuneProgress &progress, bool isError);
  void finish(const protocol::TuneProgress &progress);
  void stopWith(const QString &problem);
  /// Those of an item of the plan.
  void showItem(int item);
  void forget();
  void exportCsv();

  Shell &shell_;
  TuningPanel &panel_;
  TrialModel &model_;
  TuneSearch *search_;
  TuneJournals *journals_;
  method::TuneSubject<protocol::QtTypes> subject_; ///< that the trials are of
  QMap<QString, QString> baseline_;                ///< of the trials
  int item_ = -1;                                  ///< whose trials are wanted; -1: those of the one at work
  int shownItem_ = 0;
};

} // namespace fuselage
