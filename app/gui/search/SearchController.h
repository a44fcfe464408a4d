// Finds in what has the keyboard: the graph, a text, the diff, a script, the rows of a panel.
#pragma once
#include "app/gui/search/TableSearch.h"
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"
#include "views/messages/DocumentTypes.h"
#include <functional>

namespace fuselage {

class DiffView;
class GraphController;
class GraphView;
class ScriptEdit;
class SearchBar;
class ScriptController;
class TextController;
class TextView;

class SearchController : public Controller {
  Q_OBJECT
public:
  SearchController(Shell &shell, GraphController &graph, TextController &text, ScriptController &scripts);

  SearchBar &bar() { return *bar_; }
  QAction *findAction() const { return find_; }
  /// In the text, whatever has the keyboard.
  void findInText(const QString &text);
  /// Searches again: another snapshot is on screen.
  void graphShown(int snapshot) override;

private:
  /// Where it searches; Graph finds in the text, too, as far as that stands below it.
  enum class Scope { Graph, Text, Diff, Script, Table };

  void addCommands();
  void followViews();
  void activate();
  void close();
  void setScope(Scope scope);
  Scope scopeOf(QWidget *focus) const;
  Scope scopeOfView() const;
  void search(const QString &pattern);
  void searchGraph(const QString &pattern);
  void searchText(const QString &pattern);
  void searchDiff(const QString &pattern);
  template <class Method>
  void ask(int snapshot, const QString &pattern, std::function<void(const protocol::TextMatches &)> done);
  void step(int direction);
  bool isTextFirst() const;
  /// In the text on screen, not another one in its place.
  bool isIr() const;
  void showCount();

  SearchBar *bar_;
  QAction *find_ = nullptr;
  Scope scope_ = Scope::Graph;
  QPointer<QWidget> focusBefore_;
  GraphController &parts_;
  GraphView &graph_;
  TextView &text_;
  DiffView &diff_;
  TextController &selection_;
  ScriptEdit &script_;
  TableSearch table_;
  QList<int> rows_; ///< parts of the model that are called so
  int currentRow_ = -1;
  QList<NodeId> nodes_;
  QList<int> lines_;
  qint64 linesTotal_ = 0; ///< there may be more than are kept
  int currentText_ = -1;
  int diffMatches_ = 0, currentDiff_ = -1;
  bool diffHasMore_ = false;
  int scriptMatches_ = 0, currentScript_ = -1;
};

} // namespace fuselage
