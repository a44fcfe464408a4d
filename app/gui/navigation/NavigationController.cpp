#include "app/gui/navigation/NavigationController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/text/TextView.h"
#include <QApplication>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Steps and views that were looked at for a shorter time, in ms, are not gone back to.
static constexpr int restTime = 700;
/// Clicks on lines this near are in one place.
static constexpr int nearLines = 10;

NavigationController::NavigationController(Shell &shell, StepsController &steps, GraphController &graph,
                                           TextController &text)
    : Controller(shell), steps_(steps), graph_(graph), text_(text) {
  addCommands();
  followViews();
  qApp->installEventFilter(this);
  connect(&shell, &Shell::graphMarked, this, &NavigationController::arriveInGraph);
  // No picture, but there is a text.
  connect(&graph.scenes(), &GraphScenes::failed, this, [this] {
    isFollowing_ = false;
    if (const std::optional<Wanted> wanted = std::exchange(wanted_, std::nullopt);
        wanted && wanted->place.spot.line >= 0)
      text_.goToLine(wanted->place.spot.line);
  });
}

void NavigationController::addCommands() {
  back_ = command(tr("&Back"), u"previous"_s, {QKeySequence(u"Alt+Left"_s), QKeySequence(Qt::Key_Back)});
  forward_ = command(tr("For&ward"), u"next"_s, {QKeySequence(u"Alt+Right"_s), QKeySequence(Qt::Key_Forward)});
  back_->setToolTip(tr("Back to where you were before the last jump"));
  on(back_, [this] { goBack(); });
  on(forward_, [this] { goForward(); });
  shell().menus().add(Place::StepMove, {back_, forward_});
  updateCommands();
}

void NavigationController::followViews() {
  connect(&shell().centre(), &Centre::viewShown, this, [this](View view) {
    if (view == std::exchange(view_, view))
      return;
    isMoving() ? void() : moved(Jump::View);
  });
  connect(&text_.view(), &TextView::currentLineChanged, this, &NavigationController::lineMoved);
  connect(&text_, &TextController::selectionChanged, this, [this](int, qint64 op) { opSelected(op); });
  connect(&text_, &TextController::placeShown, this, [this] {
    if (!isMoving())
      note();
  });
  connect(&text_, &TextController::opRequested, this,
          [this](qint64 op) { goTo({.snapshot = text_.snapshot(), .op = op}); });
  connect(&text_, &TextController::lineRequested, this,
          [this](int snapshot, int line) { goTo({.snapshot = snapshot, .line = line, .view = {}}); });
}

bool NavigationController::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::KeyPress)
    usedKey_ = true;
  if (event->type() != QEvent::MouseButtonPress)
    return false;
  const auto *widget = qobject_cast<QWidget *>(watched);
  if (!widget || !shell().window().isAncestorOf(widget))
    return false;
  usedKey_ = lineIsNoted_ = false;
  const Qt::MouseButton button = static_cast<QMouseEvent *>(event)->button();
  if (button != Qt::BackButton && button != Qt::ForwardButton)
    return false;
  (button == Qt::BackButton ? back_ : forward_)->trigger();
  return true;
}

bool NavigationController::goTo(const Spot &spot) {
  if (spot.snapshot != text_.snapshot() && steps_.model().rowOf(spot.snapshot) < 0)
    return false;
  const SeenSpot from = peekedFrom_.value_or(place());
  peekedFrom_.reset();
  if (from.spot.snapshot < firstPlace && session().hasDocument())
    history_.leave(from);
  lastJump_ = Jump::Selection;
  updateCommands();
  return go({.spot = spot, .text = {}}, false);
}

bool NavigationController::peekAt(const Spot &spot) {
  if (!peekedFrom_)
    peekedFrom_ = place();
  return go({.spot = spot, .text = {}}, false);
}

void NavigationController::endPeeking(bool goesBack) {
  if (const std::optional<SeenSpot> from = std::exchange(peekedFrom_, std::nullopt); from && goesBack)
    go(*from, /*isExact=*/true);
}

void NavigationController::goToText(TextPosition place) {
  history_.leave(this->place());
  lastJump_ = Jump::Selection;
  updateCommands();
  const QScopedValueRollback going(isGoing_, true);
  lineIsNoted_ = true;
  text_.setFront(text_.view());
  if (!text_.view().isVisible())
    shell().showView(View::Text);
  text_.goToLine(place.line);
  text_.view().setCaret(place);
  text_.view().setFocus();
  note();
}

bool NavigationController::go(const SeenSpot &to, bool isExact) {
  wanted_.reset();
  const Spot &spot = to.spot;
  const int row = spot.snapshot == text_.snapshot() ? -1 : steps_.model().rowOf(spot.snapshot);
  if (spot.snapshot != text_.snapshot() && row < 0)
    return false;
  const QScopedValueRollback going(isGoing_, true);
  if (spot.view)
    shell().showView(*spot.view);
  if (row >= 0)
    steps_.select(row);
  if (spot.op != noNode && graph_.scenes().shownSnapshot() != spot.snapshot)
    wanted_ = {to, isExact}; // arriveInGraph() goes on
  else
    arrive(to, isExact);
  return true;
}

