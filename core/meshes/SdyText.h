// Shardy's attributes, as MLIR prints them.
#pragma once
#include "core/meshes/TensorLayout.h"

namespace fuselage {

/// A sharding with what it says of its mesh: the name of a symbol, or the mesh itself.
struct SdySharding {
  std::string meshName;             ///< without '@'; empty: it is written in place
  std::optional<DeviceMesh> mesh{}; ///< then this one
  Sharding sharding{};
};

/// `<["x"=2, "y"=4], device_ids=[1, 0, ..]>`, with what may stand before: `#sdy.mesh`, `#sdy<mesh ..>`. Failure: it is
/// none; the message shows where.
llvm::Expected<DeviceMesh> readSdyMesh(llvm::StringRef text);

/// `<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={..}, unreduced={..}>`, with what may stand before.
llvm::Expected<SdySharding> readSdySharding(llvm::StringRef text);

/// `[<@mesh, ..>, <@mesh, ..>]`, with what may stand before: `#sdy.sharding_per_value<..>`.
llvm::Expected<std::vector<SdySharding>> readSdyShardings(llvm::StringRef text);

/// `[{"x"}, {}]`: axes by dimension, as collectives have them.
llvm::Expected<std::vector<std::vector<AxisRef>>> readSdyAxisLists(llvm::StringRef text);

/// `{"x", "y":(1)2}`
llvm::Expected<std::vector<AxisRef>> readSdyAxes(llvm::StringRef text);

/// `[{"x"}: 0->1, ..]`
struct SdyMove {
  std::vector<AxisRef> axes;
  int64_t from = 0, to = 0;
};
llvm::Expected<std::vector<SdyMove>> readSdyMoves(llvm::StringRef text);

/// `@mesh, [{"x"}, {}]`, as annotations are shown.
std::string formatSharding(const Sharding &sharding, llvm::StringRef meshName);

} // namespace fuselage
