// The colours of exported pictures, all in one place.
#pragma once
#include "core/graph/scene/Scene.h"

namespace fuselage {

/// On what a picture is drawn: white paper, or a dark ground as that of the dark window.
enum class Ground { Light, Dark };

/// Colours as #rrggbb. Text on `fill` has a contrast of at least 7:1, `line` on white at least 3:1.
struct Ink {
  const char *fill, *line;
};

inline constexpr const char *paperColor = "#ffffff", *textColor = "#1b1f24", *mutedTextColor = "#57606a",
                            *edgeColor = "#6e7781";

/// What is not coloured by what it means.
struct GroundColors {
  const char *paper, *text, *muted, *edge;
};
const GroundColors &groundColors(Ground ground);

/// A hue of dispatches; neighbours in number differ clearly, hues come back after twelve.
Ink dispatchInk(int hue, Ground ground = Ground::Light);
/// What belongs to no dispatch is coloured by what it is.
Ink kindInk(NodeKind kind, Ground ground = Ground::Light);
/// Of a node: its dispatch's hue, except where something is missing.
Ink nodeInk(const Scene &scene, const SceneNode &node, Ground ground = Ground::Light);
/// Of a box: its dispatch's hue, or by depth.
Ink clusterInk(const Scene &scene, const SceneCluster &cluster, Ground ground = Ground::Light);
/// Of a line, by its verdict.
const char *lookColor(EdgeLook look, Ground ground = Ground::Light);
/// Boxes around functions and regions; darker with depth.
Ink clusterInk(int depth, Ground ground = Ground::Light);

} // namespace fuselage
