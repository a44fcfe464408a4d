#include "app/gui/search/SearchController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/search/FrontView.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/graph/GraphView.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/SearchBar.h"
#include <QLineEdit>
#include <QMainWindow>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

/// More hits than anyone steps through; the total is known beyond.
static constexpr int textHits = 5000;

SearchController::SearchController(Shell &shell, GraphController &graph, TextController &text,
                                   ScriptController &scripts)
    : Controller(shell), bar_(new SearchBar), parts_(graph), graph_(graph.view()), text_(text.view()),
      diff_(text.diff()), selection_(text), script_(scripts.edit()) {
  bar_->setObjectName("searchBar"_L1);
  bar_->hide();
  shell.centre().setBar(bar_);
  addCommands();
  followViews();
}

void SearchController::addCommands() {
  find_ = command(tr("Fi&nd…"), u"search"_s, {QKeySequence(QKeySequence::Find)});
  find_->setToolTip(tr("Find in the graph, IR, diff, script or list that has the keyboard focus (Ctrl+F)"));
  QAction *next = command(tr("Find Ne&xt"), {}, {QKeySequence(Qt::Key_F3)});
  QAction *previous = command(tr("Find Pre&vious"), {}, {QKeySequence(u"Shift+F3"_s)});
  on(find_, [this] { activate(); });
  on(next, [this] { step(1); });
  on(previous, [this] { step(-1); });
  shell().menus().add(Place::EditFind, {find_, next, previous});
}

void SearchController::followViews() {
  connect(bar_, &SearchBar::patternChanged, this, &SearchController::search);
  connect(bar_, &SearchBar::nextRequested, this, [this] { step(1); });
  connect(bar_, &SearchBar::previousRequested, this, [this] { step(-1); });
  connect(bar_, &SearchBar::closed, this, &SearchController::close);
  connect(&shell().centre(), &Centre::viewShown, this, [this] {
    if (bar_->isVisible() && scope_ != Scope::Table && scope_ != scopeOfView()) {
      setScope(scopeOfView());
      search(bar_->pattern());
    }
  });
  connect(&selection_, &TextController::frontChanged, this, [this] {
    text_.setMatches({});
    if (bar_->isVisible() && (scope_ == Scope::Text || scope_ == Scope::Graph)) {
      setScope(scope_);
      search(bar_->pattern());
    }
  });
  connect(&diff_, &DiffView::diffShown, this, [this] {
    if (bar_->isVisible() && scope_ == Scope::Diff)
      search(bar_->pattern());
  });
}

SearchController::Scope SearchController::scopeOfView() const {
  switch (frontView(shell().centre()).value_or(View::Graph)) {
  case View::Schedule:
    return Scope::Script;
  case View::Diff:
    return Scope::Diff;
  case View::Text:
    return Scope::Text;
  case View::Graph:
    return Scope::Graph;
  }
  return Scope::Graph;
}

SearchController::Scope SearchController::scopeOf(QWidget *focus) const {
  if (focus && bar_->isAncestorOf(focus))
    return scope_;
  if (TableSearch::viewOf(focus))
    return Scope::Table;
  const TextView &text = selection_.front();
  return text.isVisible() && (focus == &text || text.isAncestorOf(focus)) ? Scope::Text : scopeOfView();
}

void SearchController::activate() {
  QWidget *focus = shell().window().focusWidget();
  const bool isInBar = focus && bar_->isAncestorOf(focus);
  const Scope scope = scopeOf(focus);
  if (!isInBar) {
    focusBefore_ = focus;
    table_.setView(scope == Scope::Table ? TableSearch::viewOf(focus) : nullptr);
  }
  const bool isOther = scope != scope_ || !isInBar;
  setScope(scope);
  bar_->activate();
  if (isOther && !bar_->pattern().isEmpty())
    search(bar_->pattern());
}

void SearchController::findInText(const QString &text) {
  focusBefore_ = &text_;
  selection_.setFront(text_);
  shell().showView(View::Text);
  setScope(Scope::Text);
  bar_->activate();
  bar_->edit()->setText(QRegularExpression::escape(text));
  bar_->searchNow();
}

void SearchController::close() {
  search({});
  table_.setView(nullptr);
  if (focusBefore_ && focusBefore_->isVisible())
    focusBefore_->setFocus(Qt::OtherFocusReason);
  else
    shell().centre().currentView()->setFocus(Qt::OtherFocusReason);
}

void SearchController::setScope(Scope scope) {
  scope_ = scope;
  switch (scope) {
  case Scope::Graph:
    return bar_->setScope(tr("Graph"), tr("Layers (layer.3.attention), ops and types; a regular expression"));
  case Scope::Text:
    return bar_->setScope(isIr() ? tr("IR") : tr("File"), tr("Text of the IR; a regular expression"));
  case Scope::Diff:
    return bar_->setScope(tr("Diff"), tr("Text on both sides, folded lines too; a regular expression"));
  case Scope::Script:
    return bar_->setScope(tr("Schedule"), tr("Text of the script; a regular expression"));
  case Scope::Table:
    return bar_->setScope(table_.view() ? table_.view()->accessibleName() : tr("List"),
                          tr("Rows with this in a column; a regular expression"));
  }
}

/// A picture in which a part was opened is no other search.
void SearchController::graphShown(int) {
  const int row = currentRow_;
  if (bar_->isVisible() && scope_ != Scope::Table && scope_ != Scope::Diff)
    search(bar_->pattern());
  if (row >= 0 && row < rows_.size()) {
    currentRow_ = row;
    showCount();
  }
}

