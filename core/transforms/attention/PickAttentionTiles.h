// The tile sizes of an attention, for a device.
#pragma once
#include "core/transforms/attention/AttentionSizes.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

namespace fuselage {

/// Numbers of elements along the queries and the keys.
struct AttentionTile {
  int64_t queries = 0, keys = 0;
  bool operator==(const AttentionTile &) const = default;
};

/// The tile near `targets`: divisors of the numbers of queries and keys that are not much less, the targets if there
/// are none or a dimension is dynamic. Keys are those along the first of their dimensions; if there are several, fewer.
/// Targets of 0 are 32, what an attention has if nobody asks for a tile and the device does not choose.
AttentionTile attentionTileNear(flow::AttentionOp op, AttentionTile targets = {});

/// The tile that somebody asks for (TilingConfig.h, one number of queries and one of keys, each at least 1). Nullopt if
/// nobody does.
std::optional<AttentionTile> requestedAttentionTile(flow::AttentionOp op);

/// The tile that the strategy chooses for an attention of these sizes. Nullopt if the device has none of its own for
/// them, and if a tile near 32 has all queries or all keys.
std::optional<AttentionTile> pickAttentionTile(const AttentionSizes &sizes, const TargetStrategy &strategy);

} // namespace fuselage
