#include "app/gui/text/TextController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/replies/ViewData.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/shell/ViewsController.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/OpMethods.h"
#include "core/protocol/methods/StepMethods.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/SidesBar.h"
#include "views/text/DiffView.h"
#include "views/widgets/Icons.h"
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

TextController::TextController(Shell &shell, ViewsController &views, StepsController &steps, GraphController &graph)
    : Controller(shell), views_(views), steps_(steps), graph_(graph.view()), text_(new TextView), front_(text_),
      pages_(new QStackedWidget), diff_(new DiffView), bar_(new SidesBar), panel_(new DetailsPanel(&details_)),
      texts_(session()) {
  buildViews();
  addCommands();
  connectViews();
  connect(&graph, &GraphController::opChosen, this, [this](qint64 id, bool inText) {
    if (inText)
      views_.showText();
    select(id, false);
  });
  connect(&shell.centre(), &Centre::viewShown, this, [this](View view) { setDiffVisible(view == View::Diff); });
}

void TextController::buildViews() {
  text_->setObjectName("text"_L1);
  text_->setAccessibleName(tr("IR text"));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setEmptyText(tr("No text"), tr("The IR of the selected step appears here."));
  diff_->setObjectName("diff"_L1);
  diff_->setAccessibleName(tr("Diff of the selected step"));
  diff_->setEmptyText(tr("Nothing to compare"), tr("Select a step to see what it changed."));
  pages_->addWidget(text_);
  pages_->setFocusProxy(text_);
  shell().centre().setView(View::Text, pages_);
  auto *comparison = new QWidget;
  auto *layout = new QVBoxLayout(comparison);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(diff_, 1);
  comparison->setFocusProxy(diff_);
  shell().centre().setView(View::Diff, comparison);
  shell().docks().add({.area = Qt::RightDockWidgetArea,
                       .name = u"details"_s,
                       .title = tr("Details"),
                       .shortcut = u"Alt+2"_s,
                       .extent = 330,
                       .isOpen = true},
                      panel_);
}

void TextController::addCommands() {
  QAction *zoomIn = command(tr("Zoom &In"), {}, {QKeySequence(QKeySequence::ZoomIn), QKeySequence(u"Ctrl+="_s)});
  QAction *zoomOut = command(tr("Zoom &Out"), {}, {QKeySequence(QKeySequence::ZoomOut)});
  QAction *zoomReset = command(tr("&Actual Size"), {}, {QKeySequence(u"Ctrl+0"_s)});
  on(zoomIn, [this] { zoom(1.15); });
  on(zoomOut, [this] { zoom(1 / 1.15); });
  on(zoomReset, [this] { zoom(0); });
  shell().menus().add(Place::ViewZoom, {zoomIn, zoomOut, zoomReset});
  QAction *nextChange = command(tr("Next &Change in Diff"), {}, {QKeySequence(u"F8"_s)});
  QAction *previousChange = command(tr("Previous Chan&ge in Diff"), {}, {QKeySequence(u"Shift+F8"_s)});
  on(nextChange, [this] { goToChange(&DiffView::nextChange); });
  on(previousChange, [this] { goToChange(&DiffView::previousChange); });
  shell().menus().add(Place::StepChange, {nextChange, previousChange});
  const QString diff = tr("In the diff");
  shell().menus().addKeys({
      {diff, tr("Next and previous change"), {QKeySequence(u"N"_s), QKeySequence(u"P"_s)}},
      {diff, tr("Open or close all folds"), {QKeySequence(u"E"_s)}},
      {diff, tr("Open or close the long attributes of the line"), {QKeySequence(Qt::Key_Return)}},
  });
  addTextCommands();
}

