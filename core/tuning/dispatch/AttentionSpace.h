// What is left open of a dispatch of fused attention: the tiles of its two loops.
#pragma once
#include "core/transforms/attention/AttentionLoop.h"
#include "core/tuning/dispatch/DispatchSpace.h"

namespace fuselage::tune {

/// Knobs `queries`, the rows of one workgroup, and `keys`, those of one step; 0 for both: what the device's pipeline
/// chooses, or the tiles that there are. There is no condition of workgroup memory: what does not fit there is put into
/// the device's (measured on lavapipe and by ptxas from 1 to 512 of both). A bound says so where that memory is farther
/// away; of devices with lanes, conditions leave out what they compile for minutes. Failure: the device's pipeline
/// takes no other tiles.
llvm::Expected<Space> attentionSpace(const AttentionLoop &loop, const DeviceModel &device);

/// As askFor(), by an attribute on the loop over workgroups. Takes `queries` and `keys`, both or none of them 0.
bool askForTiles(const AttentionLoop &loop, const AskedSizes &sizes);

/// "attention 12 x 512 queries, 512 keys, 64 wide, f32, f32, f32 -> tensor<12x512x64xf32>": elements of queries, keys
/// and values.
std::string describeAttention(const AttentionLoop &loop);

/// Of a point of attentionSpace(), as dispatchFeatures(): steps over keys, workgroups of each unit (threads of the
/// host), their waves by those that are full, bytes of a tile's scores, bytes that a workgroup reads and holds of
/// queries, context, keys and values, queries and keys that are computed by those that are asked for, keys and queries
/// that vectors compute by those of a tile, and whether tiles are uneven.
std::function<std::vector<double>(const Point &point)> attentionFeatures(const AttentionLoop &loop,
                                                                         const DeviceModel &device);

} // namespace fuselage::tune
