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

namespace {
struct ForeignComposite {
  Decomposition (*decompose)(OpBuilder &, CompositeOp) = nullptr;
  bool becomesLoops = false; ///< over elements, one after the other
};
} // namespace

/// A row of the table; null for an op of another kind.
static const ForeignComposite *findForeignComposite(Operation *op) {
  static const llvm::StringMap<ForeignComposite> table = {{"attention", {decomposeAttention}},
                                                          {"online_attention", {decomposeOnlineAttention}},
                                                          {"custom_op", {decomposeCustomOp}},
                                                          {"arg_compare", {decomposeArgCompare}},
                                                          {"scan", {decomposeScan, true}},
                                                          {"scatter", {decomposeScatter, true}},
                                                          {"quantize_affine", {decomposeQuantize}},
                                                          {"dequantize_affine", {decomposeDequantize}},
                                                          {"fft", {decomposeFft}},
                                                          {"gather", {decomposeGather}},
                                                          {"sort", {decomposeSort, true}},
                                                          {"topk", {decomposeTopK, true}}};
  if (op->isRegistered() || op->getNumResults() == 0)
    return nullptr;
  auto row = table.find(CompositeOp(op).name());
  return row == table.end() ? nullptr : &row->second;
}

bool fuselage::isForeignComposite(Operation *op) { return findForeignComposite(op); }

bool fuselage::isLoopComposite(Operation *op) {
  const ForeignComposite *composite = findForeignComposite(op);
  return composite && composite->becomesLoops;
}

void fuselage::decomposeForeignComposite(Operation *op) {
  OpBuilder builder(op);
  Decomposition parts = findForeignComposite(op)->decompose(builder, CompositeOp(op));
  if (parts.size() != op->getNumResults() || TypeRange(ValueRange(parts)) != TypeRange(op->getResultTypes()))
    return;
  op->replaceAllUsesWith(parts);
  op->erase();
}

void fuselage::decomposeForeignComposites(Operation *root, bool portable) {
  for (Operation *op : collectOps(root, isForeignComposite))
    if (!portable || !isLoopComposite(op))
      decomposeForeignComposite(op);
}

namespace {
struct DecomposeCompositesPass : fuselage::impl::DecomposeCompositesPassBase<DecomposeCompositesPass> {
  using DecomposeCompositesPassBase::DecomposeCompositesPassBase;
  void runOnOperation() override {
    decomposeForeignComposites(getOperation());
    decomposeUpstreamComposites(getOperation(), keepFusable);
  }
};
} // namespace