/// How IR and diff are read.
void TextController::addTextCommands() {
  wrap_ = toggle(tr("&Wrap Long Lines"), {}, {QKeySequence(u"Alt+Z"_s)});
  wrap_->setToolTip(tr("In the IR and in the diff; Shift+wheel scrolls lines that are not wrapped"));
  fold_ = toggle(tr("&Fold Long Attributes"));
  fold_->setToolTip(tr("In the IR and in the diff, show what is in long data, lists and dictionaries as an ellipsis; a "
                       "click opens it, a click on a bracket closes it"));
  unified_ = toggle(tr("&Unified Diff"), {}, {QKeySequence(u"Ctrl+Shift+U"_s)});
  unified_->setToolTip(tr("One column: what was there above what is there now"));
  QAction *copyNumbers = command(tr("&Copy with Line Numbers"), u"copy"_s);
  connect(wrap_, &QAction::toggled, text_, &TextView::setWrapping);
  connect(wrap_, &QAction::toggled, diff_, &DiffView::setWrapping);
  connect(fold_, &QAction::toggled, text_, &TextView::setFolding);
  connect(fold_, &QAction::toggled, diff_, &DiffView::setFolding);
  connect(unified_, &QAction::toggled, diff_, &DiffView::setUnified);
  on(copyNumbers, [this] { front_->copyWithNumbers(); });
  fold_->setChecked(true);
  remember(fold_, u"foldAttributes"_s);
  connect(&settings(), &Settings::textZoomChanged, text_, &TextView::setZoom);
  connect(&settings(), &Settings::textZoomChanged, diff_, &DiffView::setZoom);
  addPreference(wrap_);
  addPreference(unified_);
  menu_ = shell().menus().addMenu(Place::ViewZoom, tr("Te&xt"));
  menu_->addActions({wrap_, fold_, unified_, copyNumbers});
}

void TextController::addPage(QWidget *page, TextView *text) {
  pages_->addWidget(page);
  connect(wrap_, &QAction::toggled, text, &TextView::setWrapping);
  connect(fold_, &QAction::toggled, text, &TextView::setFolding);
  text->setFolding(fold_->isChecked());
}

void TextController::setFront(TextView &text) {
  if (front_ == &text)
    return;
  const bool hadFocus = front_->hasFocus();
  front_ = &text;
  for (int page = 0; page < pages_->count(); ++page)
    if (pages_->widget(page) == front_ || pages_->widget(page)->isAncestorOf(front_))
      pages_->setCurrentIndex(page);
  pages_->setFocusProxy(front_);
  if (hadFocus)
    front_->setFocus();
  emit frontChanged();
}

void TextController::saveState(Settings &settings) const {
  Controller::saveState(settings);
  settings.setFlag(u"wrapText"_s, wrap_->isChecked());
  settings.setFlag(u"unifiedDiff"_s, unified_->isChecked());
}

void TextController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  wrap_->setChecked(settings.flag(u"wrapText"_s, false));
  unified_->setChecked(settings.flag(u"unifiedDiff"_s, false));
  text_->setZoom(settings.textZoom());
  diff_->setZoom(settings.textZoom());
}

void TextController::goToChange(void (DiffView::*go)()) {
  shell().showView(View::Diff);
  (diff_->*go)();
}

void TextController::connectViews() {
  connect(&graph_, &GraphView::selectionChanged, this, [this](qint64 current) {
    selectionFromText_ = false;
    requestDetails(current);
    emit selectionMoved(current);
  });
  connect(&graph_, &GraphView::nodeActivated, this, [this](qint64 id) {
    views_.showText();
    select(id, false);
    text_->setFocus();
  });
  connect(text_, &TextView::currentLineChanged, this, &TextController::selectLine);
  connect(text_, &TextView::contextMenuRequested, this, &TextController::requestMenu);
  connect(diff_, &DiffView::lineClicked, this, [this](DiffSide side, int line) {
    if (side == DiffSide::After)
      selectLine(line);
  });
  connect(&texts_, &SnapshotTexts::loaded, this, &TextController::textLoaded);
  connect(&texts_, &SnapshotTexts::failed, this, [this](int snapshot, const QString &message) {
    if (snapshot == snapshot_)
      text_->setEmptyText(tr("No text"), message);
  });
  connectDetails();
  connect(panel_, &DetailsPanel::opActivated, this, &TextController::opRequested);
  connect(panel_, &DetailsPanel::decisionActivated, this, [this] { emit decisionRequested(selected_); });
  connect(panel_, &DetailsPanel::originActivated, this, [this](int line) { emit lineRequested(0, line); });
}

/// Of the view in use; 0: back to its own size.
void TextController::zoom(double factor) {
  if (diff_->isVisible())
    diff_->setZoom(factor == 0 ? 1 : diff_->zoom() * factor);
  else if (front_->hasFocus() || !graph_.isVisible())
    front_->setZoom(factor == 0 ? 1 : front_->zoom() * factor);
  else
    factor == 0 ? graph_.zoomTo(1) : factor > 1 ? graph_.zoomIn() : graph_.zoomOut();
}

void TextController::opened(const protocol::Document &) {
  details_.clear();
  shell().docks().setEmpty(shell().docks().find(u"details"_s), true);
}

