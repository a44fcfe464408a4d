// The steps: their list, the selected one, and what a new recording makes of them.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Sides.h"
#include "views/models/StepModel.h"
#include <functional>

class QDockWidget;

namespace fuselage {

class StepsPanel;

/// Says for all which step is shown, and when rows, graph and text begin anew.
class StepsController : public Controller {
  Q_OBJECT
public:
  explicit StepsController(Shell &shell);

  StepsPanel &panel() { return *panel_; }
  StepModel &model() { return model_; }
  int currentRow() const;
  /// What next and previous step do first: move inside of a step. False: they go to another one.
  void setInnerWalk(std::function<bool(int by)> walk) { innerWalk_ = std::move(walk); }
  /// Selects a row: 0 is the input, i the snapshot after step i.
  void select(int row);
  /// Shows the step with this snapshot, also where a place that is no step is shown; without one, nothing happens.
  void goTo(int snapshot);
  /// "Step 3, Form dispatches", or "The input".
  QString nameOf(int snapshot) const;
  /// The last recording began while a place was shown that is no step.
  bool leftPlace() const { return leftPlace_; }
  /// What is on screen is no step: a position of a schedule, or a trial.
  bool showsPlace() const { return showsPlace_; }
  /// It led to the steps that were there before.
  bool recordedTheSame() const { return isSame_; }
  /// The step of the selected row; null: none.
  const protocol::Step *currentStep() const { return model_.stepAt(currentRow()); }
  /// Records in place of the steps there are; of a log, from what row `row` shows.
  void record(RecordRequest request, int row);
  /// Of a log: what is recorded or fused now begins at this row.
  void noteStart(int row);
  /// The session's steps, from snapshot 0 on other ones than before; selects a row.
  void showHistory(int row);
  /// Begins anew with what the session holds: rows, graph, text.
  void showDocument();
  /// Says where the steps are from.
  void showSource();
  /// "step 3, cse": where the last recording of a log began; empty: nowhere.
  const QString &startName() const { return startName_; }
  /// A document is recorded once its graph is on screen.
  bool awaitsGraph() const { return awaitsGraph_; }
  void graphShown(int snapshot) override;
  /// Ops that a step removed.
  void nameRemoved(Sides step, const QStringList &names);

  void opened(const protocol::Document &document) override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void engineRecovered(int steps) override;
  void restoreState(const Settings &settings) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  bool isSettled() const override { return !awaitsGraph_; }

signals:
  /// Steps are from a log, or recorded from one, or neither.
  void sourceChanged();
  /// The next or previous step is shown next, by its command.
  void walked();

private:
  void addCommands();
  void follow(EngineSession &session);
  void showStep(int row);
  void recordingFinished(const protocol::Recording &recording);
  void stopProgress();
  void requestTouched(const QString &op);
  void dropChip();
  QStringList stepTexts() const;

  StepModel model_;
  StepsPanel *panel_;
  QDockWidget *dock_;
  QAction *next_, *previous_, *hideUnchanged_, *filter_;
  std::function<bool(int by)> innerWalk_;
  QString startName_;
  bool awaitsGraph_ = false;
  bool showsPlace_ = false, leftPlace_ = false, isSame_ = false;
  QStringList before_; ///< the steps that a recording takes the place of
};

} // namespace fuselage
