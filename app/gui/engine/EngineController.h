// The engine's process: what it is at, how it is stopped and started, and the news of its end.
#pragma once
#include "app/gui/shell/Controller.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace fuselage {

class ExportController;
class GraphController;
class LogController;
class OpenProgress;
class PluginsController;

class EngineController : public Controller {
  Q_OBJECT
public:
  EngineController(Shell &shell, GraphController &graph, LogController &log, ExportController &exports,
                   PluginsController &plugins);

  /// Stops what goes on.
  QAction *cancelAction() const { return cancel_; }

  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void engineRecovered(int steps) override;

private:
  void addCommands();
  void buildStatus();
  void followProgress(EngineSession &session);
  void showBusy();
  void chooseCommand();
  void useCommand(const QString &command);
  void gaveUp(const QString &reason);
  QString textOf(const CrashReport &report) const;
  void offerToDisable(const QString &plugin);
  /// The engine works again: what it died of is no news any more.
  void forgetCrash();
  void hideBanner(const QString &text);

  OpenProgress *opening_;
  LogController &log_;
  ExportController &exports_;
  PluginsController &plugins_;
  QLabel *label_;
  QProgressBar *progress_;
  QToolButton *cancelButton_;
  QAction *cancel_;
  GraphController &graph_;
  int crashSnapshot_ = -1; ///< that was on screen when it was back
  QString bannerText_;     ///< of the banner about it
  QString gaveUpText_;     ///< of the one that says that there is no engine
  QString crash_;          ///< what the engine died of, until it is back
  QString crashPlugin_;    ///< the file of the plugin that it died in; empty: in none
};

} // namespace fuselage
