#include "core/graph/scene/Scene.h"
#include <cmath>

namespace fuselage {

/// Two decimals are plenty for pixels and keep messages short.
static double pixels(double value) { return std::round(value * 100) / 100; }

static void place(llvm::json::Object &object, const LayoutRect &rect) {
  object["x"] = pixels(rect.x);
  object["y"] = pixels(rect.y);
  object["w"] = pixels(rect.w);
  object["h"] = pixels(rect.h);
}

llvm::json::Value toJSON(const Scene &scene) {
  llvm::json::Array nodes, edges, clusters;
  for (const SceneNode &node : scene.nodes) {
    llvm::json::Object object{{"id", node.id},
                              {"title", node.title.str()},
                              {"subtitle", node.subtitle.str()},
                              {"kind", nodeKindName(node.kind)},
                              {"dispatch", node.dispatch},
                              {"collapsed", node.collapsedCluster},
                              {"hidden", node.hidden}};
    if (node.count)
      object["count"] = node.count;
    if (node.portCount) {
      llvm::json::Array ports;
      for (const ScenePort &port : node.ports)
        ports.push_back(llvm::json::Object{{"id", port.id}, {"text", port.text}});
      object["ports"] = std::move(ports);
      object["port_count"] = node.portCount;
    }
    place(object, node.rect);
    nodes.push_back(std::move(object));
  }
  for (const SceneEdge &edge : scene.edges) {
    llvm::json::Array points;
    for (const LayoutPoint &point : edge.points) {
      points.push_back(pixels(point.x));
      points.push_back(pixels(point.y));
    }
    llvm::json::Array uses;
    for (const SceneUse &use : edge.uses)
      uses.push_back(llvm::json::Array{use.from, use.to, use.operand});
    llvm::json::Object object{{"from", edge.from},           {"to", edge.to},
                              {"label", edge.label.str()},   {"bytes", edge.bytes},
                              {"points", std::move(points)}, {"uses", std::move(uses)}};
    if (edge.labelRect.w > 0)
      object["label_at"] = llvm::json::Array{pixels(edge.labelRect.x), pixels(edge.labelRect.y),
                                             pixels(edge.labelRect.w), pixels(edge.labelRect.h)};
    edges.push_back(std::move(object));
  }
  for (const SceneCluster &cluster : scene.clusters) {
    llvm::json::Object object{{"id", cluster.id},
                              {"label", cluster.label},
                              {"kind", clusterKindName(cluster.kind)},
                              {"dispatch", cluster.dispatch},
                              {"depth", cluster.depth},
                              {"parent", cluster.parent},
                              {"title_x", pixels(cluster.titleAt.x)},
                              {"title_y", pixels(cluster.titleAt.y)}};
    place(object, cluster.rect);
    clusters.push_back(std::move(object));
  }
  llvm::json::Object bounds;
  place(bounds, scene.bounds);
  llvm::json::Array dispatchLocs, dispatchHues, hiddenOps;
  for (auto [op, node] : scene.hiddenOps)
    hiddenOps.push_back(llvm::json::Array{op, node});
  for (const std::string &loc : scene.dispatchLocs)
    dispatchLocs.push_back(loc);
  for (unsigned hue : scene.dispatchHues)
    dispatchHues.push_back(hue);
  return llvm::json::Object{
      {"nodes", std::move(nodes)},
      {"entry", scene.entry == noNode ? llvm::json::Value(nullptr) : llvm::json::Value(scene.entry)},
      {"edges", std::move(edges)},
      {"clusters", std::move(clusters)},
      {"bounds", std::move(bounds)},
      {"dispatch_locs", std::move(dispatchLocs)},
      {"dispatch_hues", std::move(dispatchHues)},
      {"hidden_ops", std::move(hiddenOps)}};
}

} // namespace fuselage
