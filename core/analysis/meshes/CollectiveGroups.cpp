#include "core/analysis/meshes/CollectiveGroups.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace mlir;

namespace fuselage {

std::string CollectiveGroups::str() const {
  std::string text;
  for (const std::string &axis : axes)
    text += (text.empty() ? "over \"" : ", \"") + axis + "\"";
  if (size >= 0)
    text += (text.empty() ? "over groups of " : " of ") + std::to_string(size);
  return text;
}

int64_t deviceCount(ModuleOp module, const ModuleShardings &shardings) {
  auto partitions = module->getAttrOfType<IntegerAttr>("mhlo.num_partitions");
  auto replicas = module->getAttrOfType<IntegerAttr>("mhlo.num_replicas");
  if (partitions && partitions.getInt() > 0 && partitions.getInt() <= DeviceMesh::maxDevices)
    return partitions.getInt() *
           (replicas && replicas.getInt() > 0 && replicas.getInt() <= 1024 ? replicas.getInt() : 1);
  std::set<int64_t> counts;
  for (const DeviceMesh &mesh : shardings.meshes)
    counts.insert(mesh.count());
  return counts.size() == 1 ? *counts.begin() : -1;
}

bool hasReplicasAndPartitions(ModuleOp module) {
  auto isSeveral = [&](StringRef name) {
    auto count = module->getAttrOfType<IntegerAttr>(name);
    return count && count.getInt() > 1;
  };
  return isSeveral("mhlo.num_partitions") && isSeveral("mhlo.num_replicas");
}

/// The mesh that the collective names, or the only one that has as many devices.
static const DeviceMesh *meshOf(const Collective &collective, const ModuleShardings &shardings, int64_t devices) {
  if (collective.outSharding && collective.outSharding->mesh)
    return &*collective.outSharding->mesh;
  if (!collective.meshName.empty())
    return shardings.mesh(collective.meshName);
  const DeviceMesh *found = nullptr;
  for (const DeviceMesh &mesh : shardings.meshes) {
    if (mesh.count() != devices)
      continue;
    if (found)
      return nullptr;
    found = &mesh;
  }
  bool isDerived = !found && shardings.derived && shardings.derived->count() == devices;
  return isDerived ? &*shardings.derived : found;
}

/// Places that differ along these axes alone make a group. Failure to find an axis: no groups.
static DeviceGroups groupsAlong(const DeviceMesh &mesh, ArrayRef<AxisRef> axes) {
  Sharding sharding;
  sharding.dims.push_back({.axes = {axes.begin(), axes.end()}});
  auto layout = layoutOf(mesh, sharding, {0});
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return {};
  }
  // What a place has beside these axes: its coordinates with that of the axes taken out.
  std::map<std::vector<int64_t>, std::vector<int64_t>> groups;
  for (int64_t place = 0; place < mesh.count(); ++place) {
    std::vector<int64_t> key;
    for (unsigned axis = 0; axis < mesh.axes.size(); ++axis) {
      int64_t coordinate = mesh.coordinate(place, axis), whole = mesh.axes[axis].size;
      for (const AxisRef &ref : axes) {
        if (ref.axis != mesh.axes[axis].name)
          continue;
        int64_t size = ref.size == 0 ? whole : ref.size, after = whole / (ref.before * size);
        coordinate -= coordinate / after % size * after;
      }
      key.push_back(coordinate);
    }
    groups[key].push_back(mesh.deviceAt(place));
  }
  DeviceGroups result;
  for (auto &[key, group] : groups)
    result.push_back(std::move(group));
  return result;
}

/// Devices that pairs connect.
static DeviceGroups connected(ArrayRef<std::pair<int64_t, int64_t>> pairs) {
  std::map<int64_t, int64_t> leader;
  auto find = [&](int64_t device) {
    leader.try_emplace(device, device);
    while (leader[device] != device)
      device = leader[device] = leader[leader[device]];
    return device;
  };
  for (auto [source, target] : pairs)
    leader[find(source)] = find(target);
  std::map<int64_t, std::vector<int64_t>> groups;
  for (auto [device, any] : std::map(leader))
    groups[find(device)].push_back(device);
  DeviceGroups result;
  for (auto &[first, group] : groups)
    result.push_back(std::move(group));
  return result;
}

/// The axes along which devices of a group differ, where groups are all that differ so and nothing else.
static std::vector<std::string> axesOf(const DeviceMesh &mesh, const DeviceGroups &groups) {
  std::map<int64_t, int64_t> placeOf;
  for (int64_t place = 0; place < mesh.count(); ++place)
    placeOf[mesh.deviceAt(place)] = place;
  std::set<unsigned> differing;
  for (const std::vector<int64_t> &group : groups)
    for (int64_t device : group) {
      if (!placeOf.contains(device))
        return {};
      for (unsigned axis = 0; axis < mesh.axes.size(); ++axis)
        if (mesh.coordinate(placeOf[device], axis) != mesh.coordinate(placeOf[group.front()], axis))
          differing.insert(axis);
    }
  std::vector<AxisRef> refs;
  std::vector<std::string> names;
  for (unsigned axis : differing) {
    refs.push_back({.axis = mesh.axes[axis].name});
    names.push_back(mesh.axes[axis].name);
  }
  auto sorted = [](DeviceGroups list) {
    for (std::vector<int64_t> &group : list)
      llvm::sort(group);
    llvm::sort(list);
    return list;
  };
  return sorted(groupsAlong(mesh, refs)) == sorted(groups) ? names : std::vector<std::string>();
}

CollectiveGroups groupsOf(const Collective &collective, const ModuleShardings &shardings, int64_t devices) {
  CollectiveGroups result{.mesh = meshOf(collective, shardings, devices)};
  if (!collective.pairs.empty()) {
    result.groups = connected(collective.pairs);
    std::set<int64_t> targets;
    for (auto [source, target] : collective.pairs)
      targets.insert(target);
    result.isComplete = devices > 0 && int64_t(targets.size()) == devices;
  } else if (!collective.groups.empty()) {
    result.groups = collective.groups;
  } else if (collective.isAllDevices && devices > 0) {
    result.groups.emplace_back();
    for (int64_t device = 0; device < devices; ++device)
      result.groups.front().push_back(device);
  } else if (result.mesh && !collective.axes.empty()) {
    result.groups = groupsAlong(*result.mesh, collective.axes);
    for (const AxisRef &axis : collective.axes)
      result.axes.push_back(axis.str());
  }
  for (const std::vector<int64_t> &group : result.groups)
    result.size = std::max(result.size, int64_t(group.size()));
  if (result.axes.empty() && result.mesh && !result.groups.empty())
    result.axes = axesOf(*result.mesh, result.groups);
  return result;
}

} // namespace fuselage
