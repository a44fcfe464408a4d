// How a tensor lies on a mesh: which part of it each device holds.
#pragma once
#include "core/meshes/DeviceMesh.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <utility>

namespace fuselage {

/// An axis, or a part of one: `"x":(2)4` is the part of size 4 after a part of size 2.
struct AxisRef {
  std::string axis;
  int64_t before = 1;
  int64_t size = 0; ///< 0: the whole axis

  /// `x` or `x:(2)4`
  std::string str() const;
  bool operator==(const AxisRef &other) const = default;
};

/// The axes that split a dimension, the outermost first.
struct DimSharding {
  std::vector<AxisRef> axes{};
  bool isOpen = false;                   ///< a partitioner may add axes: `{?}`
  std::vector<int64_t> offsets{};        ///< where each part begins, and the end; empty: parts are equal
  int64_t haloBefore = 0, haloAfter = 0; ///< elements of the neighbors that each part has, too
};

/// What an annotation says of a tensor; of `sdy` and `shard`.
struct Sharding {
  std::vector<DimSharding> dims{};
  std::vector<AxisRef> replicated{}, unreduced{};
};

/// The parts of a tensor, by place of the mesh. A part that reaches beyond the end of a dimension is padded.
struct TensorLayout {
  std::vector<int64_t> shape;               ///< -1: dynamic
  std::vector<int64_t> parts;               ///< by dimension: into how many it is split
  std::vector<int64_t> shard;               ///< the shape of the largest part, halos included; -1: dynamic
  std::vector<std::vector<AxisRef>> axes;   ///< by dimension, the outermost first
  std::vector<AxisRef> replicated;          ///< axes along which all devices hold the same
  std::vector<AxisRef> unreduced;           ///< axes along which devices hold summands
  std::vector<std::vector<int64_t>> starts; ///< by dimension, for parts that are not equal; else empty
  std::vector<std::vector<int64_t>> tiles;  ///< by place: the number of its part in each dimension

  /// The elements of dimension `dim` that part `part` holds, [first, second), without halos and padding.
  std::pair<int64_t, int64_t> range(unsigned dim, int64_t part) const;
  /// Whether some device holds elements that the tensor does not have.
  bool isPadded(unsigned dim) const;
  /// The part that a place holds, as one number; parts of equal number are the same.
  int64_t tileNumber(int64_t place) const;
  /// How many different parts there are.
  int64_t tileCount() const;
  /// Elements of a shard; -1: not known.
  int64_t shardElements() const;
};

/// Failure: the sharding names an axis that the mesh lacks, or uses one twice, or has another rank.
llvm::Expected<TensorLayout> layoutOf(const DeviceMesh &mesh, const Sharding &sharding, llvm::ArrayRef<int64_t> shape);

/// Fills in TensorLayout::shard from shape, parts and starts.
void computeShard(TensorLayout &layout);

/// The axes by which parts in dimension `dim` change from place to place, the outermost first; also where a layout was
/// not written in terms of the mesh.
std::vector<AxisRef> findAxes(const DeviceMesh &mesh, const TensorLayout &layout, unsigned dim);

} // namespace fuselage
