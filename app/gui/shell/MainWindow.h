// The window: puts views, panels and engine together.
#pragma once
#include "app/bridge/EngineSession.h"
#include "app/gui/reasons/ReasonHelp.h"
#include "app/gui/shell/Menus.h"
#include "views/models/BufferModel.h"
#include "views/models/DetailsModel.h"
#include "views/models/FusionModel.h"
#include "views/models/KernelModel.h"
#include "views/models/ProblemsModel.h"
#include "views/models/StepModel.h"
#include <QMainWindow>

class QDockWidget;
class QLabel;
class QProgressBar;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace fuselage {

class Banner;
class BuffersController;
class BuffersPanel;
class DetailsPanel;
class DiffView;
class FusionController;
class FusionPanel;
class GraphController;
class OpenProgress;
class GraphView;
class HelpDialog;
class LogPanel;
class PipelinePanel;
class ProblemsPanel;
class ReasonPanel;
class RunPanel;
class SearchBar;
class SearchController;
class Settings;
class StepsPanel;
class TextController;
class TextView;
class TileController;
class TileExplorerPanel;
class Welcome;

/// Session and settings outlive the window. Everything that takes time happens in the engine; this
/// class only reacts.
class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  enum View { GraphTab, TextTab, DiffTab };

  MainWindow(EngineSession &session, Settings &settings, QWidget *parent = nullptr);
  ~MainWindow() override;

  void openFile(const QString &path);
  void showView(View view);
  /// Selects a row of the steps: 0 is the input, i the snapshot after step i.
  void selectStep(int row);
  /// Runs on a device as soon as the document is there.
  void runOn(const QString &device);
  /// Nothing is under way: document, recording, scene and text are on screen.
  bool isSettled() const;
  void showRunPanel();
  /// The Run panel, with what came out.
  void showResults();
  /// The missed fusions, with the dearest selected.
  void showFusionPanel();
  void showBuffersPanel();
  /// Raises the tile explorer, for the first op whose label has this in it; empty: for what is selected.
  void showTiles(const QString &label = {});
  /// Selects the first op whose label has this in it; empty: none.
  void selectOp(const QString &label);

