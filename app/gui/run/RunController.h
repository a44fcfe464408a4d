// Kernels: the devices to run them on, what came out, and whether that still holds.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Draft.h"
#include "app/gui/shell/LazyPanel.h"
#include "views/common/SceneData.h"
#include "views/models/KernelModel.h"
#include <QTimer>

class QDockWidget;
class QMenu;

namespace fuselage {

class DeviceList;
class GraphController;
class ProblemsController;
class RunPanel;
class StepsController;
class TextController;

class RunController : public Controller {
  Q_OBJECT
public:
  RunController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                ProblemsController &problems);

  RunPanel &panel();
  /// Now, or once the panel is made.
  void tellPanel(const LazyPanel<RunPanel>::News &news);
  KernelModel &kernels() { return kernels_; }
  DeviceList &devices() { return *devices_; }
  /// Sizes of dynamic dimensions that the user gave: "arg0.1" -> 128.
  QMap<QString, qint64> dynamicSizes() const;
  /// The whole program that is shown has run.
  bool hasRun() const;
  /// The arguments of that run; while there is none, those that the panel would run with.
  RunRequest valueRequest() const;
  QAction *runAction() const { return run_; }
  void raise();
  /// Raises the panel with what came out, or with the roofline chart.
  void showResults();
  void showRoofline();
  void showTab(QWidget *tab);
  /// Runs on a device as soon as the document is there.
  void runOn(const QString &device);
  /// Runs these snapshots, one after the other, on the device of the panel.
  void measure(const QList<int> &snapshots);
  /// Records the default pipeline after what there is, and runs.
  void lowerAndRun();
  /// Tells a file from what it was before: results of another text are none of this one.
  static QString stampOf(const QString &path);
  QAction *lowerAction() const { return lower_; }
  QAction *devicesAction() const { return whatDevicesDo_; }
  /// Runs one dispatch on inputs of its own; `place`: where its root op comes from.
  void runDispatch(const QString &place);
  /// Where the root op of the dispatch comes from that is this box of the graph, or has this op; empty: none.
  QString dispatchPlace(qint64 id) const;

  void opened(const protocol::Document &document) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void engineRecovered(int steps) override;
  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  /// What was measured before the program ended.
  void restoreDraft(const QString &tab) override;
  bool isSettled() const override { return pendingRun_.isEmpty() && queue_.isEmpty(); }

signals:
  /// A run came to its end; `dispatch`: the one that it is of; empty: all.
  void ran(const fuselage::protocol::RunReport &report, int snapshot, const QString &dispatch);

private:
  void addCommands();
  void addPreferences();
  void connectPanel(RunPanel &panel);
  void followDock();
  void chooseParameters();
  void followDevices();
  void followSession(EngineSession &session);
  void start(const QString &dispatch = {}, int snapshot = -1);
  void runNext();
  void exportCsv();
  void exportRoofline();
  void writeExport(const QString &path, const QByteArray &text);
  void addToMenu(QMenu *menu, NodeId id);
  void startWhenListed();
  void recordingFinished(const protocol::Recording &recording);
  void runFinished(const protocol::RunReport &report);
  /// Shows the rows of a run that did not come to its end.
  std::optional<protocol::RunReport> partialReport() const;
  void keepFinished(const protocol::RunReport &report);
  void showKept(const protocol::RunReport &report, const QString &of);
  void keepDraft(const protocol::RunReport &report);
  void runFailed(const protocol::Error &error);
  void updateStale();
  void showWhere();
  void requestArguments();
  void showKernel(const protocol::Kernel &kernel);

  KernelModel kernels_;
  LazyPanel<RunPanel> panel_;
  QDockWidget *dock_;
  DeviceList *devices_;
  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  ProblemsController &problems_;
  QAction *run_ = nullptr, *heat_ = nullptr, *lower_ = nullptr, *whatDevicesDo_ = nullptr;
  protocol::RunReport last_;      ///< that came to its end
  RunRequest running_;            ///< that goes on
  std::optional<RunRequest> ran_; ///< the last that came to its end
  QString runningDispatch_;
  QString ranDispatch_; ///< the one that it is of; empty: all
  QString pendingRun_;
  int runningSnapshot_ = 0, ranSnapshot_ = 0, shown_ = 0; ///< that runs, that the results are of, on screen
  QString ranProgram_;         ///< EngineSession::programKey() of the results on screen; empty: there are none
  QString lastProgram_;        ///< of last_
  bool runWhenListed_ = false; ///< as soon as the devices are known
  QString dispatchWhenListed_; ///< empty: all
  int snapshotWhenListed_ = -1;
  QList<int> queue_;       ///< snapshots that run next
  QString runningProgram_; ///< as ranProgram_, of the run that goes on
  bool runWhenRecorded_ = false;
  bool hasArguments_ = false;
  bool died_ = false;   ///< since the engine was last well
  Draft draft_;         ///< of the results on screen
  QTimer partialTimer_; ///< rows of the run that goes on are kept when it fires
};

} // namespace fuselage
