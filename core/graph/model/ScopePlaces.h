// Which part of a model each op belongs to. Internal to core/graph.
#pragma once
#include "core/graph/model/FlowIndex.h"
#include "core/graph/patterns/ScopeNames.h"

namespace fuselage {

/// The nodes that stand right in a function and through which its data flows, in program order, with the paths that
/// they belong to. See findScopes.
class ScopePlaces {
public:
  ScopePlaces(const FlowIndex &flow, const std::vector<std::string> &locations);

  const ScopeNames &names() const { return names_; }
  /// The beginning that all paths have in common; the tree of scopes begins below.
  int root() const { return root_; }
  /// Whether a path is named by an op or a parameter itself, and not only by what is in it.
  bool isSaid(int path) const { return said_[path]; }
  size_t size() const { return nodes_.size(); }
  int nodeAt(size_t place) const { return nodes_[place]; }
  int pathAt(size_t place) const { return paths_[place]; }
  /// Places that feed this one.
  llvm::ArrayRef<int> inputsOf(size_t place) const { return inputs_[place]; }
  /// -1: a leaf, a weight, an argument.
  int placeOf(int node) const { return place_[node]; }

private:
  void findHints(const std::vector<std::string> &locations);
  void findRoot();
  void indexInputs();
  size_t cutOf(size_t begin, size_t end) const;
  int within(int path, int outer) const { return path >= 0 && names_.isWithin(path, outer) ? path : outer; }
  void fillForwards();
  void fillBackwards();
  int afterProducers(size_t place, int before, int around) const;

  const FlowIndex &flow_;
  ScopeNames names_;
  int root_ = 0;
  std::vector<char> said_;         // by path
  std::vector<int> nodes_, place_; // node by place, place by node
  std::vector<int> hints_;         // by place: a path, or -1
  std::vector<int> paths_;         // by place
  std::vector<int>
      around_; // by place without a hint that goes with its readers: the path that it may not leave, else -1
  std::vector<std::vector<int>> inputs_; // by place
  std::vector<int> lastUse_;             // by place
  std::vector<int> lastReader_;          // by place: the last one that reads it, of those that were filled in
};

} // namespace fuselage