  GraphView &graph() { return *graph_; }
  TextView &text() { return *text_; }
  DiffView &diff() { return *diff_; }
  StepsPanel &steps() { return *stepsPanel_; }
  Banner &banner() { return *banner_; }
  RunPanel &runPanel() { return *runPanel_; }
  TileExplorerPanel &tileExplorer() { return *tilePanel_; }
  TileController &tileController() { return *tileController_; }
  SearchBar &searchBar() { return *searchBar_; }
  BuffersPanel &buffersPanel() { return *buffersPanel_; }
  ReasonPanel &copyReasonPanel() { return copyReasons_->panel(); }
  FusionPanel &fusionPanel() { return *fusionPanel_; }
  FusionModel &fusions() { return fusions_; }
  ReasonPanel &reasonPanel() { return reasons_->panel(); }
  PipelinePanel &pipelinePanel() { return *pipelinePanel_; }
  const WindowActions &actions() const { return *actions_; }
  StepModel &stepModel() { return stepModel_; }
  BufferModel &buffers() { return buffers_; }
  ProblemsModel &problems() { return problems_; }
  DetailsModel &details() { return details_; }
  KernelModel &kernels() { return kernels_; }

signals:
  /// A scene has just been handed to the graph view.
  void graphShown();

protected:
  void closeEvent(QCloseEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;
  void dropEvent(QDropEvent *event) override;
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  void buildCentre();
  void buildDocks();
  QDockWidget *addDock(Qt::DockWidgetArea area, const QString &name, const QString &title, QWidget *content,
                       const QString &shortcut);
  void buildStatusBar();
  void connectActions();
  void connectViews();
  void connectSession();
  void restoreSettings();

  // MainWindowFusion.cpp
  void buildFusion();
  void buildBuffers();
  void explainCopy(const QString &code);
  void connectFusion();
  void updateFusionState();
  void showEdgeMenu(const QPoint &position);
  void showFuseProgress(const protocol::FuseProgress &progress);
  void fusionDone(const protocol::FuseResult &result);
  void showHistory(int row);
  void explainReason(const QString &code);
  void saveFusion();
  void applyTransform(const QString &name);
  /// Of a log: what is recorded or fused now begins at this row.
  void noteStart(int row);

  void chooseFile();
  void chooseDirectory();
  void exportGraph();
  void exportReport();
  void saveReproducer(int step);
  void saveCrashReproducer();
  void chooseSchedule();
  void chooseEngine();
  void fillRecentMenu();
  void showHelp(HelpDialog::Page page);
  void showAbout();
  void applyTheme(const QString &theme);
  void showNodeMenu(qint64 id, const QPoint &position);

  void documentOpened(const protocol::Document &document);
  void showDocument();
  void showStepSource();
  void listStepProblems(const QList<protocol::Step> &steps);
  void graphFailed(const protocol::Error &error);
  void readSnapshot();
  /// Records; of a log, from what row `row` of the steps shows.
  void record(RecordRequest request, int row);
  void openFailed(const QString &path, const protocol::Error &error);
  void recordingFinished(const protocol::Recording &recording);
  void tellCut(const QList<protocol::Diagnostic> &notes);
  void engineCrashed(const CrashReport &report);
  void engineRecovered(int steps);
  void startRun();
  void runFinished(const protocol::RunReport &report);
  /// Results of another program than the present one are out of date.
  void updateStale();
  void runFailed(const protocol::Error &error);
  void requestCatalog();
  void requestDevices();
  /// What the function of the Run panel takes, once somebody can see it.
  void requestArguments();
  void stepSelected(int row);
  void goToPlace(const QString &file, int line);
  void tell(const QString &message);
  void reportError(const QString &source, const QString &what, const protocol::Error &error, int step = -1);
  void updateState();
  void updateProblems();
  void raise(QDockWidget *dock);
  void goToDock(QDockWidget *dock);
  QWidget *currentView() const;
  void showCentre();

  EngineSession &session_;
  Settings &settings_;
  WindowActions *actions_;
  StepModel stepModel_;
  DetailsModel details_;
  ProblemsModel problems_;
  KernelModel kernels_;
  FusionModel fusions_;
  BufferModel buffers_;

  QTabBar *tabs_ = nullptr;
  QStackedWidget *stack_ = nullptr;
  QSplitter *split_ = nullptr;
  GraphView *graph_ = nullptr;
  TextView *text_ = nullptr;
  DiffView *diff_ = nullptr;
  Welcome *welcome_ = nullptr;
  Banner *banner_ = nullptr;
  SearchBar *searchBar_ = nullptr;
  StepsPanel *stepsPanel_ = nullptr;
  DetailsPanel *detailsPanel_ = nullptr;
  ProblemsPanel *problemsPanel_ = nullptr;
  RunPanel *runPanel_ = nullptr;
  PipelinePanel *pipelinePanel_ = nullptr;
  LogPanel *logPanel_ = nullptr;
  FusionPanel *fusionPanel_ = nullptr;
  BuffersPanel *buffersPanel_ = nullptr;
  ReasonHelp *reasons_ = nullptr, *copyReasons_ = nullptr;
  QDockWidget *buffersDock_ = nullptr, *copyReasonDock_ = nullptr;
  BuffersController *buffersController_ = nullptr;
  TileExplorerPanel *tilePanel_ = nullptr;
  HelpDialog *help_ = nullptr;
  QDockWidget *stepsDock_ = nullptr, *detailsDock_ = nullptr, *problemsDock_ = nullptr, *runDock_ = nullptr,
              *pipelineDock_ = nullptr, *logDock_ = nullptr, *fusionDock_ = nullptr, *reasonDock_ = nullptr,
              *tileDock_ = nullptr;
  OpenProgress *openProgress_ = nullptr;
  GraphController *graphController_ = nullptr;
  TextController *textController_ = nullptr;
  SearchController *searchController_ = nullptr;
  FusionController *fusion_ = nullptr;
  TileController *tileController_ = nullptr;

  QLabel *documentLabel_ = nullptr;
  QLabel *selectionLabel_ = nullptr;
  QLabel *engineLabel_ = nullptr;
  QToolButton *problemsButton_ = nullptr, *fusionButton_ = nullptr;
  QProgressBar *progress_ = nullptr;
  QToolButton *cancelButton_ = nullptr;

  protocol::Catalog catalog_;
  QString startName_; ///< of a log: the step that the last recording began at
  QString crashText_;
  QString cutText_; ///< of the banner that says why the default pipeline was cut
  QString pendingRun_;
  QString ranProgram_; ///< EngineSession::programKey() of the results on screen; empty: there are none
  bool runWhenListed_ = false; ///< as soon as the devices are known
  bool recordWhenShown_ = false;
  bool hasCatalog_ = false;
  bool hasDevices_ = false, hasArguments_ = false;
};

} // namespace fuselage
