// Any two steps, compared: in the diff, and on the graph of the one on the right.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Sides.h"

class QTimer;

namespace fuselage {

class GraphController;
class SidesBar;
class StepsController;
class TextController;

/// The right one is the step that is shown; the left one is what was before it, until the user pins another.
class SidesController : public Controller {
  Q_OBJECT
public:
  SidesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text);

  SidesBar &bar() { return *bar_; }
  /// The snapshot that is compared with whatever is shown; -1: what was before the step.
  int pinned() const { return pinned_; }
  void pin(int snapshot);

  void documentReset() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;

private:
  void addCommands();
  void listSteps();
  void select(int snapshot);
  void apply();
  Sides ownSides() const;

  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  SidesBar *bar_;
  QTimer *listing_;
  QAction *compare_, *pin_;
  int pinned_ = -1, shown_ = -1;
};

} // namespace fuselage
