// Results of kernel bundles that ran on other machines, attached to the dispatches of the document.
#pragma once
#include "app/gui/bundles/BundleResultsModel.h"
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"

class QDockWidget;

namespace fuselage {

class BundleResultsPanel;
class GraphController;
class RunController;
class TextController;

class BundleResultsController : public Controller {
  Q_OBJECT
public:
  BundleResultsController(Shell &shell, GraphController &graph, TextController &text, RunController &run);

  BundleResultsPanel &panel();
  BundleResultsModel &model() { return model_; }
  void raise();
  /// Opens a file of results, beside those that are open; a file that is open already is read again.
  void openResults(const QString &path);

  void opened(const protocol::Document &document) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineRecovered(int steps) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  /// JSON is results, as long as there is a module for them.
  bool takeFile(const QString &path) override;

private:
  void chooseFiles();
  void request(const QString &path);
  void requestAll();
  void take(const QString &path, const protocol::PlacedResults &content);
  void refuse(const QString &path, const protocol::Error &error);
  void close(int file);
  void setFiles(const QList<ResultsFile> &files);
  void tint();
  void select(int row);

  BundleResultsModel model_;
  LazyPanel<BundleResultsPanel> panel_;
  QDockWidget *dock_;
  GraphController &graph_;
  TextController &text_;
  RunController &run_;
  QAction *open_;
  int snapshot_ = 0; ///< on screen, which ops of rows are of
};

} // namespace fuselage
