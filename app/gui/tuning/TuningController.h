// Tunes what a schedule leaves open, or what the pipeline chooses for a dispatch, and shows what
// comes of it.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"
#include "views/models/trials/TrialModel.h"
#include <QTimer>

class QDockWidget;

namespace fuselage {

class DeviceList;
class GraphController;
class RunController;
class ScheduleController;
class ScriptController;
class TextController;
class TileController;
class TuneKnobs;
class TuneTrials;
class TuningPanel;
struct TunedViews;

class TuningController : public Controller {
  Q_OBJECT
public:
  TuningController(Shell &shell, GraphController &graph, TextController &text, RunController &run,
                   ScriptController &scripts, ScheduleController &schedule, TileController &tiles);

  TuningPanel &panel();
  TrialModel &trials() { return model_; }
  /// Raises the panel, with room for plots.
  void raise();
  /// How long it took from the last move of a knob until space, tile and, where they
  /// follow, graph and text showed it, in milliseconds; -1: it is not shown yet.
  double lastMilliseconds() const;
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
  void restoreDraft(const QString &tab) override;
  bool isSettled() const override;

private:
  static void restore(TuningPanel &panel, const Settings &settings);
  void connectPanel(TuningPanel &panel, const TunedViews &views);
  /// Asks for the space where it is another one than the panel shows.
  void refresh();
  void start();

  TrialModel model_;
  LazyPanel<TuningPanel> panel_;
  QDockWidget *dock_;
  DeviceList *devices_;
  TuneKnobs *knobs_ = nullptr; ///< both are made with the panel
  TuneTrials *trials_ = nullptr;
  bool tuneWhenKnown_ = false;
  QTimer typing_; ///< after the last change of the script
};

} // namespace fuselage
