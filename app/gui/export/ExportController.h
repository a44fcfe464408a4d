// What is written to files: the graph, the report on the steps, reproducers.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class FusionController;
class GraphController;
class StepsController;

class ExportController : public Controller {
  Q_OBJECT
public:
  ExportController(Shell &shell, StepsController &steps, GraphController &graph, FusionController &fusion);
  /// Of the step that ended the engine last.
  void saveCrashReproducer();

  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;

private:
  void exportGraph();
  void exportReport();
  void saveReproducer(int step);
  QString choosePath(const QString &title, const QString &ending, const QString &filters);
  void write(const QString &method, const QJsonObject &parameters, const QString &failure);

  StepsController &steps_;
  GraphController &graph_;
  FusionController &fusion_;
  QAction *graphAction_, *reportAction_, *reproducerAction_;
};

} // namespace fuselage
