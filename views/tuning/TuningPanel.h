// Knobs of a schedule or of a dispatch, and a search for values with which it is fast.
#pragma once
#include "views/messages/RunTypes.h"
#include "views/models/TrialModel.h"
#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace fuselage {

class KnobList;
class TrialViews;

class TuningPanel : public QWidget {
  Q_OBJECT
public:
  enum class Subject { Schedule, Dispatch };
  enum class State { Idle, Starting, Running, Paused };

  explicit TuningPanel(TrialModel *model, QWidget *parent = nullptr);

  Subject subject() const;
  void setSubject(Subject subject);
  /// What the two are called; empty: there is none.
  void setSubjects(const QString &schedule, const QString &dispatch);
  void setDevices(const QList<protocol::Device> &devices);
  QString device() const;
  /// Also of one that is not listed yet.
  void setDevice(const QString &id);
  /// As tune/start takes it.
  int budget() const;
  bool isBudgetTime() const;
  void setBudget(int budget, bool isTime);
  QString strategy() const;
  void setStrategy(const QString &strategy);
  QString objective() const;
  void setObjective(const QString &objective);
  /// Whether the schedule's places follow the knobs.
  bool follows() const;
  void setFollows(bool follows);

  void setState(State state);
  State state() const { return state_; }
  void setRunnable(bool can);
  /// Where a search stands; seconds, unknown where negative.
  void setProgress(const std::optional<protocol::TuneBegin> &begin, double elapsed,
                   double remaining);
  void setMessage(const QString &text, bool isError);
  QString message() const;

  KnobList &knobs() { return *knobs_; }
  TrialViews &trials() { return *trials_; }
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
  void journalRequested();
  void csvRequested();
  void bestRequested();
  void followChanged(bool follows);

private:
  void updateButtons();

  TrialModel *model_;
  QComboBox *subject_, *device_, *budgetKind_, *strategy_, *objective_;
  QSpinBox *budget_;
  QPushButton *tune_, *pause_, *cancel_, *best_;
  QToolButton *follow_, *journal_, *csv_;
  QProgressBar *progress_;
  QLabel *progressText_, *message_;
  KnobList *knobs_;
  TrialViews *trials_;
  State state_ = State::Idle;
  bool canRun_ = false;
};

} // namespace fuselage
