// The colours of exported pictures, all in one place (light theme).
#pragma once
#include "core/graph/scene/Scene.h"

namespace fuselage {

/// Colours as #rrggbb. Text on `fill` has a contrast of at least 7:1, `line` on white at least 3:1.
struct Ink {
  const char *fill, *line;
};

inline constexpr const char *paperColor = "#ffffff", *textColor = "#1b1f24",
                            *mutedTextColor = "#57606a", *edgeColor = "#6e7781";

/// A hue of dispatches; neighbours in number differ clearly, hues come back after twelve.
Ink dispatchInk(int hue);
/// What belongs to no dispatch is coloured by what it is.
Ink kindInk(NodeKind kind);
/// Of a node: its dispatch's hue, except where something is missing.
Ink nodeInk(const Scene &scene, const SceneNode &node);
/// Of a box: its dispatch's hue, or by depth.
Ink clusterInk(const Scene &scene, const SceneCluster &cluster);
/// Of a line, by its verdict.
const char *lookColor(EdgeLook look);
/// Boxes around functions and regions; darker with depth.
Ink clusterInk(int depth);

} // namespace fuselage