void SearchController::search(const QString &pattern) {
  nodes_.clear();
  lines_.clear();
  linesTotal_ = 0;
  currentText_ = currentRow_ = currentScript_ = currentDiff_ = -1;
  diffMatches_ = 0;
  const auto of = [this, &pattern](std::initializer_list<Scope> scopes) {
    return std::find(scopes.begin(), scopes.end(), scope_) == scopes.end() ? QString() : pattern;
  };
  scriptMatches_ = script_.setSearch(of({Scope::Script}));
  const QString inGraph = of({Scope::Graph});
  rows_ = inGraph.isEmpty() ? QList<int>() : parts_.outline().find(inGraph);
  selection_.front().setMatches({});
  diff_.setMatches({});
  searchGraph(inGraph);
  table_.search(QRegularExpression(of({Scope::Table}), QRegularExpression::CaseInsensitiveOption));
  if (const QString inText = of({Scope::Graph, Scope::Text}); !inText.isEmpty() && session().hasDocument())
    searchText(inText);
  if (const QString inDiff = of({Scope::Diff}); !inDiff.isEmpty() && session().hasDocument())
    searchDiff(inDiff);
  showCount();
}

void SearchController::searchGraph(const QString &pattern) {
  if (pattern.isEmpty())
    graph_.setMatches({});
  else
    nodes_ = graph_.find(QRegularExpression(pattern));
}

bool SearchController::isIr() const { return &selection_.front() == &text_; }

template <class Method>
void SearchController::ask(int snapshot, const QString &pattern,
                           std::function<void(const protocol::TextMatches &)> done) {
  session().client().call<Method>(
      {.snapshot = snapshot, .pattern = pattern, .first = 0, .count = textHits}, this,
      [this, pattern, scope = scope_, done = std::move(done)](const protocol::TextMatches &found) {
        if (pattern == bar_->pattern() && scope == scope_)
          done(found);
      },
      [this](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          bar_->setError(error.message);
      },
      u"find"_s);
}

void SearchController::searchText(const QString &pattern) {
  const auto show = [this, isIr = isIr()](const protocol::TextMatches &found) {
    if (isIr != this->isIr())
      return;
    QList<TextMatch> matches;
    for (const protocol::TextMatch &match : found.matches) {
      matches.append({.line = match.line, .column = match.column, .length = match.length});
      lines_.append(match.line);
    }
    linesTotal_ = found.total;
    selection_.front().setMatches(matches);
    showCount();
  };
  isIr() ? ask<method::FindText>(selection_.snapshot(), pattern, show)
         : ask<method::FindSource>(selection_.snapshot(), pattern, show);
}

/// One side, then the other.
void SearchController::searchDiff(const QString &pattern) {
  const Sides sides = selection_.sides(); // the step's, or any two
  if (!sides.areThere())
    return;
  const auto add = [](QList<DiffMatch> &matches, DiffSide side, const protocol::TextMatches &found) {
    for (const protocol::TextMatch &match : found.matches)
      matches.append({.side = side, .line = match.line, .column = match.column, .length = match.length});
  };
  ask<method::FindText>(sides.before, pattern, [this, add, pattern, sides](const protocol::TextMatches &before) {
    ask<method::FindText>(sides.after, pattern, [this, add, before](const protocol::TextMatches &after) {
      QList<DiffMatch> matches;
      add(matches, DiffSide::Before, before);
      add(matches, DiffSide::After, after);
      diffMatches_ = diff_.setMatches(matches);
      diffHasMore_ = before.total > before.matches.size() || after.total > after.matches.size();
      showCount();
    });
  });
}

/// Steps go through parts of the model that are called so, else through the graph's hits, or through the text's where
/// only the text is in sight.
bool SearchController::isTextFirst() const {
  return scope_ == Scope::Text || (nodes_.isEmpty() && rows_.isEmpty()) || !graph_.isVisible();
}

/// The one after or before it; from none the first or the last.
static int stepFrom(int current, int direction, int count) {
  return current < 0 ? (direction > 0 ? 0 : count - 1) : (current + direction + count) % count;
}

void SearchController::step(int direction) {
  if (scope_ == Scope::Script) {
    scriptMatches_ = script_.setSearch(bar_->pattern()); // it may have been written on
    currentScript_ = script_.findMatch(direction);
  } else if (scope_ == Scope::Table) {
    table_.step(direction);
  } else if (scope_ == Scope::Diff) {
    if (diffMatches_ > 0)
      diff_.setCurrentMatch(currentDiff_ = stepFrom(currentDiff_, direction, diffMatches_));
  } else if (isTextFirst() && !lines_.isEmpty()) {
    currentText_ = stepFrom(currentText_, direction, int(lines_.size()));
    selection_.front().setCurrentMatch(currentText_);
    selection_.goToFrontLine(lines_[currentText_]);
  } else if (!rows_.isEmpty()) {
    currentRow_ = stepFrom(currentRow_, direction, int(rows_.size()));
    parts_.goToPart(rows_[currentRow_]);
  } else if (!nodes_.isEmpty()) {
    direction > 0 ? graph_.nextMatch() : graph_.previousMatch();
    if (const int current = graph_.currentMatch(); current >= 0 && current < nodes_.size())
      selection_.select(nodes_[current], false);
  }
  showCount();
}

void SearchController::showCount() {
  if (scope_ == Scope::Script)
    bar_->setMatches(currentScript_, scriptMatches_);
  else if (scope_ == Scope::Table)
    bar_->setMatches(table_.current(), table_.count());
  else if (scope_ == Scope::Diff)
    bar_->setMatches(currentDiff_, diffMatches_, diffHasMore_);
  else if (isTextFirst())
    bar_->setMatches(currentText_, int(lines_.size()), linesTotal_ > lines_.size());
  else if (!rows_.isEmpty())
    bar_->setMatches(currentRow_, int(rows_.size()));
  else
    bar_->setMatches(graph_.currentMatch(), int(nodes_.size()));
}

} // namespace fuselage
