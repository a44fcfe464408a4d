// MLIR's `shard` dialect, and `mesh`, as it was called until 2025. Internal.
#pragma once
#include "core/dialects/sharding/Collective.h"

namespace fuselage {

std::optional<CollectiveKind> shardKind(llvm::StringRef name);
void readShardCollective(mlir::Operation *op, Collective &read);

/// The mesh that `shard.grid` or `mesh.mesh` declares: axes are named axis0, axis1, .. Failure: a size is not known.
llvm::Expected<DeviceMesh> readGrid(mlir::Operation *op);

/// The sharding that `shard.shard` or `mesh.shard` gives its value. Failure: it is not known.
llvm::Expected<SdySharding> readShard(mlir::Operation *op);

} // namespace fuselage
