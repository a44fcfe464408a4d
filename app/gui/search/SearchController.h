// One search over the graph and the text on screen, and over the script where that is in front.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"

namespace fuselage {

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
  /// Searches again: another snapshot is on screen.
  void graphShown();

private:
  void addCommands();
  void search(const QString &pattern);
  void searchGraph(const QString &pattern);
  void searchText(const QString &pattern);
  void step(int direction);
  bool isTextFirst() const;
  bool isScript() const;
  void showCount();

  SearchBar *bar_;
  QAction *find_ = nullptr;
  GraphController &parts_;
  GraphView &graph_;
  TextView &text_;
  TextController &selection_;
  ScriptEdit &script_;
  QList<int> rows_; ///< parts of the model that are called so
  int currentRow_ = -1;
  QList<NodeId> nodes_;
  QList<int> lines_;
  int currentText_ = -1;
  int scriptMatches_ = 0, currentScript_ = -1;
};

} // namespace fuselage
