// Runs a transform-dialect script on the shown step, and leads through it.
#pragma once
#include "app/gui/schedule/SchedulePlaces.h"
#include "app/gui/shell/Controller.h"
#include "views/models/ScheduleModel.h"

class QDockWidget;

namespace fuselage {

class SchedulePanel;
class ScriptController;

class ScheduleController : public Controller {
  Q_OBJECT
public:
  ScheduleController(Shell &shell, ScriptController &scripts, GraphController &graph, TextController &text);

  SchedulePanel &panel() { return *panel_; }
  ScheduleModel &steps() { return steps_; }
  HandleModel &handles() { return handles_; }
  void raise();
  /// Opens the script at `path` in the editor, and runs it on the shown step.
  void runScript(const QString &path);

  void opened(const protocol::Document &document) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;
  bool isSettled() const override { return asked_ == 0 && !awaitsPlace_; }

private:
  void chooseFile();
  void run();
  void show(const protocol::ScheduleTrace &trace);
  void forget(const QString &title, const QString &hint);
  void request(int row);
  void showPlace(const protocol::SchedulePosition &position);
  void finish();

  bool takePath();

  ScriptController &scripts_;
  ScheduleModel steps_;
  HandleModel handles_;
  SchedulePanel *panel_;
  QDockWidget *dock_;
  SchedulePlaces places_;
  bool awaitsPlace_ = false;
  quint64 asked_ = 0; ///< the request that the panel waits for; 0: none
};

} // namespace fuselage
