// The answer to graph/scene, made ready to be painted before it reaches the window's thread.
#pragma once
#include "views/graph/PreparedScene.h"
#include <QJsonObject>
#include <memory>

namespace fuselage {

struct SceneReply {
  std::shared_ptr<const PreparedScene> scene;
  QHash<NodeId, QString> names;     ///< titles of the nodes
  QSet<NodeId> collapsed, expanded; ///< clusters that were asked to be so, by their ids here
};

/// Packed scenes and plain ones.
void decode(const QJsonObject &json, SceneReply &out);

} // namespace fuselage
