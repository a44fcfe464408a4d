// The dispatches that would be formed of a function's ops. Internal to core/graph.
#pragma once
#include "core/transforms/dispatch/DispatchFormation.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

class PlannedGroups {
public:
  PlannedGroups() = default;
  /// `groups`: of planDispatches.
  explicit PlannedGroups(std::vector<DispatchGroup> groups);

  const std::vector<DispatchGroup> &groups() const { return groups_; }
  /// The group that shows an op, or -1. A producer that only one group clones is shown in there.
  int groupOf(mlir::Operation *op) const {
    auto found = groupOf_.find(op);
    return found == groupOf_.end() ? -1 : found->second;
  }

private:
  std::vector<DispatchGroup> groups_;
  llvm::DenseMap<mlir::Operation *, int> groupOf_;
};

} // namespace fuselage
