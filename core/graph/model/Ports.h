// Weights and constants as ports of the ops that read them.
#pragma once
#include "core/graph/model/Graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// Whether a node is a port of its readers: it brings a parameter, or is a constant of more than one element, which is
/// no part of the op.
bool isPort(const GraphNode &node);

/// The ports of a function, to be asked for again and again.
class PortIndex {
public:
  /// `isFolded`: whether a node is not drawn by itself, by its index in the function.
  PortIndex(const FunctionGraph &function, llvm::function_ref<bool(int)> isFolded);
  /// By index of a folded node, the ports that it stands for: itself, or of a weight that is made of weights those. At
  /// most a few.
  llvm::ArrayRef<int> portsOf(int node) const { return ports_[node]; }
  int indexOf(OpId id) const {
    auto at = index_.find(id);
    return at == index_.end() ? -1 : at->second;
  }

private:
  llvm::DenseMap<OpId, int> index_;
  std::vector<llvm::SmallVector<int, 1>> ports_;
};

/// The ports of a set of nodes, as indices in the function, each once, in order of their readers' operands.
std::vector<int> portsOf(const FunctionGraph &function, llvm::function_ref<bool(const GraphNode &)> isReader);

} // namespace fuselage
