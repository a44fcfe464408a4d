// The engine's words straight into what the views draw; runs on the transport thread.
#pragma once
#include "views/common/DiffData.h"
#include "views/common/SceneData.h"
#include <QJsonObject>

namespace fuselage {

/// The answer to graph/scene. `snapshot` stays for the caller to set.
void decode(const QJsonObject &json, SceneData &out);
/// The answer to step/diff.
void decode(const QJsonObject &json, DiffData &out);

/// A schedule beside another one: the answer to tune/schedule.
struct ScheduleDiff {
  QString before, after; ///< texts
  DiffData diff;
};
void decode(const QJsonObject &json, ScheduleDiff &out);

/// What a step did to the graph, ready to be drawn.
struct GraphChanges {
  QHash<NodeId, Change> changes;    ///< of the snapshot after the step
  QHash<NodeId, Change> gone;       ///< of the snapshot before it: what goes away, or is another afterwards
  QHash<NodeId, NodeId> origins;    ///< after -> before
  QHash<NodeId, NodeId> successors; ///< before -> after
  QList<NodeId> removed;            ///< of the snapshot before the step
};
/// The answer to step/graphDiff.
void decode(const QJsonObject &json, GraphChanges &out);

} // namespace fuselage
