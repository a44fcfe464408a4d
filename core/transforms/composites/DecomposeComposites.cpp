// fuselage-decompose-composites.
#include "core/transforms/composites/DecomposeComposites.h"
#include "core/ir/ops/CollectOps.h"
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/Passes.h"
#include "core/transforms/composites/UpstreamComposites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITESPASS
#include "core/transforms/composites/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

using Decompose = Decomposition (*)(OpBuilder &, CompositeOp);

static const llvm::StringMap<Decompose> &foreignComposites() {
  static const llvm::StringMap<Decompose> table = {
      {"attention", decomposeAttention}, {"online_attention", decomposeOnlineAttention},
      {"custom_op", decomposeCustomOp},  {"arg_compare", decomposeArgCompare},
      {"scan", decomposeScan},           {"scatter", decomposeScatter},
      {"gather", decomposeGather},       {"sort", decomposeSort},
      {"topk", decomposeTopK}};
  return table;
}

bool fuselage::isForeignComposite(Operation *op) {
  if (op->isRegistered() || op->getNumResults() == 0)
    return false;
  std::string name = CompositeOp(op).name();
  return !name.empty() && foreignComposites().contains(name);
}

void fuselage::decomposeForeignComposite(Operation *op) {
  OpBuilder builder(op);
  CompositeOp composite(op);
  Decomposition parts = foreignComposites().lookup(composite.name())(builder, composite);
  if (parts.size() != op->getNumResults() || TypeRange(ValueRange(parts)) != TypeRange(op->getResultTypes()))
    return;
  op->replaceAllUsesWith(parts);
  op->erase();
}

void fuselage::decomposeForeignComposites(Operation *root) {
  llvm::for_each(collectOps(root, isForeignComposite), decomposeForeignComposite);
}

namespace {
struct DecomposeCompositesPass : fuselage::impl::DecomposeCompositesPassBase<DecomposeCompositesPass> {
  void runOnOperation() override {
    decomposeForeignComposites(getOperation());
    decomposeUpstreamComposites(getOperation());
  }
};
} // namespace
