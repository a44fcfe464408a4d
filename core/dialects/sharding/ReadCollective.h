// Reads collectives and sharding annotations.
#pragma once
#include "core/dialects/sharding/Collective.h"

namespace fuselage {

/// Whether ops of this name exchange data between devices, or say that data is to lie otherwise.
bool isCollective(mlir::Operation *op);
/// An annotation: sdy.sharding_constraint, shard.shard, a custom call of `Sharding`. It computes nothing; where the
/// value lies otherwise, a partitioner puts collectives there.
bool isShardingAnnotation(mlir::Operation *op);

/// Nullopt: it is neither of both.
std::optional<Collective> readCollective(mlir::Operation *op);

} // namespace fuselage
