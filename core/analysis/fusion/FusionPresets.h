// Pass pipelines that prepare a module for fusion.
#pragma once

namespace mlir {
class OpPassManager;
}

namespace fuselage {

/// `fuselage-fusion-cleanup`: what keeps ops apart without need goes (unit dimensions, transposes,
/// broadcasts, reshapes); no op is computed twice, no dispatch is formed. `passes` runs on a module
/// or on functions.
void buildFusionCleanup(mlir::OpPassManager &passes);

/// `fuselage-fuse-all`: the clean-up, then every profitable fusion: attention, ops side by side,
/// reductions over the same rows. Attention and chains of reductions are dispatches then; run
/// `fuselage-form-dispatches` for the rest.
void buildFuseAll(mlir::OpPassManager &passes);

/// Makes the presets known to textual pipelines; call once per process.
void registerFusionPresets();

} // namespace fuselage
