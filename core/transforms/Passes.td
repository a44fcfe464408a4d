// The passes of Fuselage. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_PASSES
#define FUSELAGE_TRANSFORMS_PASSES

include "core/transforms/FormationPasses.td"
include "core/transforms/UnlockPasses.td"
include "core/transforms/TilingPasses.td"
include "core/transforms/KernelPasses.td"

#endif // FUSELAGE_TRANSFORMS_PASSES
