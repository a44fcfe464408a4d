// IR text, diff and details of the snapshot on screen, and the selection that ties them together.
#pragma once
#include "app/gui/text/SnapshotTexts.h"
#include "app/gui/replies/ViewData.h"

namespace fuselage {

class DetailsModel;
class DiffView;
class GraphView;
class TextView;

class TextController : public QObject {
  Q_OBJECT
public:
  struct Views {
    GraphView &graph;
    TextView &text;
    DiffView &diff;
    DetailsModel &details;
  };
  TextController(EngineSession &session, Views views, QObject *parent = nullptr);

  /// Shows a snapshot's text, and the diff of the step that led there; nullptr: none did.
  void show(int snapshot, const protocol::Step *step);
  /// The diff is only asked for while it can be seen.
  void setDiffVisible(bool visible);
  /// Selects an op everywhere: graph, text, diff, details.
  void select(NodeId id, bool revealInGraph);
  /// Shows both ops of an edge in the text, and details of the consumer; the graph has the edge already.
  void selectEdge(NodeId from, NodeId to);
  NodeId selected() const { return selected_; }
  void goToLine(int line);
  void reset();
  void dropSteps();
  void refresh();
  bool isSettled() const { return texts_.isLoaded(snapshot_) && !loadingDiff_ && !loadingDetails_; }
  int snapshot() const { return snapshot_; }

signals:
  /// By the user's hand, in graph or text; noNode: nothing is selected.
  void selectionMoved(qint64 id);
  /// An op of the snapshot on screen, or noNode.
  void selectionChanged(int snapshot, qint64 id);
  void diffShown(int step, int added, int removed, int changed);
  void failed(const fuselage::protocol::Error &error);

private:
  void requestDiff();
  void requestDetails(NodeId id);
  void selectLine(int line);

  EngineSession &session_;
  Views views_;
  SnapshotTexts texts_;
  int snapshot_ = 0;
  std::optional<protocol::Step> step_; ///< that led to snapshot_
  bool diffVisible_ = false;
  bool loadingDiff_ = false;
  bool loadingDetails_ = false;
  int diffStep_ = -1; ///< shown or asked for
  NodeId selected_ = noNode;
  bool selectionFromText_ = false;
};

} // namespace fuselage
