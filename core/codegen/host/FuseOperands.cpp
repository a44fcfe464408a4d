#include "core/codegen/host/Passes.h"
#include "core/codegen/host/tensors/HostReductions.h"
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
namespace {

struct HostFuseOperands : impl::HostFuseOperandsPassBase<HostFuseOperands> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        foldBroadcasts(rewriter, block); // weights that are repeated for each of 197 tokens are 1.4 GB
      }
    fuseInputsReadOnce(getOperation());
  }
};

} // namespace
} // namespace fuselage
