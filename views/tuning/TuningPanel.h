// Knobs of a schedule or of a dispatch, and a search for values with which it is fast.
#pragma once
#include "views/messages/RunTypes.h"
#include "views/models/trials/TrialModel.h"
#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QTableView;
class QToolButton;

namespace fuselage {

class KnobList;
class RooflineView;
class TileCanvas;
class TrialViews;
class TuneItemModel;

class TuningPanel : public QWidget {
  Q_OBJECT
public:
  enum class Subject { Schedule, Dispatch, All };
  enum class State { Idle, Starting, Running, Paused };

  explicit TuningPanel(TrialModel *model, QWidget *parent = nullptr);

  Subject subject() const;
  void setSubject(Subject subject);
  /// What the first two are called; empty: there is none.
  void setSubjects(const QString &schedule, const QString &dispatch);
  void setDevices(const QList<protocol::Device> &devices);
  QString device() const;
  /// Also of one that is not listed yet.
  void setDevice(const QString &id);
  /// As tune/start takes it.
  int budget() const;
  bool isBudgetTime() const;
  void setBudget(int budget, bool isTime);
  /// The budget is of each dispatch, where all are tuned; false: they share it.
  bool isBudgetOfEach() const { return subject() == Subject::All && wantsBudgetOfEach(); }
  bool wantsBudgetOfEach() const;
  void setBudgetOfEach(bool isOfEach);
  QString strategy() const;
  void setStrategy(const QString &strategy);
  QString objective() const;
  void setObjective(const QString &objective);
  /// Whether the schedule's places follow the knobs.
  bool follows() const;
  void setFollows(bool follows);

  void setState(State state);
  State state() const { return state_; }
  bool isIdle() const { return state_ == State::Idle; }
  bool hasTrials() const { return model_->rowCount() > 0; }
  void setRunnable(bool can);
  /// Where a search stands; seconds, unknown where negative.
  void setProgress(const std::optional<protocol::TuneBegin> &begin, double elapsed, double remaining);
  /// What is searched, with what came of it so far; `running`: the item at work, -1: none. Without
  /// peaks there is no roofline.
  void setPlan(const protocol::TunePlan &plan, int running, const std::optional<protocol::DevicePeaks> &peaks);
  const protocol::TunePlan &plan() const;
  /// Turns to how the search goes: the table of dispatches for all of them, else the best so far.
  void showSearch();
  void setMessage(const QString &text, bool isError);
  QString message() const;

  KnobList &knobs() { return *knobs_; }
  TrialViews &trials() { return *trials_; }
  TileCanvas &tile() { return *tile_; }
  RooflineView &roofline() { return *roofline_; }
  QTableView *items() const { return items_; }
  QPushButton *tuneButton() const { return tune_; }
  QPushButton *pauseButton() const { return pause_; }
  QPushButton *cancelButton() const { return cancel_; }
  QToolButton *csvButton() const { return csv_; }
  QLabel *progressText() const { return progressText_; }

signals:
  /// Subject or device are others.
  void subjectChanged();
  void tuneRequested();
  void pauseRequested(bool pauses);
  void cancelRequested();
  /// A file is to be chosen; or that of the window itself.
  void journalRequested();
  void ownJournalRequested();
  void csvRequested();
  void bestRequested();
  void followChanged(bool follows);
  /// The trials of an item of the plan are to be shown.
  void itemChosen(int item);

private:
  void updateButtons();
  void addPictures();

  TrialModel *model_;
  QComboBox *subject_, *device_, *budgetKind_, *budgetOf_, *strategy_, *objective_;
  QSpinBox *budget_;
  QPushButton *tune_, *pause_, *cancel_, *best_;
  QToolButton *follow_, *journal_, *csv_;
  QProgressBar *progress_;
  QLabel *progressText_, *message_;
  KnobList *knobs_;
  TrialViews *trials_;
  TileCanvas *tile_;
  RooflineView *roofline_;
  TuneItemModel *plan_;
  QSortFilterProxyModel *sortedItems_;
  QTableView *items_;
  QList<int> rooflineRows_; ///< items of the plan
  State state_ = State::Idle;
  bool canRun_ = false;
};

} // namespace fuselage
