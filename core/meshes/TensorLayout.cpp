#include "core/meshes/TensorLayout.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace fuselage {

std::string AxisRef::str() const {
  return size == 0 ? axis : axis + ":(" + std::to_string(before) + ")" + std::to_string(size);
}

namespace {

/// An AxisRef on its mesh.
struct ResolvedAxis {
  unsigned axis;
  int64_t after, size; ///< `after`: the size of what the axis has beyond the part

  int64_t coordinate(const DeviceMesh &mesh, int64_t place) const {
    return mesh.coordinate(place, axis) / after % size;
  }
};

/// Takes axes of a sharding, each part of an axis once.
class AxisUses {
public:
  explicit AxisUses(const DeviceMesh &mesh) : mesh_(mesh), used_(mesh.axes.size()) {}

  llvm::Expected<ResolvedAxis> take(const AxisRef &ref) {
    std::optional<unsigned> axis = mesh_.axisNamed(ref.axis);
    if (!axis)
      return fail("the mesh " + (mesh_.name.empty() ? "" : "@" + mesh_.name + " ") + "has no axis '" + ref.axis + "'");
    int64_t whole = mesh_.axes[*axis].size, size = ref.size == 0 ? whole : ref.size;
    bool fits =
        size >= 1 && size <= whole && ref.before >= 1 && ref.before <= whole && whole % (size * ref.before) == 0;
    if (!fits)
      return fail("axis '" + ref.axis + "' of size " + std::to_string(whole) + " has no part " + ref.str());
    int64_t after = whole / (size * ref.before);
    for (auto [otherAfter, otherSize] : used_[*axis])
      if (after < otherAfter * otherSize && otherAfter < after * size)
        return fail("axis '" + ref.axis + "' is used twice");
    used_[*axis].push_back({after, size});
    return ResolvedAxis{.axis = *axis, .after = after, .size = size};
  }
  /// The parts of axes that nothing has taken. An axis of which parts are taken is named as a whole where the rest is
  /// not one part.
  std::vector<AxisRef> rest() const;

private:
  const DeviceMesh &mesh_;
  std::vector<std::vector<std::pair<int64_t, int64_t>>> used_; ///< by axis: after, size
};

std::vector<AxisRef> AxisUses::rest() const {
  std::vector<AxisRef> rest;
  for (const auto &[index, axis] : llvm::enumerate(mesh_.axes)) {
    std::vector<std::pair<int64_t, int64_t>> used = used_[index];
    llvm::sort(used, [](auto a, auto b) { return a.first > b.first; }); // the outermost first
    int64_t before = 1;
    for (auto [after, size] : used) {
      if (int64_t outer = axis.size / (after * size); outer > before)
        rest.push_back({.axis = axis.name, .before = before, .size = outer / before});
      before = axis.size / after;
    }
    if (used.empty() && axis.size > 1)
      rest.push_back({.axis = axis.name});
    else if (!used.empty() && before < axis.size)
      rest.push_back({.axis = axis.name, .before = before, .size = axis.size / before});
  }
  return rest;
}

llvm::Error checkOffsets(const DimSharding &dim, int64_t parts, int64_t size) {
  if (dim.offsets.empty())
    return llvm::Error::success();
  bool rises = std::is_sorted(dim.offsets.begin(), dim.offsets.end()) && dim.offsets.front() == 0;
  if (int64_t(dim.offsets.size()) != parts + 1 || !rises || (size >= 0 && dim.offsets.back() != size))
    return fail("the offsets of a dimension do not cut it into " + std::to_string(parts) + " parts");
  return llvm::Error::success();
}

} // namespace

std::pair<int64_t, int64_t> TensorLayout::range(unsigned dim, int64_t part) const {
  if (!starts[dim].empty())
    return {starts[dim][part], starts[dim][part + 1]};
  if (shape[dim] < 0)
    return {-1, -1};
  int64_t size = llvm::divideCeil(shape[dim], parts[dim]);
  return {std::min(part * size, shape[dim]), std::min((part + 1) * size, shape[dim])};
}

