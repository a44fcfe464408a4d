#include "core/codegen/host/Passes.h"
#include "core/codegen/host/tensors/SplitSums.h"
#include "core/transforms/attention/PickAttentionTiles.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/workgroups/BroadcastFolding.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTFUSEOPERANDSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
/// Tiles of attention that somebody asks for.
static void widenAttentionLoops(IRRewriter &rewriter, Block &block) {
  bool isWider = false;
  for (auto forall : llvm::to_vector(block.getOps<scf::ForallOp>()))
    isWider |= widenAttention(rewriter, forall, {.onlyAsked = true});
  if (isWider)
    cleanUpTiles(block);
}

namespace {

struct HostFuseOperands : impl::HostFuseOperandsPassBase<HostFuseOperands> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        widenAttentionLoops(rewriter, block);
        foldBroadcasts(rewriter, block); // weights that are repeated for each of 197 tokens are 1.4 GB
      }
    fuseReadOnce(getOperation());
  }
};

} // namespace
} // namespace fuselage
