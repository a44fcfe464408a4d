#include "core/graph/model/Ports.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// "tensor<4xf32>", but not "tensor<f32>" and "f32".
static bool hasDimensions(llvm::StringRef type) {
  return type.contains('<') && type.take_until([](char c) { return c == '>'; }).contains('x');
}

bool isPort(const GraphNode &node) {
  if (!node.parameter.empty())
    return true;
  return node.kind == NodeKind::Constant && !node.types.empty() && hasDimensions(node.types.front());
}

PortIndex::PortIndex(const FunctionGraph &function, llvm::function_ref<bool(int)> isFolded) {
  constexpr size_t most = 16;
  const auto &nodes = function.nodes;
  ports_.resize(nodes.size());
  std::vector<char> folded(nodes.size(), 0);
  for (size_t n = 0; n < nodes.size(); ++n) {
    int node = static_cast<int>(n);
    index_[nodes[n].id] = node;
    folded[n] = isFolded(node);
    if (folded[n] && isPort(nodes[n]))
      ports_[n].push_back(node);
  }
  for (const GraphEdge &edge : function.edges) { // in program order: what feeds a weight is known by then
    int from = indexOf(edge.from), to = indexOf(edge.to);
    if (from < 0 || to < 0 || !folded[from] || !folded[to] || !nodes[to].isWeight)
      continue;
    for (int port : ports_[from])
      if (ports_[to].size() < most && !llvm::is_contained(ports_[to], port))
        ports_[to].push_back(port);
  }
}

std::vector<int> portsOf(const FunctionGraph &function, llvm::function_ref<bool(const GraphNode &)> isReader) {
  const auto &nodes = function.nodes;
  auto isData = [&](const GraphNode &node) {
    return node.isWeight || node.kind == NodeKind::Constant || !node.parameter.empty();
  };
  PortIndex index(function, [&](int node) { return isData(nodes[node]); });
  std::vector<int> ports;
  llvm::DenseSet<int> seen;
  for (const GraphEdge &edge : function.edges) {
    int from = index.indexOf(edge.from), to = index.indexOf(edge.to);
    if (from < 0 || to < 0 || !isReader(nodes[to]))
      continue;
    for (int port : index.portsOf(from))
      if (nodes[port].id != nodes[to].id && seen.insert(port).second)
        ports.push_back(port);
  }
  return ports;
}

} // namespace fuselage
