// The rewrites of the step that is shown, and the IR in the middle of it.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"
#include "app/gui/steps/ShownPlace.h"
#include "views/messages/RewriteTypes.h"

class QDockWidget;

namespace fuselage {

class RewritesPanel;
class StepsController;
class TextController;

/// Next and previous step go on from rewrite to rewrite while one is shown.
class RewritesController : public Controller {
  Q_OBJECT
public:
  RewritesController(Shell &shell, StepsController &steps, TextController &text);

  RewritesPanel &panel();
  /// Adds to the panel, now or once it is made.
  void extend(const std::function<void(RewritesPanel &panel)> &add) { panel_.tell(add); }
  /// Shows the panel, and the first rewrite of the step.
  void enterStep();
  /// Shows the panel with one of its tabs.
  void raise(int tab);
  /// Shows a rewrite of a step, as soon as they are listed.
  void goTo(int step, int rewrite);
  /// The step whose rewrites are listed; -1: the input is selected.
  int step() const { return step_; }
  /// Its snapshots.
  int before() const { return before_; }
  int after() const { return after_; }
  /// The rewrite on screen; -1: none.
  int shown() const { return place_.isShown() ? shown_ : -1; }

  void documentReset() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void engineDied(const CrashReport &report) override;
  void engineRecovered(int steps) override;
  bool isSettled() const override { return !isListing_ && !isShowing_; }

private:
  void request();
  void showNothing();
  void present(const protocol::StepRewrites &rewrites);
  void show(int rewrite);
  void enter();
  void requestAttempts();
  bool walk(int by);
  void forget();
  void failed(const QString &what, const protocol::Error &error);

  StepsController &steps_;
  TextController &text_;
  LazyPanel<RewritesPanel> panel_;
  QDockWidget *dock_;
  ShownPlace place_;
  int step_ = -1;                              ///< of the list; -1: the input
  int before_ = -1, after_ = -1;               ///< its snapshots
  int listed_ = -2;                            ///< the step that the panel lists; -2: none
  int shown_ = -1;                             ///< the rewrite whose place is shown
  bool isListing_ = false, isShowing_ = false; ///< requests under way
  bool entersStep_ = false;                    ///< once its rewrites are listed
  int entersAt_ = -1;                          ///< then with this one; -1: the first
  /// Step and rewrite that were shown when the engine died.
  std::optional<std::pair<int, int>> returnsTo_{};
};

} // namespace fuselage
