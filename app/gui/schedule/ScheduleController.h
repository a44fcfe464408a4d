// Runs a transform-dialect script on the shown step, and leads through it.
#pragma once
#include "app/gui/schedule/SchedulePlaces.h"
#include "app/gui/shell/Controller.h"
#include "views/models/ScheduleModel.h"
#include <optional>

class QDockWidget;

namespace fuselage {

class SchedulePanel;
class ScriptController;
class StepsController;

class ScheduleController : public Controller {
  Q_OBJECT
public:
  ScheduleController(Shell &shell, ScriptController &scripts, StepsController &steps, GraphController &graph,
                     TextController &text);

  SchedulePanel &panel() { return *panel_; }
  ScheduleModel &steps() { return steps_; }
  HandleModel &handles() { return handles_; }
  void raise();
  /// Opens the script at `path` in the editor, and runs it on the shown step.
  void runScript(const QString &path);
  /// Runs what the editor holds, and stands at its end, or where it fails.
  void runEditor();
  /// Runs it with these values of its knobs, and stands at its end; while it runs, as soon as it has, with the last
  /// ones that were wanted.
  void runWithKnobs(const QMap<QString, QString> &knobs);
  /// What schedules run on.
  int startSnapshot() const { return places_.place().stepSnapshot(); }

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;
  bool isSettled() const override { return asked_ == 0 && !awaitsPlace_ && !waiting_; }

  /// Records the script as steps of the list; asks where to save it first, if it has no file.
  void recordAsSteps();

signals:
  /// A schedule has run, or is forgotten.
  void traced(bool isThere);
  /// The script at `path` is to be recorded.
  void recordRequested(const QString &path);

private:
  /// Where to stand when the script has run.
  struct Stop {
    enum class At { Failure, Breakpoint, Line } at = At::Failure;
    int line = 0;
  };
  void connectEditor();
  void showWhere();
  void chooseFile();
  void cancel();
  void run(const Stop &stop, const QMap<QString, QString> &knobs = {});
  void show(const protocol::ScheduleTrace &trace);
  void forget(const QString &title, const QString &hint);
  void request(int row);
  void showPlace(const protocol::SchedulePosition &position);
  /// Runs first, where the script is another one than the trace is of.
  void continueTo(bool back);
  void runToLine(int line);
  void goToStop(const Stop &stop);
  QList<int> tracedBreakpoints() const;
  bool hasTrace() const;
  void showForms(const protocol::ScheduleTrace &trace);
  void markStep(int row);
  void markCrash(const CrashReport &report);
  void markFailures(const protocol::ScheduleTrace &trace);
  void finish();

  bool takePath();

  ScriptController &scripts_;
  StepsController &list_;
  ScheduleModel steps_;
  int tracedSnapshot_ = 0; ///< that it ran on
  QString tracedName_;
  bool isOver_ = false; ///< the steps are others since
  HandleModel handles_;
  SchedulePanel *panel_;
  QDockWidget *dock_;
  SchedulePlaces places_;
  bool awaitsPlace_ = false;
  Stop stop_;
  QString tracedPath_;                            ///< what the steps of the script call their file
  std::optional<QString> tracedText_;             ///< the editor's when it ran; none: it ran from its file
  bool endedEngine_ = false;                      ///< the script took the engine with it, most likely
  std::optional<QMap<QString, QString>> waiting_; ///< knobs to run with next
  quint64 asked_ = 0;                             ///< the request that the panel waits for; 0: none
};

} // namespace fuselage