void TextController::documentReset() {
  dropTexts();
  text_->setSource(nullptr);
  texts_.dropFrom(0);
  snapshot_ = 0;
  step_.reset();
  selected_ = noNode;
  selectedLine_ = -1;
  details_.clear();
}

void TextController::stepsReplaced(int) { dropTexts(); }

/// All but the input's.
void TextController::dropTexts() {
  diff_->clear();
  diffSides_.reset();
  if (snapshot_ > 0) {
    text_->setSource(nullptr);
    text_->setEmptyText(tr("Loading…"), {});
  }
  texts_.dropFrom(1);
}

void TextController::stepShown(const ShownStep &shown) {
  const bool isOther = shown.snapshot != snapshot_;
  snapshot_ = shown.snapshot;
  step_ = shown.step ? std::optional(*shown.step) : std::nullopt;
  if (isOther) {
    place_.reset();
    wantedLine_ = seenLine_ = -1;
    // Ops are numbered anew in every snapshot; the graph view knows what became of the selection.
    selected_ = noNode;
    selectedLine_ = -1;
    details_.clear();
    text_->highlightLines(-1, -1);
  }
  TextSource *source = texts_.of(snapshot_);
  if (text_->source() != source)
    text_->setSource(source);
  if (!texts_.isLoaded(snapshot_))
    text_->setEmptyText(tr("Loading…"), {});
  requestDiff();
}

void TextController::graphShown(int) {
  if (graph_.currentNode() != selected_)
    select(graph_.currentNode(), false);
}

void TextController::setDiffVisible(bool visible) {
  diffVisible_ = visible;
  requestDiff();
}

void TextController::explainNoDiff() {
  diff_->clear();
  diffSides_.reset();
  QString hint = tr("Select a step to see what it changed.");
  if (step_ && step_->before < 0)
    hint = tr("The IR before this pass is not in the log. --mlir-print-ir-before-all dumps it.");
  else if (step_)
    hint = tr("The IR after this pass is not in the log. --mlir-print-ir-after-all dumps it.");
  diff_->setEmptyText(tr("Nothing to compare"), hint);
}

Sides TextController::sides() const {
  if (compared_ >= 0 && snapshot_ < firstPlace)
    return {.before = compared_, .after = snapshot_};
  return step_ ? Sides{.before = step_->before, .after = step_->after} : Sides();
}

void TextController::compareWith(int snapshot) {
  compared_ = snapshot;
  requestDiff();
}

/// "step 3, cse"
QString TextController::nameOf(int snapshot) const {
  const StepModel &model = steps_.model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (const protocol::Step *step = model.stepAt(row); step && step->after == snapshot)
      return tr("step %1, %2").arg(step->index).arg(step->name);
  return tr("the input");
}

void TextController::requestDiff() {
  const Sides sides = this->sides();
  if (!sides.areThere()) {
    explainNoDiff();
    return;
  }
  if (!diffVisible_ || sides == diffSides_)
    return;
  diffSides_ = sides;
  loadingDiff_ = true;
  session().client().call<method::DiffText, DiffData>(
      {.before = sides.before, .after = sides.after}, this,
      [this, sides](const DiffData &diff) { showDiff(sides, diff); },
      [this, sides](const protocol::Error &error) {
        loadingDiff_ = false;
        if (diffSides_ == sides)
          diffSides_.reset();
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          emit shell().errorReported(u"diff"_s, tr("The step cannot be compared"), error);
      },
      u"diff"_s);
}

void TextController::showDiff(Sides sides, const DiffData &diff) {
  loadingDiff_ = false;
  if (sides != this->sides())
    return;
  if (compared_ >= 0 && snapshot_ < firstPlace)
    diff_->setTitles(nameOf(sides.before), nameOf(sides.after));
  else
    diff_->setTitles(tr("before"), tr("after %1").arg(step_->name));
  diff_->setDiff(diff, texts_.of(sides.before), texts_.of(sides.after));
  shell().tell(diff.added + diff.removed + diff.changed == 0
                   ? tr("No line is different")
                   : tr("Lines: %1 added, %2 removed, %3 changed")
                         .arg(groupedNumber(diff.added), groupedNumber(diff.removed), groupedNumber(diff.changed)));
}

void TextController::select(NodeId id, bool revealInGraph) {
  selectionFromText_ = false;
  graph_.setSelection({graph_.scene().hiddenOps.value(id, id)}, revealInGraph);
  requestDetails(id);
}

