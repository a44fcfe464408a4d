#include "core/ir/Session.h"
#include "core/transforms/FusionPresets.h"
#include "core/transforms/Passes.h"
#include "mlir/InitAllPasses.h"
#include <mutex>

void fuselage::registerAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    mlir::registerAllPasses();
    registerFuselagePasses();
    registerFusionPresets();
  });
}
