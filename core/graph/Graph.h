// The dispatch graph as plain data: no MLIR types, so that any front end can hold it.
#pragma once
#include "core/ir/PrintedModule.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace fuselage {

enum class NodeKind { Compute, Constant, Empty, Reshape, Slice, Call, Argument, Return, Control, Dispatch, Other };
llvm::StringRef nodeKindName(NodeKind kind);

/// One op. `id` is the op's OpId in its snapshot; block arguments have ids from -1 downwards.
struct GraphNode {
  OpId id = 0;
  std::string op;    ///< "linalg.matmul"; "argument" for a block argument
  std::string label; ///< short: "matmul 128x768x768"
  NodeKind kind = NodeKind::Other;
  std::vector<std::string> results; ///< "%3", as the text prints them
  std::vector<std::string> types;   ///< of the results
  std::string loc;                  ///< "file:line:col", or empty
  int dispatch = -1;                ///< index into FunctionGraph::dispatches
  int cluster = -1;                 ///< innermost cluster, index into FunctionGraph::clusters
  int64_t flops = 0, bytesRead = 0, bytesWritten = 0; ///< -1: unknown (dynamic)
  std::string iterators;            ///< "parallel, parallel, reduction"
  std::vector<std::string> maps;    ///< indexing maps, an operand each
  LineRange lines;
};

/// SSA use: result of `from` is operand number `operand` of `to`. bytes -1: dynamic.
struct GraphEdge {
  OpId from = 0, to = 0;
  unsigned operand = 0;
  std::string type;
  int64_t bytes = -1;
};

/// An op with regions, drawn around the nodes inside it.
struct GraphCluster {
  OpId id = 0; ///< the op
  int parent = -1;
  std::string label;
  enum class Kind { Function, Dispatch, Region } kind = Kind::Region;
};

struct GraphDispatch {
  int id = 0;
  std::string name; ///< "matmul_128x768x768"
  std::string kind; ///< "contraction", "convolution", "reduction", "elementwise", "other"
  std::vector<OpId> nodes;
  int64_t flops = 0, bytesRead = 0, bytesWritten = 0;
};

struct FunctionGraph {
  std::string name;
  std::vector<GraphNode> nodes; ///< in program order
  std::vector<GraphEdge> edges;
  std::vector<GraphCluster> clusters; ///< parents before children
  std::vector<GraphDispatch> dispatches;
};

struct Graph {
  std::vector<FunctionGraph> functions;
};

/// {"version":1,"functions":[{name, nodes:[{id, op, results, types, loc, dispatch, ...}],
/// edges:[{from, to, operand, type, bytes}], dispatches:[{id, name, kind, nodes, flops,
/// bytes_read, bytes_written}], clusters:[...]}]}
llvm::json::Value toJSON(const Graph &graph);

} // namespace fuselage
