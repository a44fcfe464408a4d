// What the boxes of the graph are coloured by.
#pragma once
#include "app/gui/graph/NumberTable.h"
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"

class QActionGroup;
class QMenu;

namespace fuselage {

class GraphController;

/// Times of the last run, bytes, FLOPs, missed fusions, or a column of the user's own CSV or JSON. Collapsed boxes have
/// the sum of what is in them, as words too; the legend says what it is.
class NumbersController : public Controller {
  Q_OBJECT
public:
  NumbersController(Shell &shell, GraphController &graph);

  enum class Source { Times, Bytes, Flops, Missed, File };
  void choose(Source source, int column = 0);
  /// Reads a file, and colours by its first column.
  void open(const QString &path);

  void documentReset() override;
  void graphShown(int snapshot) override;

private:
  void addCommands();
  void chooseFile();
  void listColumns();
  void apply();
  HeatData fromOutline(Source source) const;
  void requestJudged();
  void findKeys();
  void applyFile();
  /// Sums values of dispatches, by number, over the boxes around them.
  void addBoxes(HeatData &heat) const;

  GraphController &graph_;
  QMenu *menu_;
  QActionGroup *group_;
  QList<QAction *> own_, columns_;
  Source source_ = Source::Times;
  int column_ = 0;
  NumberTable table_;
  int keysOf_ = -1; ///< the snapshot whose ops keys_ are; -1: none
  int unanswered_ = 0;
  QHash<qsizetype, NodeId> keys_; ///< by row of the table
  int judgedOf_ = -1;
  QHash<NodeId, int> missed_; ///< by cluster or op of snapshot judgedOf_
};

} // namespace fuselage