void TextController::point(const QList<NodeId> &ids) {
  selectionFromText_ = false;
  QList<NodeId> shown;
  for (const NodeId id : ids)
    shown.append(graph_.scene().hiddenOps.value(id, id));
  graph_.setSelection(shown, true);
  requestDetails(ids.first());
  emit selectionMoved(ids.first());
}

void TextController::selectEdge(NodeId from, NodeId to) {
  selectionFromText_ = false;
  requestDetails(to);
  session().client().call<method::OpDetails>(
      {.snapshot = snapshot_, .id = from}, this,
      [this, snapshot = snapshot_, to](const protocol::OpDetails &details) {
        if (snapshot == snapshot_ && to == selected_)
          text_->highlightAlso(details.first, details.last);
      },
      {}, u"producer"_s);
}

void TextController::selectAt(NodeId id, const TextPlace &place) {
  selectionFromText_ = true;
  place_.reset();
  texts_.isLoaded(snapshot_) ? text_->setPlace(place) : void(place_ = place);
  graph_.setSelection({graph_.scene().hiddenOps.value(id, id)}, true);
  requestDetails(id);
}

void TextController::textLoaded(int snapshot) {
  if (snapshot != snapshot_)
    return;
  text_->setEmptyText(tr("No text"), tr("The module has no line of IR here."));
  if (place_)
    text_->setPlace(*std::exchange(place_, std::nullopt));
  if (const int line = std::exchange(seenLine_, -1); line >= 0)
    text_->scrollToLine(line);
  if (wantedLine_ >= 0)
    goToLine(std::exchange(wantedLine_, -1));
}

void TextController::goToLine(int line) {
  if (!texts_.isLoaded(snapshot_)) {
    wantedLine_ = line;
    return;
  }
  text_->setCurrentLine(line);
  text_->scrollToLine(line);
  selectLine(line);
}

void TextController::showLine(int line) {
  texts_.isLoaded(snapshot_) ? text_->scrollToLine(line) : void(seenLine_ = line);
}

void TextController::goToFrontLine(int line) { front_ == text_ ? goToLine(line) : emit frontLineRequested(line); }

void TextController::selectLine(int line) {
  session().client().call<method::OpAtLine>(
      {.snapshot = snapshot_, .line = line}, this,
      [this, snapshot = snapshot_](const protocol::OpAt &op) {
        if (snapshot != snapshot_ || op.first < 0)
          return;
        selectionFromText_ = true;
        text_->highlightLines(op.first, op.last);
        const NodeId shown = graph_.scene().hiddenOps.value(op.id, op.id);
        graph_.setSelection({shown}, true);
        requestDetails(op.id);
        emit selectionMoved(op.id);
      },
      {}, u"opAt"_s);
}

void TextController::requestMenu(int line, const QPoint &place) {
  if (!isReady()) // the answer would come when nobody waits for it
    return showMenu(noNode, place);
  session().client().call<method::OpAtLine>(
      {.snapshot = snapshot_, .line = line}, this,
      [this, snapshot = snapshot_, place](const protocol::OpAt &op) {
        if (snapshot == snapshot_ && text_->isVisible())
          showMenu(op.first < 0 ? noNode : NodeId(op.id), place);
      },
      [this, place](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled && text_->isVisible())
          showMenu(noNode, place);
      },
      u"menu"_s);
}

void TextController::showMenu(NodeId op, const QPoint &place) {
  QMenu menu(&shell().window());
  QAction *copy = menu.addAction(lineIcon(u"copy"_s), tr("Copy"), text_, &TextView::copy);
  copy->setShortcut(QKeySequence::Copy);
  menu.addAction(tr("Copy with Line Numbers"), text_, &TextView::copyWithNumbers);
  menu.addAction(tr("Select All"), text_, &TextView::selectAll)->setShortcut(QKeySequence::SelectAll);
  if (op != noNode) {
    menu.addSeparator();
    menu.addAction(tr("Show in the Graph"), this, [this, op] {
      shell().showView(View::Graph);
      select(op, true);
    });
    emit menuShown(&menu, op);
  }
  menu.exec(place);
}

void TextController::engineRecovered(int) {
  diff_->clear(); // its texts may be those of places, which are gone
  diffSides_.reset();
  texts_.retry();
  requestDiff();
  if (selected_ != noNode)
    requestDetails(selected_);
}

bool TextController::isSettled() const {
  return !session().hasDocument() || (texts_.isLoaded(snapshot_) && !loadingDiff_ && !loadingDetails_);
}

} // namespace fuselage