bool TensorLayout::isPadded(unsigned dim) const {
  return shape[dim] >= 0 && starts[dim].empty() && shape[dim] % parts[dim] != 0;
}

int64_t TensorLayout::tileNumber(int64_t place) const {
  int64_t number = 0;
  for (auto [tile, count] : llvm::zip_equal(tiles[place], parts))
    number = number * count + tile;
  return number;
}

int64_t TensorLayout::tileCount() const {
  int64_t count = 1;
  for (int64_t each : parts)
    count *= each;
  return count;
}

int64_t TensorLayout::shardElements() const {
  int64_t elements = 1;
  for (int64_t size : shard)
    if (size < 0 || llvm::MulOverflow(elements, size, elements))
      return -1;
  return elements;
}

void computeShard(TensorLayout &layout) {
  layout.shard.clear();
  for (size_t dim = 0; dim < layout.shape.size(); ++dim) {
    int64_t largest = 0;
    for (size_t part = 0; part + 1 < layout.starts[dim].size(); ++part)
      largest = std::max(largest, layout.starts[dim][part + 1] - layout.starts[dim][part]);
    if (layout.starts[dim].empty())
      largest = layout.shape[dim] < 0 ? -1 : int64_t(llvm::divideCeil(layout.shape[dim], layout.parts[dim]));
    layout.shard.push_back(largest);
  }
}

llvm::Expected<TensorLayout> layoutOf(const DeviceMesh &mesh, const Sharding &sharding, llvm::ArrayRef<int64_t> shape) {
  if (std::string why = checkMesh(mesh); !why.empty())
    return fail("the mesh makes no sense: " + why);
  if (sharding.dims.size() > shape.size())
    return fail("the sharding has " + std::to_string(sharding.dims.size()) + " dimensions, the tensor " +
                std::to_string(shape.size()));
  TensorLayout layout;
  layout.shape.assign(shape.begin(), shape.end());
  layout.tiles.assign(mesh.count(), std::vector<int64_t>(shape.size()));
  AxisUses uses(mesh);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    DimSharding split = dim < sharding.dims.size() ? sharding.dims[dim] : DimSharding();
    int64_t parts = 1;
    for (const AxisRef &ref : split.axes) {
      auto axis = uses.take(ref);
      if (!axis)
        return axis.takeError();
      for (const auto &[place, tile] : llvm::enumerate(layout.tiles))
        tile[dim] = tile[dim] * axis->size + axis->coordinate(mesh, place);
      parts *= axis->size;
    }
    if (llvm::Error error = checkOffsets(split, parts, shape[dim]))
      return error;
    layout.parts.push_back(parts);
    layout.axes.push_back(split.axes);
    layout.starts.push_back(split.offsets);
  }
  for (const AxisRef &ref : sharding.unreduced)
    if (auto axis = uses.take(ref); !axis)
      return axis.takeError();
  layout.unreduced = sharding.unreduced;
  layout.replicated = uses.rest();
  computeShard(layout);
  for (size_t dim = 0; dim < sharding.dims.size(); ++dim)
    if (layout.shard[dim] >= 0)
      layout.shard[dim] += sharding.dims[dim].haloBefore + sharding.dims[dim].haloAfter;
  return layout;
}

std::vector<AxisRef> findAxes(const DeviceMesh &mesh, const TensorLayout &layout, unsigned dim) {
  std::vector<std::pair<int64_t, AxisRef>> found; // by how far the part moves, the farthest first
  int64_t stride = mesh.count();
  for (const MeshAxis &axis : mesh.axes) {
    stride /= axis.size;
    if (axis.size == 1)
      continue;
    if (int64_t step = layout.tiles[stride][dim] - layout.tiles[0][dim])
      found.push_back({step, {.axis = axis.name}});
  }
  llvm::sort(found, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<AxisRef> axes;
  for (auto &[step, axis] : found)
    axes.push_back(std::move(axis));
  return axes;
}

} // namespace fuselage
