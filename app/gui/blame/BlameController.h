// Which rewrite made the program wrong: asked for a wrong run, a step that fails, or one that takes the engine down.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/steps/ShownPlace.h"
#include "views/messages/BlameTypes.h"

namespace fuselage {

class NavigationController;
class RewritesController;
class RunController;
class StepsController;

/// The search runs in the engine, and can be stopped by the command that began it. What it finds is selected, and a
/// banner says why.
class BlameController : public Controller {
  Q_OBJECT
public:
  BlameController(Shell &shell, NavigationController &navigation, StepsController &steps, RunController &run,
                  RewritesController &rewrites);

  QAction *findAction() const { return find_; }
  /// Begins, or stops what goes on.
  void toggle();

  void documentReset() override;
  void stepShown(const ShownStep &step) override { place_.stepShown(step); }
  void sessionChanged() override;
  void engineRecovered(int steps) override;
  bool isSettled() const override { return request_ == 0; }

private:
  void find(bool again);
  void stop();
  void offerAfterFailure(const protocol::Recording &recording);
  void present(const protocol::Blame &blame);
  void showWhereItDied(const protocol::Blame &blame);
  void setRunning(quint64 request);

  NavigationController &navigation_;
  StepsController &steps_;
  RunController &run_;
  RewritesController &rewrites_;
  QAction *find_;
  ShownPlace place_;    ///< where a step died that is not in the list
  quint64 request_ = 0; ///< 0: nothing is searched
};

} // namespace fuselage
