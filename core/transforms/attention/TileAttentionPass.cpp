#include "core/transforms/attention/Passes.h"
#include "core/transforms/attention/PickAttentionTiles.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_WIDENATTENTIONPASS
#include "core/transforms/attention/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct WidenAttentionPass : impl::WidenAttentionPassBase<WidenAttentionPass> {
  void runOnOperation() override {
    const WideAttentionOptions options{.tiles = strategyOf(getOperation())->attentionTiles()};
    IRRewriter rewriter(&getContext());
    forEachDispatchBody(getOperation(), [&](Block &body) {
      bool isWider = false;
      for (auto forall : llvm::to_vector(body.getOps<scf::ForallOp>()))
        isWider |= widenAttention(rewriter, forall, options);
      if (isWider)
        cleanUpTiles(body);
    });
  }
};

} // namespace
} // namespace fuselage
