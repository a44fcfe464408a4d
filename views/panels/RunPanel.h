// Device, repeats, seed and inputs; Run; what ran, how long it took, and what came out.
#pragma once
#include "views/messages/Requests.h"
#include "views/models/InputModel.h"
#include "views/models/KernelModel.h"
#include <QTimer>
#include <QWidget>
#include <optional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTabWidget;
class QTableView;
class QToolButton;
class QSortFilterProxyModel;

namespace fuselage {

class BarChart;
class EmptyHint;
class RooflineView;
class RunResults;
class RunTimeline;

class RunPanel : public QWidget {
  Q_OBJECT
public:
  explicit RunPanel(KernelModel *model, QWidget *parent = nullptr);

  /// Keeps the chosen device where it still exists; without a choice, the first that is no host.
  void setDevices(const QList<protocol::Device> &devices);
  /// Also of a device that is not listed yet.
  void setDevice(const QString &id);
  QString device() const;
  /// Chosen if it is listed and the user chose none.
  void preferDevice(const QString &id) { preferredDevice_ = id; }
  int repeat() const;
  int seed() const;
  void setSeed(int seed);
  void setRepeat(int repeat);
  /// Files that the weights come from; none: they are random.
  void setParameters(const QStringList &files);
  /// Functions to run; hidden while there is only one.
  void setFunctions(const QStringList &functions);
  RunRequest request() const;
  QString function() const;
  /// What a run would ask values for.
  void setArguments(const QList<protocol::RunInput> &arguments) { inputs_.setInputs(arguments); }
  /// Shows a field for each dynamic size that the engine asked for, e.g. "arg0.1".
  void requestSizes(const QStringList &names);
  /// Shows the sizes that the engine chose. One that stays as it is goes on being the engine's choice.
  void offerSizes(const QMap<QString, int> &sizes);
  /// All that are shown, whoever chose them.
  QMap<QString, qint64> sizes() const;
  /// Shows sizes that were given before.
  void setSizes(const QMap<QString, qint64> &sizes);
  void setRunning(bool running, bool canRun);
  /// A run begins; what is on screen stays until the first row of it has come.
  void begin();
  /// Shows how far a run is, and rows that have finished.
  void setProgress(const protocol::RunProgress &progress);
  /// The rows that have come since begin(), as a report that was cancelled after them; nothing: none have.
  std::optional<protocol::RunReport> partialReport() const;
  /// `of`: what ran, such as "Step 2, Fuse All"; empty: nobody says.
  void setReport(const protocol::RunReport &report, const QString &of = {});
  /// A run to compare with, and what it was: "vulkan:0"; without kernels there is none.
  void setBefore(const protocol::RunReport &report, const QString &name);
  /// How the two runs compare, in a sentence; empty: there is one only.
  QString comparison() const { return comparison_; }
  /// All rows of the run on screen, and of the one before, as CSV; empty: nothing has run.
  QByteArray csv() const;
  QToolButton *csvButton() const { return csv_; }
  /// The program is another one by now, or again the one that ran: results of another are grey, and say so.
  void setStale(bool stale);
  /// Nobody chose a device, and which there are is not known yet.
  bool needsDevices() const { return !hasDevices_ && !isChosen_; }
  void setMessage(const QString &message, bool isError);
  void clear();
  void setHeat(bool heat);
  bool heat() const;
  QPushButton *runButton() const { return run_; }
  QTableView *table() const { return table_; }
  QCheckBox *eachBox() const { return each_; }
  RunTimeline &timeline() { return *timeline_; }
  /// What the table says while it has no rows.
  const EmptyHint &hint() const { return *hint_; }
  QPushButton *cancelButton() const { return cancel_; }
  RunResults &results() { return *results_; }
  void showResults();
  /// What others show beside the results.
  void addTab(QWidget *tab, const QString &title);
  void showTab(QWidget *tab);
  RooflineView &roofline() { return *roofline_; }
  void showRoofline();
  /// Whether peaks and baselines are measured beside, and what timed launches find in the caches.
  bool hasBaselines() const;
  void setBaselines(bool measures);
  bool coldCaches() const;
  void setColdCaches(bool cold);
  InputModel &inputs() { return inputs_; }
  QString message() const;
  /// Shown under the results of a run that are wrong.
  QPushButton *blameButton() const { return blame_; }

signals:
  void runRequested();
  void cancelRequested();
  void refreshRequested();
  void heatToggled(bool heat);
  void kernelSelected(const fuselage::protocol::Kernel &kernel);
  void functionChanged();
  void parametersRequested();
  void csvRequested();
  void rooflineRequested();
  /// Dynamic sizes are others.
  void sizesChanged();

private:
  void selectRow(int row);
  bool addSizes(const QStringList &names);
  bool isOnRoofline(int row) const;
  void showBaselines(const protocol::RunReport &report);
  void showGroups();
  void showRows();
  void showLeft();
  void setHint(bool isRunning);

  KernelModel *model_;
  QSortFilterProxyModel *sorted_;
  QComboBox *device_;
  QComboBox *function_;
  QLabel *functionLabel_;
  QSpinBox *repeat_;
  QSpinBox *seed_;
  QWidget *sizesRow_;
  QHBoxLayout *sizesLayout_;
  QMap<QString, QSpinBox *> sizes_;
  void compare();

  QPushButton *makeBlameButton();

  QToolButton *csv_;
  QPushButton *blame_;
  QCheckBox *each_;
  QLabel *comparisonLabel_;
  protocol::RunReport report_, before_;
  protocol::RunReport partial_; ///< of the run that goes on
  protocol::RunProgress at_;    ///< what was said of it last
  QTimer rowsTimer_;            ///< active while rows have come that are not shown
  QString beforeName_, comparison_, preferredDevice_;
  QMap<QString, int> chosenSizes_; ///< by the engine, as of the last run
  QPushButton *run_;
  QPushButton *cancel_;
  QToolButton *heat_, *baselines_;
  QComboBox *caches_;
  QToolButton *weights_;
  QAction *randomWeights_;
  QStringList parameters_;
  QProgressBar *progress_;
  QLabel *message_;
  QTableView *table_;
  EmptyHint *hint_;
  RunTimeline *timeline_;
  QTabWidget *tabs_;
  BarChart *chart_;
  RooflineView *roofline_;
  RunResults *results_;
  InputModel inputs_;
  QString wantedDevice_;
  QString outcome_;         ///< of the last run
  bool isFailure_ = false;  ///< what it says is bad news
  bool hasDevices_ = false; ///< they are listed
  bool isChosen_ = false;   ///< the user has picked a device
};

} // namespace fuselage
