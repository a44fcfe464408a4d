// The one way to a place in the document, for whoever lists places (results, problems, notes), and the way back.
#pragma once
#include "app/gui/navigation/Spot.h"
#include "app/gui/navigation/SpotHistory.h"
#include "app/gui/shell/Controller.h"
#include <QElapsedTimer>

namespace fuselage {

class GraphController;
class StepsController;
class TextController;

/// A jump is remembered: goTo(), a click on another op or a line further away, another step, another view. Arrow keys
/// are no jumps, and steps or views that follow each other quickly are one.
class NavigationController : public Controller {
  Q_OBJECT
public:
  NavigationController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text);

  /// Selects the step, opens the boxes around the op, selects it everywhere. False: no row of the steps has the
  /// snapshot.
  bool goTo(const Spot &spot);
  /// The same, for a look: what goTo() is called for next is a jump from where the looking began.
  bool peekAt(const Spot &spot);
  /// Back to where it began, or not.
  void endPeeking(bool goesBack);
  /// To a place of the text on screen, and the op there.
  void goToText(TextPosition place);
  /// What is on screen.
  Spot current() const;
  void goBack();
  void goForward();

  void documentReset() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  void engineRecovered(int steps) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  bool isSettled() const override { return !wanted_; }

protected:
  /// Of the whole program: the mouse's back and forward buttons, and whether a key or the mouse was used last.
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  /// Goes on to the place that waited for its graph.
  void arriveInGraph();
  enum class Jump { None, Selection, Step, View };
  void addCommands();
  void followViews();
  /// `isExact`: caret and scroll bar as they were, too.
  bool go(const SeenSpot &place, bool isExact);
  void arrive(const SeenSpot &place, bool isExact);
  SeenSpot place() const;
  bool isMoving() const { return isGoing_ || wanted_; }
  void note();
  void moved(Jump jump);
  void lineMoved(int line);
  void opSelected(NodeId op);
  void updateCommands();

  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  QAction *back_, *forward_;
  SpotHistory history_;
  SeenSpot last_;        ///< where the user is, as far as it is known
  QElapsedTimer rested_; ///< since the last jump
  Jump lastJump_ = Jump::None;
  View view_ = View::Graph;
  struct Wanted {
    SeenSpot place;
    bool isExact;
  };
  std::optional<Wanted> wanted_; ///< as soon as its graph is there
  std::optional<SeenSpot> peekedFrom_;
  bool isGoing_ = false;
  bool isFollowing_ = false; ///< the selection is that of the step before
  bool lineIsNoted_ = false; ///< the op of the line is selected next, which is no other jump
  bool usedKey_ = false;
};

} // namespace fuselage
