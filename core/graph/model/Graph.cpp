#include "core/graph/model/Graph.h"

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
  case GraphCluster::Kind::Scope:
    return "scope";
  }
  return "region";
}

llvm::StringRef scopeKindName(GraphScope::Kind kind) {
  switch (kind) {
  case GraphScope::Kind::Module:
    return "module";
  case GraphScope::Kind::Stage:
    return "stage";
  case GraphScope::Kind::Layer:
    return "layer";
  case GraphScope::Kind::Block:
    return "block";
  }
  return "module";
}

/// Bounds say that they are; numbers that are exact say nothing.
static llvm::json::Value withBound(llvm::json::Object json, bool bytesAtMost) {
  if (bytesAtMost)
    json["bytes_at_most"] = true;
  return json;
}

static llvm::json::Value toJSON(const GraphScope &scope) {
  return llvm::json::Object{{"path", scope.path},
                            {"label", scope.label},
                            {"kind", scopeKindName(scope.kind)},
                            {"parent", scope.parent},
                            {"first", scope.first}};
}

static llvm::json::Value toJSON(const GraphNode &node) {
  llvm::json::Object json{{"id", node.id},
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
  if (!node.parameter.empty())
    json["parameter"] = node.parameter;
  if (node.scope >= 0)
    json["scope"] = node.scope;
  return withBound(std::move(json), node.bytesAtMost);
}

static llvm::json::Value toJSON(const GraphEdge &edge) {
  return withBound(llvm::json::Object{{"from", edge.from},
                                      {"to", edge.to},
                                      {"operand", edge.operand},
                                      {"result", edge.result},
                                      {"type", edge.type},
                                      {"bytes", edge.bytes}},
                   edge.bytesAtMost);
}

static llvm::json::Value toJSON(const GraphDispatch &dispatch) {
  return withBound(llvm::json::Object{{"id", dispatch.id},
                                      {"name", dispatch.name},
                                      {"kind", dispatch.kind},
                                      {"function", dispatch.function},
                                      {"nodes", dispatch.nodes},
                                      {"flops", dispatch.flops},
                                      {"bytes_read", dispatch.bytesRead},
                                      {"bytes_written", dispatch.bytesWritten}},
                   dispatch.bytesAtMost);
}

static llvm::json::Value toJSON(const GraphCluster &cluster) {
  return llvm::json::Object{{"id", cluster.id},
                            {"parent", cluster.parent},
                            {"label", cluster.label},
                            {"kind", clusterKindName(cluster.kind)},
                            {"dispatch", cluster.dispatch}};
}

static llvm::json::Value toJSON(const GraphRepeat &repeat) {
  llvm::json::Array instances;
  instances.reserve(repeat.instances.size());
  for (const std::vector<OpId> &instance : repeat.instances)
    instances.push_back(llvm::json::Array(instance));
  llvm::json::Object json{
      {"label", repeat.label},   {"count", repeat.instances.size()},         {"cluster", repeat.cluster},
      {"parent", repeat.parent}, {"parent_instance", repeat.parentInstance}, {"instances", std::move(instances)}};
  if (!repeat.names.empty())
    json["names"] = repeat.names;
  return json;
}

/// One element at a time: the values of a whole graph take many times its text.
template <typename T>
static void writeArray(llvm::json::OStream &json, llvm::StringRef key, const std::vector<T> &elements) {
  json.attributeArray(key, [&] {
    for (const T &element : elements)
      json.value(toJSON(element));
  });
}

static void writeFunction(llvm::json::OStream &json, const FunctionGraph &function) {
  json.object([&] {
    writeArray(json, "clusters", function.clusters);
    writeArray(json, "dispatches", function.dispatches);
    writeArray(json, "edges", function.edges);
    json.attribute("id", function.id);
    json.attribute("name", function.name);
    writeArray(json, "nodes", function.nodes);
    json.attribute("outlined", function.outlined);
    writeArray(json, "repeats", function.repeats);
    writeArray(json, "scopes", function.scopes);
  });
}

void writeJSON(const Graph &graph, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("functions", [&] {
      for (const FunctionGraph &function : graph.functions)
        writeFunction(json, function);
    });
    json.attribute("version", 1);
  });
  os << '\n';
}

} // namespace fuselage
