#include "core/graph/build/PlannedGroups.h"

using namespace mlir;

namespace fuselage {

PlannedGroups::PlannedGroups(std::vector<DispatchGroup> groups) : groups_(std::move(groups)) {
  for (size_t g = 0; g < groups_.size(); ++g)
    for (Operation *member : groups_[g].ops)
      groupOf_[member] = static_cast<int>(g);
  for (size_t g = groups_.size(); g-- > 0;)
    for (Operation *producer : llvm::reverse(groups_[g].clonedProducers)) {
      bool only = llvm::all_of(producer->getUsers(), [&](Operation *user) {
        Operation *inBlock = producer->getBlock()->findAncestorOpInBlock(*user);
        return inBlock && groupOf(inBlock) == static_cast<int>(g);
      });
      if (only)
        groupOf_.try_emplace(producer, static_cast<int>(g));
    }
}

} // namespace fuselage
