// What the engine writes to stderr.
#pragma once
#include "app/gui/shell/Controller.h"

class QDockWidget;

namespace fuselage {

class LogPanel;

class LogController : public Controller {
  Q_OBJECT
public:
  explicit LogController(Shell &shell);
  void raise();
  void engineDied(const CrashReport &report) override;

private:
  LogPanel *panel_;
  QDockWidget *dock_;
};

} // namespace fuselage
