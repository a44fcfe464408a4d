// The dispatch graph as plain data: no MLIR types, so that any front end can hold it.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include "core/support/SharedText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fuselage {

/// Gap: text that could not be parsed, or a value that nothing defines.
enum class NodeKind { Compute, Constant, Empty, Reshape, Slice, Call, Argument, Return, Control, Dispatch, Gap, Other };
llvm::StringRef nodeKindName(NodeKind kind);

/// One op. `id` is the op's OpId in its snapshot; block arguments have ids from -1 downwards, over
/// all functions of the graph. An op with regions is a node and, under the same id, a cluster: drawn
/// as the one when collapsed and as the other when expanded.
struct GraphNode {
  OpId id = 0;
  SharedText op;    ///< "linalg.matmul", as users write it; "argument" for a block argument
  SharedText label; ///< short: "matmul 128x768x768"
  NodeKind kind = NodeKind::Other;
  bool bytesAtMost = false;                           ///< data decides what is touched; it may be less
  bool isWeight = false;                              ///< brings a parameter, or is made of such and of constants alone
  bool isLeaf = false;                                ///< constant, or cheaply made of constants: a fill
  std::vector<std::string> results;                   ///< "%3", as the text prints them
  llvm::SmallVector<SharedText, 1> types;             ///< of the results
  SharedText loc;                                     ///< "file:line:col", or empty
  int dispatch = -1;                                  ///< index into FunctionGraph::dispatches
  int cluster = -1;                                   ///< innermost cluster, index into FunctionGraph::clusters
  int64_t flops = 0, bytesRead = 0, bytesWritten = 0; ///< -1: unknown (dynamic)
  SharedText iterators;                               ///< "parallel, parallel, reduction"
  std::vector<SharedText> maps;                       ///< indexing maps, an operand each
  LineRange lines;
  SharedText parameter; ///< the name of the model's parameter that an argument or a load brings; or empty
  int scope = -1;       ///< innermost part of the model, index into FunctionGraph::scopes
  int shape = 0;        ///< equal numbers in a Graph: ops of equal name, types and attributes (NodeShapes.h)
  int form = 0; ///< equal positive numbers: ops that are alike but for sizes, element types and numbers (NodeForms.h)
};

/// Ids of clusters that no op stands for (planned dispatches) are `plannedClusterId` of their root op.
inline constexpr OpId plannedClusterBase = -1'000'000'000;
inline OpId plannedClusterId(OpId root) { return plannedClusterBase - root; }

/// Clusters of repeats (see GraphRepeat) have ids from here downwards.
inline constexpr OpId repeatClusterBase = -1'000'000'000'000;
inline bool isPlannedCluster(OpId id) { return id <= plannedClusterBase && id > repeatClusterBase; }

/// Clusters of scopes (see GraphScope) have ids from here downwards.
inline constexpr OpId scopeClusterBase = -4'000'000'000'000;
inline OpId scopeClusterId(OpId first, int depth) { return scopeClusterBase - (first * 16 + depth); }

/// No node has this id.
inline constexpr OpId noNode = INT64_MIN;

/// SSA use: result of `from` is operand number `operand` of `to`. Values that a payload captures
/// count as operands after the op's own. `bytes`: what `to` touches of the value, of a slice or a gather
/// less than all; -1: dynamic, or no value in memory.
struct GraphEdge {
  OpId from = 0, to = 0;
  unsigned operand = 0;
  unsigned result = 0; ///< of `from`
  SharedText type;
  int64_t bytes = -1;
  bool bytesAtMost = false;
};

/// A result of a node.
struct GraphValue {
  OpId node = noNode;
  unsigned result = 0;
};

/// An op with regions, drawn around the nodes inside it.
struct GraphCluster {
  OpId id = 0; ///< the op
  int parent = -1;
  std::string label;
  /// Repeat, Instance, Others: made of a GraphRepeat for a picture; Scope: of a GraphScope.
  enum class Kind { Function, Dispatch, Region, Repeat, Instance, Others, Scope } kind = Kind::Region;
  int dispatch = -1; ///< index into FunctionGraph::dispatches, for Kind::Dispatch
  /// What a picture needs to lead edges through the border: by result, the value inside that comes
  /// out (`noNode` if that is not one value), and by operand, the block argument it goes into.
  std::vector<GraphValue> yields;
  std::map<unsigned, OpId> entries;
};

