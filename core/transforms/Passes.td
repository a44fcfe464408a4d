// The passes of Fuselage. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_PASSES
#define FUSELAGE_TRANSFORMS_PASSES

include "FormationPasses.td"
include "UnlockPasses.td"
include "TilingPasses.td"
include "KernelPasses.td"

#endif // FUSELAGE_TRANSFORMS_PASSES
