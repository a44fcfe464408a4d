// The tuning space of a dispatch of fused attention: its tile sizes.
#pragma once
#include "core/transforms/attention/AttentionSizes.h"
#include "core/tuning/dispatch/DispatchSpace.h"

namespace fuselage::tune {

/// The knobs are `queries`, the rows of a workgroup, and `keys`, the keys of one step. Both 0 means that the device's
/// pipeline chooses. Workgroup memory is no condition: tiles that do not fit there are
/// placed in device memory (measured on lavapipe and by ptxas, 1 to 512 of both). On devices where that memory is
/// slower it is a bound. On devices with lanes, conditions exclude tiles that take minutes to compile.
/// Fails if the device's pipeline takes no other tiles.
llvm::Expected<Space> attentionSpace(const AttentionSizes &attention, const DeviceModel &device);

/// Requests tile sizes by an attribute on the op, as requestSizes() does. `sizes` must be
/// `queries` and `keys`, both 0 or neither. Returns false, and changes nothing, for any other sizes.
bool requestTiles(const AttentionSizes &attention, const RequestedSizes &sizes);

/// Returns "attention 12 x 512 queries, 512 keys, 64 wide, f32, f32, f32 -> tensor<12x512x64xf32>"; the three types are
/// the element types of queries, keys and values.
std::string describeAttention(const AttentionSizes &attention);

/// Features of a point of attentionSpace(), as those of dispatchFeatures():
///  - number of steps over the keys;
///  - workgroups per multiprocessor (per thread on the host), and waves divided by full waves;
///  - bytes of a tile's scores; bytes of queries, context, keys and values that a workgroup reads and holds;
///  - computed queries and keys divided by requested ones; the same for the elements of vectors;
///  - whether the last tiles of queries and of keys are smaller than the others.
std::function<std::vector<double>(const Point &point)> attentionFeatures(const AttentionSizes &attention,
                                                                         const DeviceModel &device);

} // namespace fuselage::tune
