// Which devices exchange data in a collective.
#pragma once
#include "core/dialects/sharding/Collective.h"
#include "core/dialects/sharding/Shardings.h"

namespace fuselage {

/// Devices that take part together, by their ids.
using DeviceGroups = std::vector<std::vector<int64_t>>;

struct CollectiveGroups {
  DeviceGroups groups{};           ///< empty: not known
  int64_t size = -1;               ///< of the largest group; -1: not known
  std::vector<std::string> axes{}; ///< of `mesh`, along which groups run; empty: not known
  const DeviceMesh *mesh = nullptr;
  bool isComplete = false; ///< of a permutation: each device receives from one

  /// "over "model" of 4"; empty if nothing is known.
  std::string str() const;
};

/// `devices`: how many the module says there are; -1: it does not. Axes are found by the only mesh of the module that
/// has as many devices, where the collective names none.
CollectiveGroups groupsOf(const Collective &collective, const ModuleShardings &shardings, int64_t devices);

/// By `mhlo.num_partitions` and `mhlo.num_replicas`, or else by the only mesh; -1: not known.
int64_t deviceCount(mlir::ModuleOp module, const ModuleShardings &shardings);

/// Whether both are more than one.
bool hasReplicasAndPartitions(mlir::ModuleOp module);

} // namespace fuselage