/// "function", "dispatch", "region", "repeat", "instance", "others" or "scope".
llvm::StringRef clusterKindName(GraphCluster::Kind kind);

struct GraphDispatch {
  int id = 0;           ///< the index in FunctionGraph::dispatches
  std::string name;     ///< "matmul_128x768x768"
  std::string kind;     ///< "contraction", "convolution", "reduction", "elementwise", "other"
  std::string function; ///< FunctionGraph::name of what it was outlined into; empty while it is inline
  std::string loc;      ///< of the root op, which every later form of the dispatch keeps; empty: unknown
  std::vector<OpId> nodes;
  int64_t flops = 0, bytesRead = 0, bytesWritten = 0;
  bool bytesAtMost = false;
};

/// Structurally equal groups of nodes that follow each other in program order: layers, blocks, heads.
struct GraphRepeat {
  std::string label; ///< what an instance mostly does: "matmul 128x768x768"
  OpId first = 0;    ///< the first node of the first instance
  int cluster = -1;  ///< the cluster around it, index into FunctionGraph::clusters
  /// The repeat around it (index into FunctionGraph::repeats, before this one), in which instance of
  /// it, and how many repeats are around it.
  int parent = -1, parentInstance = -1, depth = 0;
  std::vector<std::vector<OpId>> instances; ///< nodes, those of repeats inside excepted
  std::vector<std::string> names;           ///< by instance, of layers that are scopes ("encoder.layer.3"); else empty
};

/// A part of the model, as its exporter named it: what runs from entering a module until it is left. Of a module that
/// is entered again with other work in between, each call is a scope.
struct GraphScope {
  /// Layer: one of equal or similar parts that are numbered. Stage: holds layers and is numbered itself. Block: a part
  /// of a layer. Module: any other.
  enum class Kind { Module, Stage, Layer, Block } kind = Kind::Module;
  std::string path;  ///< "encoder.layer.3.attention"
  std::string label; ///< among its siblings: "attention", "layer.3"
  int parent = -1;   ///< index into FunctionGraph::scopes, before this one
  int depth = 0;     ///< how many are around it
  OpId first = 0;    ///< its first node in program order
};

/// "module", "stage", "layer" or "block".
llvm::StringRef scopeKindName(GraphScope::Kind kind);

struct FunctionGraph {
  std::string name;      ///< "main"; "executable::kernel" in an executable
  OpId id = 0;           ///< the function op; 0 for ops outside of any function
  bool outlined = false; ///< one dispatch: made from one, or a kernel; a Dispatch node may stand for it elsewhere
  bool isEntry = false;  ///< where the program begins; one function of a graph
  std::vector<GraphNode> nodes; ///< in program order
  std::vector<GraphEdge> edges;
  std::vector<GraphCluster> clusters; ///< parents before children
  std::vector<GraphDispatch> dispatches;
  std::vector<GraphRepeat> repeats; ///< outer before inner; at last those that are scopes, which stand in no other
  std::vector<GraphScope> scopes;   ///< outer before inner
};

struct Graph {
  std::vector<FunctionGraph> functions;
};

/// {"version":1,"functions":[{name, nodes:[{id, op, results, types, loc, dispatch, ...}],
/// edges:[{from, to, operand, type, bytes}], dispatches:[{id, name, kind, nodes, flops,
/// bytes_read, bytes_written}], (with "bytes_at_most": true where data decides and it may be less), clusters:[...],
/// repeats:[{label, count, cluster, parent, parent_instance, instances:[[id]], (of layers with names) names:[string]}],
/// scopes:[{path, label, kind, parent, first}]}]}, and of nodes that have them "scope" and "parameter". All of it is
/// printable (PrintableText.h).
void writeJSON(llvm::ArrayRef<const FunctionGraph *> functions, llvm::raw_ostream &os);

} // namespace fuselage
