#include "core/graph/model/ScopeTree.h"

namespace fuselage {

int commonScope(const FunctionGraph &function, int a, int b) {
  const auto &scopes = function.scopes;
  while (a != b) {
    int depthA = a < 0 ? -1 : scopes[a].depth, depthB = b < 0 ? -1 : scopes[b].depth;
    if (depthA >= depthB)
      a = scopes[a].parent;
    if (depthB >= depthA)
      b = scopes[b].parent;
  }
  return a;
}

std::vector<int> scopesOfDispatches(const FunctionGraph &function) {
  struct Home {
    bool isKnown = false, isSplit = false; // split: between scopes side by side
    int scope = -1;
  };
  std::vector<Home> homes(function.dispatches.size());
  std::vector<char> hasFlow(function.dispatches.size(), 0);
  auto isFlow = [](const GraphNode &node) { return !node.isWeight && !node.isLeaf && node.id >= 0; };
  for (const GraphNode &node : function.nodes)
    if (node.dispatch >= 0 && isFlow(node))
      hasFlow[node.dispatch] = 1;
  for (const GraphNode &node : function.nodes) {
    if (node.dispatch < 0 || (hasFlow[node.dispatch] && !isFlow(node)))
      continue;
    Home &home = homes[node.dispatch];
    int common = home.isKnown ? commonScope(function, home.scope, node.scope) : node.scope;
    bool isChain = !home.isKnown || common == home.scope || common == node.scope;
    if (!home.isKnown || home.isSplit || !isChain)
      home.scope = common;
    else if (common == home.scope)
      home.scope = node.scope;
    home.isSplit |= !isChain;
    home.isKnown = true;
  }
  std::vector<int> scopes;
  for (const Home &home : homes)
    scopes.push_back(home.scope);
  return scopes;
}

} // namespace fuselage
