#include "core/rewrites/RewriteWatch.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace fuselage {

/// An op without users, which canonicalization erases.
static bool tellsOfDeadOp() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  auto builder = mlir::OpBuilder::atBlockBegin(module->getBody());
  mlir::UnrealizedConversionCastOp::create(builder, builder.getUnknownLoc(), builder.getI32Type(), mlir::ValueRange());
  RewriteWatch watch(*module);
  mlir::PassManager passes(&context);
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addInstrumentation(tellPasses(watch));
  if (mlir::failed(passes.run(*module)))
    return false;
  RewriteLog log = watch.take();
  return log.rewrites.size() == 1 && log.rewrites.front().kind == RewriteKind::Dead;
}

bool RewriteWatch::works() {
  static const bool tells = tellsOfDeadOp();
  return tells;
}

} // namespace fuselage
