#include "core/tuning/space/OnlyMatch.h"

namespace fuselage::tune {

mlir::Operation *onlyMatch(mlir::transform::MatchOp match, mlir::Operation *root) {
  auto names = match.getOps();
  bool isByName = names && names->size() == 1 && !match.getInterface() && !match.getOpAttrs() &&
                  !match.getFilterResultType() && !match.getFilterOperandTypes();
  if (!isByName)
    return nullptr;
  llvm::StringRef name = mlir::cast<mlir::StringAttr>((*names)[0]).getValue();
  mlir::Operation *found = nullptr;
  bool isOnly = true;
  root->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() != name)
      return;
    isOnly = !found;
    found = op;
  });
  return isOnly ? found : nullptr;
}

} // namespace fuselage::tune
