#include "core/graph/model/LayerNames.h"
#include "core/ir/module/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

/// The outermost scope that is a layer, or the outermost one.
static int layerAround(const FunctionGraph &function, int scope) {
  int layer = -1, outermost = scope;
  for (int each = scope; each >= 0; each = function.scopes[each].parent) {
    outermost = each;
    if (function.scopes[each].kind == GraphScope::Kind::Layer)
      layer = each;
  }
  return layer >= 0 ? layer : outermost;
}

LayerNames::LayerNames(const Graph &graph) {
  for (const FunctionGraph &function : graph.functions) {
    addScopes(function);
    addRepeats(function);
  }
}

int LayerNames::add(std::string name) {
  names_.push_back(std::move(name));
  return static_cast<int>(names_.size()) - 1;
}

void LayerNames::addScopes(const FunctionGraph &function) {
  std::vector<int> nameOfScope(function.scopes.size(), -1);
  for (const GraphNode &node : function.nodes) {
    if (node.scope < 0)
      continue;
    int scope = layerAround(function, node.scope);
    if (nameOfScope[scope] < 0)
      nameOfScope[scope] = add(function.scopes[scope].path);
    nameOf_[node.id] = nameOfScope[scope];
  }
}

/// Of ops in no scope. What is in a repeat within a repeat has the name of the outer one's instance.
void LayerNames::addRepeats(const FunctionGraph &function) {
  std::vector<std::vector<int>> nameOfInstance; // by repeat, outer ones first
  bool isOnly = llvm::count_if(function.repeats, [](const GraphRepeat &each) { return each.parent < 0; }) == 1;
  for (const GraphRepeat &repeat : function.repeats) {
    std::vector<int> &names = nameOfInstance.emplace_back();
    for (size_t instance = 0; instance < repeat.instances.size(); ++instance) {
      std::string name = (isOnly ? "layer " : repeat.label + " layer ") + std::to_string(instance + 1);
      names.push_back(repeat.parent < 0 ? add(name) : nameOfInstance[repeat.parent][repeat.parentInstance]);
      for (OpId id : repeat.instances[instance])
        nameOf_.try_emplace(id, names.back());
    }
  }
}

std::string LayerNames::of(OpId op) const {
  auto found = nameOf_.find(op);
  return found == nameOf_.end() ? "" : names_[found->second];
}

std::map<std::string, std::vector<std::string>> layersOfDispatches(const Graph &graph, const LayerNames &names) {
  std::map<std::string, std::vector<std::string>> layers;
  for (const FunctionGraph &function : graph.functions) {
    if (function.outlined)
      continue; // where it is called counts
    for (const GraphDispatch &dispatch : function.dispatches) {
      std::string layer;
      for (OpId node : dispatch.nodes) // what it ends with says more than what it reads first
        if (std::string name = names.of(node); !name.empty())
          layer = std::move(name);
      layers[dispatch.loc].push_back(std::move(layer));
    }
  }
  return layers;
}

std::map<std::string, std::string> layersOfPlaces(const LayerNames &names, mlir::ModuleOp module) {
  std::map<std::string, std::string> places;
  OpId next = 0;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    std::string layer = names.of(next++);
    if (layer.empty())
      return;
    auto [known, isNew] = places.try_emplace(formatPosition(positionOf(op->getLoc())), layer);
    if (!isNew && known->second != layer)
      known->second.clear();
  });
  std::erase_if(places, [](const auto &place) { return place.first.empty() || place.second.empty(); });
  return places;
}

} // namespace fuselage
