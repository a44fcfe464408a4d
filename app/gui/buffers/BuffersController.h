// Keeps the Buffers panel on the snapshot that is shown, and its conflicts on the graph and in the text.
#pragma once
#include "app/bridge/EngineSession.h"
#include "views/models/BufferModel.h"
#include "views/common/Marks.h"

namespace fuselage {

class BuffersPanel;
class GraphView;
class TextView;

class BuffersController : public QObject {
  Q_OBJECT
public:
  struct Views {
    GraphView &graph;
    TextView &text;
    BuffersPanel &panel;
  };
  BuffersController(EngineSession &session, Views views, BufferModel &model, QObject *parent = nullptr);

  /// The snapshot to report on, and the one in front of the step that led to it (-1: none did).
  void show(int snapshot, int before);
  /// The engine is only asked while the panel can be seen.
  void setVisible(bool visible);
  /// Another document or recording: snapshots are others now.
  void reset();
  /// The graph shows a scene of a snapshot.
  void graphShown(int snapshot);

signals:
  void opSelected(qint64 op);

private:
  void request();
  void requestBefore();
  void present(const protocol::BuffersReport &report);
  void select(int row);
  void mark();

  EngineSession &session_;
  Views views_;
  BufferModel &model_;
  int snapshot_ = -1, before_ = -1;
  bool visible_ = false, stale_ = false; ///< stale: what is shown is of another recording
  int row_ = -1; ///< selected, of the model
  int graphSnapshot_ = -1;
  QHash<int, protocol::BuffersReport> reports_; ///< by snapshot
  QHash<int, protocol::BufferPeaks> peaks_;
};

} // namespace fuselage
