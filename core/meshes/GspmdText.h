// Shardings of GSPMD, the strings of `mhlo.sharding`: "{devices=[2,4]<=[8]}".
#pragma once
#include "core/meshes/TensorLayout.h"

namespace fuselage {

struct GspmdSharding {
  enum class Kind {
    Replicated,
    Maximal, ///< on one device
    Manual,  ///< the program says itself what each device does
    Unknown,
    Unreduced,
    Tiled
  };
  Kind kind = Kind::Unknown;
  int64_t device = -1;                      ///< of Maximal
  std::vector<int64_t> tiles{};             ///< of Tiled, by dimension; those of `last` come after
  std::vector<Kind> last{};                 ///< what devices along the last dimensions of `tiles` hold
  std::vector<int64_t> devices{};           ///< by place of `tiles`, row-major
  std::vector<int64_t> reshaped{}, order{}; ///< of `<=[2,4]T(1,0)`; empty: devices are listed

  /// Dimensions of the tensor that `tiles` speaks of.
  size_t rank() const { return tiles.size() - last.size(); }
};

/// One sharding, or several in braces of their own, as values with several results have them. Failure: the message
/// shows where it makes no sense.
llvm::Expected<std::vector<GspmdSharding>> readGspmdShardings(llvm::StringRef text);

/// A mesh on which all of these shardings are splits along whole axes, if there is one: axes are named axis0, axis1, ..
/// Without devices: nullopt. Where they do not agree, the mesh has one axis.
std::optional<DeviceMesh> findGspmdMesh(llvm::ArrayRef<GspmdSharding> shardings);

/// Failure: the sharding is not of this mesh or rank, or says nothing of where parts are.
llvm::Expected<TensorLayout> layoutOf(const DeviceMesh &mesh, const GspmdSharding &sharding,
                                      llvm::ArrayRef<int64_t> shape);

} // namespace fuselage
