// Before and after: the card that every fusion, recorded pipeline and recorded schedule ends with.
#pragma once
#include "app/gui/outcome/Outcome.h"
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"

class QDockWidget;

namespace fuselage {

class BaselinesController;
class FusionController;
class GraphController;
class OutcomePanel;
class RunController;
class StepsController;
class TextController;

class OutcomeController : public Controller {
  Q_OBJECT
public:
  OutcomeController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                    RunController &run, FusionController &fusion, BaselinesController &baselines);

  OutcomePanel &panel();
  QDockWidget *dock() const { return dock_; }
  /// None: nothing was fused or recorded yet.
  const std::optional<Outcome> &outcome() const { return outcome_; }
  QAction *measureAction() const { return measure_; }
  QAction *showAction() const { return show_; }

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void sessionChanged() override;
  void engineRecovered(int steps) override;
  bool isSettled() const override { return asked_ == 0; }

private:
  void addCommands();
  void fused(const protocol::FuseResult &result);
  void recorded(const protocol::Recording &recording);
  void begin(const QList<protocol::Step> &steps, int first);
  void makeWayForDetails(GraphController &graph, TextController &text);
  void close();
  void measureBoth();
  void requestCosts();
  void requestCost(bool isAfter);
  void takeRuns();
  void refresh();
  bool isThere(const OutcomeSide &side) const;
  QString device() const;

  LazyPanel<OutcomePanel> panel_;
  QDockWidget *dock_;
  StepsController &steps_;
  RunController &run_;
  FusionController &fusion_;
  BaselinesController &baselines_;
  QAction *show_, *measure_, *compare_, *lower_, *parts_;
  std::optional<Outcome> outcome_;
  protocol::FuseResult result_;        ///< of the fusion that the card is of
  std::optional<QString> askedDevice_; ///< that costs were last asked for; none: they were not
  int number_ = 0;                     ///< of the card: replies to an older one are void
  bool awaitsDetails_ = false;         ///< of what was selected while the card stood before them
  int asked_ = 0;                      ///< requests under way
};

} // namespace fuselage