void NavigationController::arriveInGraph() {
  isFollowing_ = false;
  if (!wanted_ || graph_.scenes().shownSnapshot() != wanted_->place.spot.snapshot)
    return;
  const QScopedValueRollback going(isGoing_, true);
  const Wanted wanted = *std::exchange(wanted_, std::nullopt);
  arrive(wanted.place, wanted.isExact);
}

void NavigationController::arrive(const SeenSpot &to, bool isExact) {
  const Spot &spot = to.spot;
  if (spot.op != noNode) {
    graph_.openAround(spot.op);
    isExact ? text_.selectAt(spot.op, to.text) : text_.select(spot.op, /*revealInGraph=*/true);
  } else if (isExact) {
    text_.selectAt(noNode, to.text);
  } else if (spot.line >= 0) {
    lineIsNoted_ = true;
    text_.goToLine(spot.line);
  }
  note();
}

/// Where there is nowhere to go to any more, to the next.
void NavigationController::goBack() {
  while (history_.canGoBack())
    if (go(history_.takeBack(place()), true))
      break;
  lastJump_ = Jump::Selection;
  updateCommands();
}

void NavigationController::goForward() {
  while (history_.canGoForward())
    if (go(history_.takeForward(place()), true))
      break;
  lastJump_ = Jump::Selection;
  updateCommands();
}

Spot NavigationController::current() const {
  Spot spot{.snapshot = text_.snapshot(), .op = text_.selected()};
  spot.line = text_.view().currentLine();
  return spot;
}

SeenSpot NavigationController::place() const {
  SeenSpot place{.spot = current(), .text = text_.view().place()};
  place.spot.view = view_;
  return place;
}

void NavigationController::note() { last_ = place(); }

/// The user is elsewhere; last_ is still where that was before.
void NavigationController::moved(Jump jump) {
  const bool isOne = jump == lastJump_ && jump != Jump::Selection && rested_.isValid() && rested_.elapsed() < restTime;
  const bool isThere =
      session().hasDocument() && last_.spot.snapshot < firstPlace && steps_.model().rowOf(last_.spot.snapshot) >= 0;
  if (!isOne && isThere)
    history_.leave(last_);
  lastJump_ = jump;
  rested_.start();
  note();
  updateCommands();
}

void NavigationController::lineMoved(int line) {
  if (isMoving())
    return;
  lineIsNoted_ = true;
  const bool isNear = last_.spot.snapshot == text_.snapshot() && std::abs(line - last_.spot.line) <= nearLines;
  usedKey_ || isNear ? note() : moved(Jump::Selection);
}

void NavigationController::opSelected(NodeId op) {
  if (isMoving())
    return;
  const bool isNoted = std::exchange(lineIsNoted_, false) || isFollowing_ || usedKey_;
  isNoted || op == noNode || op == last_.spot.op ? note() : moved(Jump::Selection);
}

void NavigationController::updateCommands() {
  back_->setEnabled(history_.canGoBack());
  forward_->setEnabled(history_.canGoForward());
}

void NavigationController::documentReset() {
  wanted_.reset();
  peekedFrom_.reset();
  history_.clear();
  last_ = {};
  lastJump_ = Jump::None;
  updateCommands();
}

void NavigationController::stepsReplaced(int) {
  wanted_.reset();
  peekedFrom_.reset();
  history_.dropFrom(1);
  updateCommands();
}

void NavigationController::stepShown(const ShownStep &step) {
  isFollowing_ = true;
  if (wanted_ && wanted_->place.spot.snapshot != step.snapshot)
    wanted_.reset();
  if (isMoving() || step.snapshot == last_.spot.snapshot)
    return;
  moved(Jump::Step);
}

void NavigationController::engineRecovered(int) {
  history_.dropFrom(firstPlace);
  updateCommands();
}

void NavigationController::saveDocument(QJsonObject &state) const {
  const SeenSpot now = place();
  if (now.spot.snapshot < firstPlace)
    state.insert("place"_L1, QJsonObject{{u"snapshot"_s, now.spot.snapshot},
                                         {u"op"_s, now.spot.op},
                                         {u"view"_s, int(view_)},
                                         {u"line"_s, now.text.line},
                                         {u"column"_s, now.text.column},
                                         {u"top"_s, now.text.top}});
}

void NavigationController::restoreDocument(const QJsonObject &state) {
  const QJsonObject saved = state.value("place"_L1).toObject();
  const int view = saved.value("view"_L1).toInt(-1);
  if (saved.isEmpty() || view < int(View::Graph) || view > int(View::Schedule))
    return;
  SeenSpot place;
  place.spot = {.snapshot = saved.value("snapshot"_L1).toInt(),
                .op = NodeId(saved.value("op"_L1).toInteger(noNode)),
                .line = saved.value("line"_L1).toInt(),
                .view = View(view)};
  place.text = {
      .line = place.spot.line, .column = saved.value("column"_L1).toInt(), .top = saved.value("top"_L1).toInt()};
  go(place, true);
}

} // namespace fuselage
