#include "core/graph/Graph.h"

namespace fuselage {

llvm::StringRef nodeKindName(NodeKind kind) {
  switch (kind) {
  case NodeKind::Compute:
    return "compute";
  case NodeKind::Constant:
    return "constant";
  case NodeKind::Empty:
    return "empty";
  case NodeKind::Reshape:
    return "reshape";
  case NodeKind::Slice:
    return "slice";
  case NodeKind::Call:
    return "call";
  case NodeKind::Argument:
    return "argument";
  case NodeKind::Return:
    return "return";
  case NodeKind::Control:
    return "control";
  case NodeKind::Dispatch:
    return "dispatch";
  case NodeKind::Gap:
    return "gap";
  case NodeKind::Other:
    return "other";
  }
  return "other";
}

llvm::StringRef clusterKindName(GraphCluster::Kind kind) {
  switch (kind) {
  case GraphCluster::Kind::Function:
    return "function";
  case GraphCluster::Kind::Dispatch:
    return "dispatch";
  case GraphCluster::Kind::Region:
    return "region";
  case GraphCluster::Kind::Repeat:
    return "repeat";
  case GraphCluster::Kind::Instance:
    return "instance";
  case GraphCluster::Kind::Others:
    return "others";
  }
  return "region";
}

static llvm::json::Value toJSON(const GraphNode &node) {
  return llvm::json::Object{{"id", node.id},
                            {"op", node.op},
                            {"label", node.label},
                            {"kind", nodeKindName(node.kind)},
                            {"results", node.results},
                            {"types", node.types},
                            {"loc", node.loc},
                            {"dispatch", node.dispatch},
                            {"cluster", node.cluster},
                            {"flops", node.flops},
                            {"bytes_read", node.bytesRead},
                            {"bytes_written", node.bytesWritten},
                            {"iterators", node.iterators},
                            {"maps", node.maps},
                            {"first_line", node.lines.first},
                            {"last_line", node.lines.last}};
}

static llvm::json::Value toJSON(const FunctionGraph &function) {
  llvm::json::Array nodes, edges, dispatches, clusters;
  for (const GraphNode &node : function.nodes)
    nodes.push_back(toJSON(node));
  for (const GraphEdge &edge : function.edges)
    edges.push_back(llvm::json::Object{{"from", edge.from},
                                       {"to", edge.to},
                                       {"operand", edge.operand},
                                       {"result", edge.result},
                                       {"type", edge.type},
                                       {"bytes", edge.bytes}});
  for (const GraphDispatch &dispatch : function.dispatches)
    dispatches.push_back(llvm::json::Object{{"id", dispatch.id},
                                            {"name", dispatch.name},
                                            {"kind", dispatch.kind},
                                            {"function", dispatch.function},
                                            {"nodes", dispatch.nodes},
                                            {"flops", dispatch.flops},
                                            {"bytes_read", dispatch.bytesRead},
                                            {"bytes_written", dispatch.bytesWritten}});
  for (const GraphCluster &cluster : function.clusters)
    clusters.push_back(llvm::json::Object{{"id", cluster.id},
                                          {"parent", cluster.parent},
                                          {"label", cluster.label},
                                          {"kind", clusterKindName(cluster.kind)},
                                          {"dispatch", cluster.dispatch}});
  llvm::json::Array repeats;
  for (const GraphRepeat &repeat : function.repeats) {
    llvm::json::Array instances;
    for (const std::vector<OpId> &instance : repeat.instances)
      instances.push_back(llvm::json::Array(instance));
    repeats.push_back(llvm::json::Object{{"label", repeat.label},
                                         {"count", repeat.instances.size()},
                                         {"cluster", repeat.cluster},
                                         {"parent", repeat.parent},
                                         {"parent_instance", repeat.parentInstance},
                                         {"instances", std::move(instances)}});
  }
  return llvm::json::Object{{"name", function.name},
                            {"id", function.id},
                            {"outlined", function.outlined},
                            {"nodes", std::move(nodes)},
                            {"edges", std::move(edges)},
                            {"dispatches", std::move(dispatches)},
                            {"clusters", std::move(clusters)},
                            {"repeats", std::move(repeats)}};
}

llvm::json::Value toJSON(const Graph &graph) {
  llvm::json::Array functions;
  for (const FunctionGraph &function : graph.functions)
    functions.push_back(toJSON(function));
  return llvm::json::Object{{"version", 1}, {"functions", std::move(functions)}};
}

} // namespace fuselage
