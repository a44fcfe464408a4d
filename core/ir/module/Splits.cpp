#include "core/ir/module/Splits.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

/// Marks the outer module of a split file.
static constexpr StringRef kSplitAttr = "fuselage.split";

OwningOpRef<ModuleOp> createSplitModule(MLIRContext &context, StringRef file) {
  OwningOpRef<ModuleOp> outer(ModuleOp::create(FileLineColLoc::get(&context, file, /*line=*/1, /*column=*/1)));
  (*outer)->setAttr(kSplitAttr, UnitAttr::get(&context));
  return outer;
}

SmallVector<ModuleOp> splitModules(ModuleOp module) {
  if (!module->hasAttr(kSplitAttr))
    return {module};
  return llvm::to_vector(module.getOps<ModuleOp>());
}

} // namespace fuselage
