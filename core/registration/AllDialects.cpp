#include "core/dialects/flow/Flow.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/interfaces/FusableOpInterface.h"
#include "core/ir/module/Blobs.h"
#include "core/plugins/Plugins.h"
#include "core/registration/Registration.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

mlir::DialectRegistry fuselage::allDialects() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<FuselageDialect, flow::FlowDialect>();
  registerFusableModels(registry);
  registerScheduleOps(registry);
  registerBlobChecksums(registry);
  registerPluginDialects(registry);
  return registry;
}
