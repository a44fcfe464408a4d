// Tunes what a schedule leaves open, or what the pipeline chooses for a dispatch, and shows what
// comes of it.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"
#include "views/models/TrialModel.h"
#include <QElapsedTimer>
#include <QTimer>
#include <optional>

class QDockWidget;

namespace fuselage {

class DeviceList;
class GraphController;
class RunController;
class ScheduleController;
class ScriptController;
class TextController;
class TileController;
class TuneJournals;
class TuneSearch;
class TuneTiles;
class TuningPanel;

class TuningController : public Controller {
  Q_OBJECT
public:
  TuningController(Shell &shell, GraphController &graph, TextController &text, RunController &run,
                   ScriptController &scripts, ScheduleController &schedule, TileController &tiles);

  TuningPanel &panel() { return *panel_; }
  TrialModel &trials() { return trials_; }
  /// Raises the panel, with room for plots.
  void raise();
  /// How long it took from the last move of a knob until space, tile and, where the schedule
  /// follows, graph and text showed it, in milliseconds; -1: it is not shown yet.
  double lastMilliseconds() const { return lastMilliseconds_; }
  /// Tunes on a device as soon as there is a space; for pictures.
  void tuneOn(const QString &device, int trials);
  /// Opens the schedule of a trial beside that of the baseline; of a dispatch, sets the knobs to
  /// its sizes.
  void openTrial(int row);
  /// Shows the trials of the journal at `path`; empty: the window's own.
  void showJournal(const QString &path);

  void opened(const protocol::Document &document) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void engineRecovered(int steps) override;
  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;
  bool isSettled() const override;

private:
  void connectPanel();
  /// What is to be tuned, as the engine takes it; empty: nothing is.
  QJsonObject subject() const;
  /// Asks for the space where it is another one than the panel shows.
  void refresh();
  void requestSpace(const QMap<QString, QString> &values, const QString &moved);
  void takeSpace(const protocol::TuneSpace &space);
  void showTile(const protocol::TuneSpace &space);
  /// Whether all that a move changes is on screen.
  void checkShown();
  void setKnobs(const QMap<QString, QString> &values);
  void hintAtSubject();
  /// The schedule runs with the knobs as they are.
  void follow();
  void start();
  void stopWith(const QString &problem);
  void take(const protocol::TuneProgress &progress);
  /// The trials of an item of the plan, in table and plots.
  void showItem(int item);
  void forgetTrials();
  void showAll();
  void finish(const protocol::TuneProgress &progress);
  void exportCsv();
  void forget();

  TrialModel trials_;
  TuningPanel *panel_;
  QDockWidget *dock_;
  DeviceList *devices_;
  RunController &run_;
  ScriptController &scripts_;
  ScheduleController &schedule_;
  TuneTiles *tiles_;
  TuneSearch *search_;
  TuneJournals *journals_;
  TextController &text_;
  GraphController &graph_;
  QString place_;            ///< of the selected dispatch; empty: none is selected
  int selectedSnapshot_ = 0; ///< of what is selected
  qint64 selected_ = -1;
  QJsonObject shown_;               ///< the subject whose space is shown, or asked for
  QJsonObject tuned_;               ///< the subject that the trials are of
  QMap<QString, QString> baseline_; ///< of the trials
  int item_ = -1;                   ///< whose trials are wanted; -1: those of the one at work
  int shownItem_ = 0;
  quint64 asked_ = 0; ///< for a space; 0: nothing is
  bool tuneWhenKnown_ = false;
  QTimer typing_;       ///< after the last change of the script
  QElapsedTimer moved_; ///< since the last move of a knob
  QTimer watching_;     ///< for that to be shown
  double lastMilliseconds_ = -1;
};

} // namespace fuselage
