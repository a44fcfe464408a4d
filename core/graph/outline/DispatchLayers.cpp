#include "core/graph/outline/DispatchLayers.h"
#include "core/ir/module/Diagnostics.h"

namespace fuselage {

/// The outermost repeat around an instance, and which instance of it that is.
static std::pair<int, size_t> outermost(const FunctionGraph &function, int repeat, size_t instance) {
  while (function.repeats[repeat].parent >= 0) {
    const GraphRepeat &inner = function.repeats[repeat];
    instance = static_cast<size_t>(inner.parentInstance);
    repeat = inner.parent;
  }
  return {repeat, instance};
}

/// Adds the names of layers, by node. Layers that the exporter named come last, and count.
static void addLayers(const FunctionGraph &function, llvm::DenseMap<OpId, std::string> &layers) {
  for (size_t r = 0; r < function.repeats.size(); ++r)
    for (size_t i = 0; i < function.repeats[r].instances.size(); ++i) {
      auto [repeat, instance] = outermost(function, static_cast<int>(r), i);
      const std::vector<std::string> &names = function.repeats[repeat].names;
      std::string name = names.empty() ? "layer " + std::to_string(instance + 1) : names[instance];
      for (OpId node : function.repeats[r].instances[i])
        layers[node] = name;
    }
}

llvm::DenseMap<OpId, std::string> layersOfOps(const Graph &graph) {
  llvm::DenseMap<OpId, std::string> layers;
  for (const FunctionGraph &function : graph.functions)
    addLayers(function, layers);
  return layers;
}

std::map<std::string, std::string> layersOfPlaces(const Graph &graph, mlir::ModuleOp module) {
  llvm::DenseMap<OpId, std::string> layers = layersOfOps(graph);
  std::map<std::string, std::string> places;
  OpId next = 0;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    auto layer = layers.find(next++);
    if (layer == layers.end())
      return;
    auto [known, isNew] = places.try_emplace(formatPosition(positionOf(op->getLoc())), layer->second);
    if (!isNew && known->second != layer->second)
      known->second.clear();
  });
  std::erase_if(places, [](const auto &place) { return place.first.empty() || place.second.empty(); });
  return places;
}

std::map<std::string, std::vector<std::string>> layersOfDispatches(const Graph &graph) {
  std::map<std::string, std::vector<std::string>> layers;
  for (const FunctionGraph &function : graph.functions) {
    if (function.outlined)
      continue; // where it is called counts
    llvm::DenseMap<OpId, std::string> ofNodes;
    addLayers(function, ofNodes);
    for (const GraphDispatch &dispatch : function.dispatches) {
      std::string layer;
      for (OpId node : dispatch.nodes) // what it ends with says more than what it reads first
        if (auto found = ofNodes.find(node); found != ofNodes.end())
          layer = found->second;
      layers[dispatch.loc].push_back(std::move(layer));
    }
  }
  return layers;
}

} // namespace fuselage
