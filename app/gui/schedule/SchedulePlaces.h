// The place at which a schedule stands, in graph, text and diff.
#pragma once
#include "app/gui/shell/Shell.h"
#include "views/common/SceneData.h"
#include "views/models/ScheduleModel.h"

namespace fuselage {

class GraphController;
class TextController;

/// Shows a place as a step of the list is shown, under a banner that leads back to that, and ties the handles to the ops
/// on screen, both ways.
class SchedulePlaces : public QObject {
  Q_OBJECT
public:
  SchedulePlaces(Shell &shell, GraphController &graph, TextController &text, HandleModel &handles);

  /// `applied` is what was applied right before the place; null: nothing was.
  void show(const protocol::SchedulePosition &position, const protocol::ScheduleStep *applied, const QString &where);
  /// Another document is there: its steps are still to come.
  void forgetDocument();
  /// Back to the step of the list.
  void leave();
  /// A step of the list is shown: what schedules run on.
  void stepShown(const ShownStep &step);
  bool isShown() const { return place_ >= 0; }
  /// The snapshot of the step of the list.
  int stepSnapshot() const { return step_.snapshot; }
  /// Selects the handle's payload in the graph.
  void select(const protocol::ScheduleHandle &handle);

private:
  void forget();
  void hoverLine(int line);
  void hoverNode(NodeId node);
  QSet<int> holdersOf(NodeId node) const;

  Shell &shell_;
  GraphController &graph_;
  TextController &text_;
  HandleModel &handles_;
  ShownStep step_; ///< of the list; `step` is led_, or null
  protocol::Step led_;
  int place_ = -1; ///< the snapshot on screen; -1: it is that of step_
};

} // namespace fuselage
