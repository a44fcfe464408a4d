// What the search for layers asks of a function's graph. Internal to core/graph.
#pragma once
#include "core/graph/model/Graph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// Ops that may stand for each other in layers have equal forms; the shape where nobody knows the form.
inline int formOf(const GraphNode &node) { return node.form ? node.form : -1 - node.shape; }

/// Edges by their ends, the nesting of the program, and which nodes hold no data of the user. Nodes go by
/// their index in the function.
class FlowIndex {
public:
  struct Input {
    int from;
    unsigned result;
  };

  explicit FlowIndex(const FunctionGraph &function);

  const FunctionGraph &function() const { return function_; }
  /// By the order of the edges; those from elsewhere are left out.
  llvm::ArrayRef<Input> inputsOf(int node) const {
    return llvm::ArrayRef(inputs_).slice(inputStart_[node], inputStart_[node + 1] - inputStart_[node]);
  }
  /// -1: no node of the function.
  int indexOf(OpId id) const {
    auto found = nodeAt_.find(id);
    return found == nodeAt_.end() ? -1 : found->second;
  }
  /// The innermost cluster that is no planned dispatch, which is no nesting of the program's; and its depth.
  int homeOf(int node) const { return home_[node]; }
  int depthOf(int node) const { return depth_[node]; }
  bool hasBody(int node) const { return hasBody_[node]; }
  /// The op around a node that stands right in the function, or the node itself.
  int topOf(int node) const { return top_[node]; }
  /// Structure of a constant expression, or -1: constants, empty tensors, and what is cheaply made of nothing else
  /// (fills, broadcasts). Where they stand in the program is chance, often far ahead of their use and shared.
  int leafOf(int node) const { return leaf_[node]; }
  /// Weights, and what is made of them and of leaves alone.
  bool isWeight(int node) const { return weight_[node]; }
  /// What flows through the program: neither a leaf, nor of weights alone, nor an argument.
  bool isFlow(int node) const { return leaf_[node] < 0 && !weight_[node] && function_.nodes[node].id >= 0; }

private:
  void indexEdges();
  void findHomes();
  void findLeaves();
  void findWeights();

  const FunctionGraph &function_;
  llvm::DenseMap<OpId, int> nodeAt_;
  std::vector<int> inputStart_;
  std::vector<Input> inputs_;
  std::vector<int> home_, depth_, top_, leaf_;
  std::vector<char> hasBody_, weight_;
};

} // namespace fuselage
