// Keeps the Buffers panel on the snapshot that is shown, and its conflicts on the graph and in the text.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/LazyPanel.h"
#include "core/protocol/methods/BufferMethods.h"
#include "views/common/Marks.h"
#include "views/models/BufferModel.h"

class QDockWidget;

namespace fuselage {

class BuffersPanel;
class GraphController;
class GraphView;
class ReasonHelp;
class RunController;
class StepsController;
class TextController;
class TextView;

class BuffersController : public Controller {
  Q_OBJECT
public:
  BuffersController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                    RunController &run);

  BuffersPanel &panel();
  BufferModel &model() { return model_; }
  ReasonHelp &reasons() { return *reasons_; }
  void raise();
  /// Opens the page on a reason.
  void explain(const QString &code);
  void graphShown(int snapshot) override;

  /// The snapshot to report on, and the one before the step that led to it.
  void stepShown(const ShownStep &step) override;

private:
  /// The engine is only asked while the panel can be seen.
  void setVisible(bool visible);
  /// Another document or recording: snapshots are others now.
  void reset();
  void request();
  void requestBefore();
  /// Those of dynamic dimensions, in the run panel.
  void sizesChanged();
  protocol::Request<method::ReportBuffers> requestOf(int snapshot) const;
  void present(const protocol::BuffersReport &report);
  void select(int row);
  void mark();

  BufferModel model_;
  LazyPanel<BuffersPanel> panel_;
  QDockWidget *dock_, *reasonDock_;
  ReasonHelp *reasons_;
  GraphView &graph_;
  TextView &text_;
  RunController &run_;
  int snapshot_ = -1, before_ = -1;      ///< before_ -1: no step led to it
  bool visible_ = false, stale_ = false; ///< stale: what is shown is of another recording
  int row_ = -1;                         ///< selected, of the model
  int graphSnapshot_ = -1;
  QHash<int, protocol::BuffersReport> reports_; ///< by snapshot
  QHash<int, protocol::BufferPeaks> peaks_;
};

} // namespace fuselage
