// One search over the graph and the text on screen.
#pragma once
#include "app/bridge/EngineSession.h"
#include "views/common/SceneData.h"

namespace fuselage {

class GraphView;
class SearchBar;
class TextController;
class TextView;

class SearchController : public QObject {
  Q_OBJECT
public:
  SearchController(EngineSession &session, SearchBar &bar, GraphView &graph, TextView &text, TextController &selection,
                   QObject *parent = nullptr);
  /// Searches again: another snapshot is on screen.
  void refresh();
  void next() { step(1); }
  void previous() { step(-1); }

private:
  void search(const QString &pattern);
  void searchGraph(const QString &pattern);
  void searchText(const QString &pattern);
  void step(int direction);
  bool isTextFirst() const;
  void showCount();

  EngineSession &session_;
  SearchBar &bar_;
  GraphView &graph_;
  TextView &text_;
  TextController &selection_;
  QList<NodeId> nodes_;
  QList<int> lines_;
  int currentText_ = -1;
};

} // namespace fuselage
