// Ops by which devices exchange data: of sdy, shard (mesh until 2025), StableHLO and MHLO.
#pragma once
#include "core/meshes/RingBytes.h"
#include "core/meshes/SdyText.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// What a collective says. Devices are given as groups, or as axes of a mesh.
struct Collective {
  CollectiveKind kind = CollectiveKind::Reshard;
  mlir::Operation *op = nullptr;
  /// Types are those of the whole tensor, and the op only changes how it lies on the mesh; as in `sdy`.
  bool isGlobal = false;
  /// The dimension that is gathered, scattered or sliced; of an all-to-all the one that is concatenated.
  int64_t dim = -1;
  int64_t splitDim = -1;   ///< of an all-to-all
  std::string reduction{}; ///< "add", "max", "min", "mul", "and", "or"; empty: there is none, or it is not known
  std::vector<std::vector<int64_t>> groups{};       ///< device ids
  bool isAllDevices = false;                        ///< no groups are listed: all devices are one
  std::vector<std::pair<int64_t, int64_t>> pairs{}; ///< of a permutation: source, target
  std::string meshName{};                           ///< without '@'
  std::vector<AxisRef> axes{};                      ///< that it goes along
  std::vector<std::vector<AxisRef>> dimAxes{};      ///< the same by dimension, of `sdy`
  std::vector<SdyMove> moves{};                     ///< of an all-to-all of `sdy`
  std::optional<SdySharding> outSharding{};
  std::string problem{}; ///< why it could not be read, as a sentence; the rest may be empty then
};

} // namespace fuselage
