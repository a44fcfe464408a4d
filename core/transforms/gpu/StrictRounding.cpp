#include "core/transforms/gpu/StrictRounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {

void roundStrictly(Operation *root) {
  root->walk([](Operation *op) {
    if (auto extension = dyn_cast<arith::ExtFOp>(op))
      extension.setFastmath(std::nullopt);
    else if (auto truncation = dyn_cast<arith::TruncFOp>(op))
      truncation.setFastmath(std::nullopt);
  });
}

} // namespace fuselage
