// What is written to files: the graph, the report on the steps, reproducers; and the graph as a picture to paste.
#pragma once
#include "app/gui/shell/Controller.h"
#include "core/protocol/methods/GraphMethods.h"
#include "views/dialogs/ExportDialog.h"

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
  ExportDialog &dialog() { return *dialog_; }
  QAction *copyImageAction() const { return copyAction_; }

  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;

private:
  void exportGraph();
  void askPages(const ExportChoice &choice);
  void writeGraph(const ExportChoice &choice);
  protocol::Request<method::ExportGraph> requestOf(const ExportChoice &choice) const;
  void copyImage();
  void exportReport();
  void saveReproducer(int step);
  QString choosePath(const QString &title, const QString &ending, const QString &filters);
  template <class Method> void write(const protocol::Request<Method> &request, const QString &failure);

  StepsController &steps_;
  GraphController &graph_;
  FusionController &fusion_;
  ExportDialog *dialog_;
  QAction *graphAction_, *copyAction_, *reportAction_, *reproducerAction_;
};

} // namespace fuselage
