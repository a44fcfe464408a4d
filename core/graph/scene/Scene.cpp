#include "core/graph/scene/Scene.h"
#include "core/graph/scene/SceneBuilder.h"

namespace fuselage {

llvm::Expected<Scene> buildScene(const Graph &graph, const SceneOptions &options, const std::atomic<bool> *cancelled) {
  Scene scene;
  LayoutGraph layoutGraph;
  { // what it looks up is not kept through the layout
    SceneBuilder builder(graph, options);
    if (llvm::Error error = builder.select())
      return error;
    scene = std::move(builder.scene);
    layoutGraph = std::move(builder.layout);
  }
  for (LayoutGraph::Edge &edge : layoutGraph.edges)
    for (int *end : {&edge.from, &edge.to})
      if (*end < 0)
        *end = layoutGraph.clusterEnd(-2 - *end);
  llvm::Expected<LayoutResult> places = layout(layoutGraph, options.engine, cancelled);
  if (!places)
    return places.takeError();
  for (size_t n = 0; n < scene.nodes.size(); ++n) {
    scene.nodes[n].cluster = layoutGraph.nodes[n].cluster;
    scene.nodes[n].rect = places->nodes[n];
  }
  for (size_t c = 0; c < scene.clusters.size(); ++c)
    scene.clusters[c].rect = places->clusters[c];
  size_t kept = 0;
  for (size_t e = 0; e < scene.edges.size(); ++e) {
    if (places->edges[e].size() < 2)
      continue; // from a cluster to its own inside
    scene.edges[e].points = std::move(places->edges[e]);
    if (kept != e)
      scene.edges[kept] = std::move(scene.edges[e]);
    ++kept;
  }
  scene.edges.resize(kept);
  scene.bounds = places->bounds;
  if (cancelled && cancelled->load())
    return fail("the layout was cancelled");
  placeLabels(scene);
  return scene;
}

} // namespace fuselage
