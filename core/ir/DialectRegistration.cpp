#include "core/dialects/Flow.h"
#include "core/interfaces/FusableOpInterface.h"
#include "core/ir/Blobs.h"
#include "core/ir/Session.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void fuselage::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<flow::FlowDialect>();
  registerFusableModels(registry);
  registerBlobChecksums(registry);
}
