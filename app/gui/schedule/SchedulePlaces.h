// The place at which a schedule stands, in graph, text and diff.
#pragma once
#include "app/gui/steps/ShownPlace.h"
#include "views/common/SceneData.h"
#include "views/models/ScheduleModel.h"

namespace fuselage {

class GraphController;
class TextController;

/// Ties the handles to the ops on screen, both ways.
class SchedulePlaces : public QObject {
  Q_OBJECT
public:
  SchedulePlaces(Shell &shell, GraphController &graph, TextController &text, HandleModel &handles);

  /// `applied` is what was applied right before the place; null: nothing was.
  void show(const protocol::SchedulePosition &position, const protocol::ScheduleStep *applied, const QString &where);
  ShownPlace &place() { return place_; }
  const ShownPlace &place() const { return place_; }
  /// Selects the handle's payload in the graph.
  void select(const protocol::ScheduleHandle &handle);

private:
  void hoverLine(int line);
  void hoverNode(NodeId node);
  QSet<int> holdersOf(NodeId node) const;

  ShownPlace place_;
  GraphController &graph_;
  TextController &text_;
  HandleModel &handles_;
};

} // namespace fuselage
