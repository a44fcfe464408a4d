// A trace beside the recording: opened from the menu, or dropped on the window.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"

class QDockWidget;

namespace fuselage {

class StepsController;
class TracePanel;

class TraceController : public Controller {
  Q_OBJECT
public:
  TraceController(Shell &shell, StepsController &steps);

  TracePanel &panel();
  void raise();
  void openTrace(const QString &path);

  void engineRecovered(int steps) override;
  /// JSON with events of a trace at its beginning.
  bool takeFile(const QString &path) override;

private:
  void chooseFile();
  void requestPieces(double begin, double end, int columns);
  void showStep(int step);

  LazyPanel<TracePanel> panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  QString path_; ///< of the trace that is shown; empty: none is
};

} // namespace fuselage
