#include "core/meshes/DeviceMesh.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {

int64_t DeviceMesh::count() const {
  int64_t count = 1;
  for (const MeshAxis &axis : axes)
    count *= axis.size;
  return count;
}

int64_t DeviceMesh::coordinate(int64_t place, unsigned axis) const {
  int64_t stride = 1;
  for (size_t later = axis + 1; later < axes.size(); ++later)
    stride *= axes[later].size;
  return place / stride % axes[axis].size;
}

std::optional<unsigned> DeviceMesh::axisNamed(llvm::StringRef wanted) const {
  for (const auto &[index, axis] : llvm::enumerate(axes))
    if (axis.name == wanted)
      return index;
  return std::nullopt;
}

std::string DeviceMesh::str() const {
  std::string text;
  for (const MeshAxis &axis : axes)
    text += (text.empty() ? "" : " x ") + axis.name + "=" + std::to_string(axis.size);
  return text;
}

std::string checkMesh(const DeviceMesh &mesh) {
  llvm::StringSet<> names;
  int64_t count = 1;
  for (const MeshAxis &axis : mesh.axes) {
    if (!names.insert(axis.name).second)
      return "two axes are named '" + axis.name + "'";
    if (axis.size < 1)
      return "axis '" + axis.name + "' has no size";
    if (axis.size > DeviceMesh::maxDevices || (count *= axis.size) > DeviceMesh::maxDevices)
      return "it has more than " + std::to_string(DeviceMesh::maxDevices) + " devices";
  }
  if (!mesh.deviceIds.empty() && int64_t(mesh.deviceIds.size()) != count)
    return "it has " + std::to_string(count) + " places and " + std::to_string(mesh.deviceIds.size()) + " device ids";
  std::vector<int64_t> ids = mesh.deviceIds;
  llvm::sort(ids);
  if (!ids.empty() && (ids.front() < 0 || std::adjacent_find(ids.begin(), ids.end()) != ids.end()))
    return "a device id is negative or there twice";
  return {};
}

} // namespace fuselage
