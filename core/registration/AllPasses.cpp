#include "core/analysis/fusion/FusionPresets.h"
#include "core/analysis/fusion/Passes.h"
#include "core/codegen/Passes.h"
#include "core/codegen/host/HostLowering.h"
#include "core/registration/Registration.h"
#include "core/rewrites/Passes.h"
#include "core/transforms/attention/Passes.h"
#include "core/transforms/bufferize/Passes.h"
#include "core/transforms/composites/Passes.h"
#include "core/transforms/dispatch/Passes.h"
#include "core/transforms/foreign/Passes.h"
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/nvidia/Passes.h"
#include "core/transforms/places/Passes.h"
#include "core/transforms/tile_and_fuse/Passes.h"
#include "core/transforms/unlock/Passes.h"
#include "core/transforms/workgroups/Passes.h"
#include "mlir/InitAllPasses.h"
#include <mutex>

void fuselage::registerAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    mlir::registerAllPasses();
    registerForeignPasses();
    registerCompositesPasses();
    registerDispatchPasses();
    registerExplainPasses();
    registerUnlockPasses();
    registerPlacesPasses();
    registerRewritesPasses();
    registerAttentionPasses();
    registerTileAndFusePasses();
    registerWorkgroupPasses();
    registerBufferizePasses();
    registerGpuPasses();
    registerNvidiaPasses();
    registerCodegenPasses();
    registerHostPasses();
    registerHostPipelines();
    registerFusionPresets();
  });
}
