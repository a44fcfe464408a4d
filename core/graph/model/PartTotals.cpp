#include "core/graph/model/PartTotals.h"
#include "core/graph/model/RepeatClusters.h"
#include "core/graph/model/ScopeTree.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

static void addTo(int64_t &sum, int64_t part) { sum = sum < 0 || part < 0 ? -1 : sum + part; }

PartTotals &PartTotals::operator+=(const PartTotals &other) {
  ops += other.ops;
  dispatches += other.dispatches;
  addTo(flops, other.flops);
  addTo(bytesRead, other.bytesRead);
  addTo(bytesWritten, other.bytesWritten);
  bytesAtMost |= other.bytesAtMost;
  return *this;
}

PartTotals totalsOf(const GraphDispatch &dispatch) {
  return {.dispatches = 1,
          .flops = dispatch.flops,
          .bytesRead = dispatch.bytesRead,
          .bytesWritten = dispatch.bytesWritten,
          .bytesAtMost = dispatch.bytesAtMost};
}

ModelParts::ModelParts(const FunctionGraph &function) : function_(function) {
  for (const GraphScope &scope : function_.scopes)
    parts_.push_back({.parent = scope.parent});
  for (const GraphNode &node : function_.nodes)
    ofNode_.push_back(node.scope);
  addRepeats();
  placeDispatches();
  sumUp();
}

void ModelParts::addRepeats() {
  instances_.resize(function_.repeats.size());
  if (function_.repeats.empty())
    return;
  llvm::DenseMap<OpId, int> nodeAt;
  for (size_t n = 0; n < function_.nodes.size(); ++n)
    nodeAt[function_.nodes[n].id] = static_cast<int>(n);
  for (size_t r = 0; r < function_.repeats.size(); ++r) {
    const GraphRepeat &repeat = function_.repeats[r];
    if (!repeat.names.empty())
      continue; // they are scopes
    auto first = nodeAt.find(repeat.first);
    int parent = repeat.parent >= 0      ? instances_[repeat.parent][repeat.parentInstance]
                 : first != nodeAt.end() ? function_.nodes[first->second].scope
                                         : -1;
    for (const std::vector<OpId> &nodes : repeat.instances) {
      instances_[r].push_back(static_cast<int>(parts_.size()));
      for (OpId id : nodes)
        if (auto node = nodeAt.find(id); node != nodeAt.end())
          ofNode_[node->second] = static_cast<int>(parts_.size());
      parts_.push_back({.parent = parent});
    }
  }
}

/// A dispatch lies where its last op does that is more than a constant, and its ops lie with it.
void ModelParts::placeDispatches() {
  std::vector<int> scopes = scopesOfDispatches(function_);
  ofDispatch_.assign(function_.dispatches.size(), -1);
  std::vector<char> isPlaced(function_.dispatches.size(), 0);
  auto isInstance = [&](int part) { return part >= static_cast<int>(function_.scopes.size()); };
  for (size_t n = 0; n < function_.nodes.size(); ++n) {
    const GraphNode &node = function_.nodes[n];
    int dispatch = node.dispatch;
    if (dispatch < 0 || node.id < 0 || (isPlaced[dispatch] && (node.isWeight || node.isLeaf)))
      continue;
    ofDispatch_[dispatch] = isInstance(ofNode_[n]) ? ofNode_[n] : scopes[dispatch];
    isPlaced[dispatch] = 1;
  }
  // The region of a dispatch lies in the part that the dispatch does.
  for (size_t n = 0; n < function_.nodes.size(); ++n)
    if (int dispatch = function_.nodes[n].dispatch; dispatch >= 0)
      ofNode_[n] = ofDispatch_[dispatch];
}

void ModelParts::sumUp() {
  for (size_t n = 0; n < function_.nodes.size(); ++n)
    if (ofNode_[n] >= 0 && function_.nodes[n].id >= 0)
      ++parts_[ofNode_[n]].totals.ops;
  for (size_t d = 0; d < function_.dispatches.size(); ++d)
    if (ofDispatch_[d] >= 0)
      parts_[ofDispatch_[d]].totals += totalsOf(function_.dispatches[d]);
  for (size_t part = parts_.size(); part-- > 0;)
    if (parts_[part].parent >= 0)
      parts_[parts_[part].parent].totals += parts_[part].totals;
  for (size_t s = 0; s < function_.scopes.size(); ++s)
    ofCluster_[scopeClusterId(function_.scopes[s].first, function_.scopes[s].depth)] = parts_[s].totals;
  for (size_t r = 0; r < function_.repeats.size(); ++r)
    for (size_t i = 0; i < instances_[r].size(); ++i) {
      const GraphRepeat &repeat = function_.repeats[r];
      const PartTotals &own = parts_[instances_[r][i]].totals;
      ofCluster_[repeatClusterId(repeat, RepeatPart::Instance, i)] = own;
      ofCluster_[repeatClusterId(repeat, RepeatPart::Whole)] += own;
      if (i > 0)
        ofCluster_[repeatClusterId(repeat, RepeatPart::Others)] += own;
    }
}

const PartTotals *ModelParts::ofCluster(OpId cluster) const {
  auto found = ofCluster_.find(cluster);
  return found == ofCluster_.end() ? nullptr : &found->second;
}

} // namespace fuselage
