#include "app/gui/search/SearchController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/text/TextController.h"
#include "views/graph/GraphView.h"
#include "views/text/TextView.h"
#include "views/widgets/SearchBar.h"
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

/// More hits than anyone steps through; the total is known beyond.
static constexpr int textHits = 5000;

SearchController::SearchController(Shell &shell, GraphController &graph, TextController &text, ScriptController &scripts)
    : Controller(shell), bar_(new SearchBar), parts_(graph), graph_(graph.view()), text_(text.view()), selection_(text),
      script_(scripts.edit()) {
  bar_->setObjectName("searchBar"_L1);
  bar_->hide();
  shell.centre().setBar(bar_);
  addCommands();
  connect(bar_, &SearchBar::patternChanged, this, &SearchController::search);
  connect(bar_, &SearchBar::nextRequested, this, [this] { step(1); });
  connect(bar_, &SearchBar::previousRequested, this, [this] { step(-1); });
  connect(bar_, &SearchBar::closed, this, [this] {
    search({});
    if (isScript())
      script_.setFocus();
  });
  connect(&shell.centre(), &Centre::viewShown, this, [this] {
    if (bar_->isVisible())
      showCount();
  });
}

void SearchController::addCommands() {
  find_ = command(tr("&Find…"), u"search"_s, {QKeySequence(QKeySequence::Find)});
  QAction *next = command(tr("Find &Next"), {}, {QKeySequence(Qt::Key_F3)});
  QAction *previous = command(tr("Find &Previous"), {}, {QKeySequence(u"Shift+F3"_s)});
  on(find_, [this] { bar_->activate(); });
  on(next, [this] { step(1); });
  on(previous, [this] { step(-1); });
  shell().menus().add(Place::ViewFind, {find_, next, previous});
  shell().menus().add(Place::BarFind, {find_});
}

/// A picture in which a part was opened is no other search.
void SearchController::graphShown() {
  const int row = currentRow_;
  if (bar_->isVisible())
    search(bar_->pattern());
  if (row >= 0 && row < rows_.size()) {
    currentRow_ = row;
    showCount();
  }
}

void SearchController::search(const QString &pattern) {
  nodes_.clear();
  lines_.clear();
  currentText_ = currentRow_ = currentScript_ = -1;
  scriptMatches_ = script_.setSearch(pattern);
  rows_ = pattern.isEmpty() ? QList<int>() : parts_.outline().find(pattern);
  text_.setMatches({});
  searchGraph(pattern);
  if (!pattern.isEmpty() && session().hasDocument())
    searchText(pattern);
  showCount();
}

void SearchController::searchGraph(const QString &pattern) {
  const QRegularExpression expression(pattern);
  if (!pattern.isEmpty())
    for (const NodeData &node : graph_.scene().nodes)
      if (expression.match(node.title).hasMatch() || expression.match(node.subtitle).hasMatch())
        nodes_.append(node.id);
  graph_.setMatches(nodes_);
}

void SearchController::searchText(const QString &pattern) {
  session().client().call<protocol::TextMatches>(
      u"text/find"_s,
      {{u"snapshot"_s, selection_.snapshot()}, {u"pattern"_s, pattern}, {u"first"_s, 0}, {u"count"_s, textHits}}, this,
      [this, pattern](const protocol::TextMatches &found) {
        if (pattern != bar_->pattern())
          return;
        QList<TextMatch> matches;
        for (const protocol::TextMatch &match : found.matches) {
          matches.append({.line = match.line, .column = match.column, .length = match.length});
          lines_.append(match.line);
        }
        text_.setMatches(matches);
        showCount();
      },
      [this](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          bar_->setError(error.message);
      },
      u"find"_s);
}

bool SearchController::isScript() const { return script_.isVisible(); }

/// Steps go through parts of the model that are called so, else through the graph's hits, or through the text's where
/// only the text is in sight.
bool SearchController::isTextFirst() const { return (nodes_.isEmpty() && rows_.isEmpty()) || !graph_.isVisible() || text_.hasFocus(); }

void SearchController::step(int direction) {
  if (isScript()) {
    scriptMatches_ = script_.setSearch(bar_->pattern()); // it may have been written on
    currentScript_ = script_.findMatch(direction);
  } else if (isTextFirst() && !lines_.isEmpty()) {
    const int count = int(lines_.size());
    currentText_ = currentText_ < 0 ? (direction > 0 ? 0 : count - 1) : (currentText_ + direction + count) % count;
    text_.setCurrentMatch(currentText_);
    selection_.goToLine(lines_[currentText_]);
  } else if (!rows_.isEmpty()) {
    const int count = int(rows_.size());
    currentRow_ = currentRow_ < 0 ? (direction > 0 ? 0 : count - 1) : (currentRow_ + direction + count) % count;
    parts_.goToPart(rows_[currentRow_]);
  } else if (!nodes_.isEmpty()) {
    direction > 0 ? graph_.nextMatch() : graph_.previousMatch();
    if (const int current = graph_.currentMatch(); current >= 0 && current < nodes_.size())
      selection_.select(nodes_[current], false);
  }
  showCount();
}

void SearchController::showCount() {
  if (isScript())
    bar_->setMatches(currentScript_, scriptMatches_);
  else if (isTextFirst())
    bar_->setMatches(currentText_, int(lines_.size()));
  else if (!rows_.isEmpty())
    bar_->setMatches(currentRow_, int(rows_.size()));
  else
    bar_->setMatches(graph_.currentMatch(), int(nodes_.size()));
}

} // namespace fuselage
