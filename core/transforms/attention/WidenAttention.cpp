#include "core/transforms/attention/Passes.h"
#include "core/transforms/attention/WideAttention.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
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
  using WidenAttentionPassBase::WidenAttentionPassBase;

  void runOnOperation() override {
    if (maxWorkgroupBytes < 0 || unitWorkgroupBytes < 0 || units < 0) {
      getOperation()->emitError("fuselage-widen-attention: max-workgroup-bytes, "
                                "unit-workgroup-bytes and units are 0 or more");
      return signalPassFailure();
    }
    WideAttentionOptions options{.maxWorkgroupBytes = maxWorkgroupBytes,
                                 .unitWorkgroupBytes = unitWorkgroupBytes,
                                 .units = units,
                                 .lanes = lanes,
                                 .matrixTypes = {matrixTypes.begin(), matrixTypes.end()}};
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
