// Any two steps, compared: in the diff, and in their two graphs.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Sides.h"

class QComboBox;
class QTimer;

namespace fuselage {

class GraphController;
class SideGraph;
class SidesBar;
class StepsController;
class TextController;

/// The right one is the step that is shown; the left one is what was before it, until the user pins another.
class SidesController : public Controller {
  Q_OBJECT
public:
  SidesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text);

  SidesBar &bar() { return *bar_; }
  /// The other graph; made when it is first shown.
  SideGraph *sideGraph() { return side_; }
  SidesBar *graphBar() { return graphBar_; }
  QAction *twoGraphs() const { return two_; }
  /// The snapshot that is compared with whatever is shown; -1: what was before the step.
  int pinned() const { return pinned_; }
  void pin(int snapshot);

  void documentReset() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void engineRecovered(int steps) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  bool isSettled() const override;

private:
  void addCommands();
  void listSteps();
  void select(int snapshot);
  void apply();
  void connectBar(SidesBar &bar);
  void showBoth(bool both);
  void compareGraphs();
  Sides sides() const;
  Sides ownSides() const;

  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  SidesBar *bar_, *graphBar_ = nullptr;
  SideGraph *side_ = nullptr;
  QTimer *listing_;
  QAction *compare_, *pin_, *two_;
  int pinned_ = -1, shown_ = -1;
  int pinnedBefore_ = -1; ///< when the second graph came
};

} // namespace fuselage
