#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/ProducerFusion.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEPRODUCERSPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseProducersPass : impl::FuseProducersPassBase<FuseProducersPass> {
  void runOnOperation() override {
    SmallVector<Block *> bodies;
    forEachDispatchBody(getOperation(), [&](Block &body) { bodies.push_back(&body); });
    for (Block *body : bodies)
      fuseBody(*body);
  }

private:
  void fuseBody(Block &body);
};

/// Uses that are not mere questions for a size, which are answered without the value.
bool isNeeded(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) { return !isa<tensor::DimOp>(user); });
}

/// Gives `op`, which no loop could take in whole, a loop of its own. True on success.
bool tileLeftover(RewriterBase &rewriter, Block &body, Operation *op) {
  // What is planned so late was not planned with the rest: it gets what any GPU can do.
  for (const KernelPlan &plan : planKernels(body, *strategyFor(DeviceModel())))
    if (plan.root == op)
      return succeeded(tileKernel(rewriter, plan));
  return false;
}

void FuseProducersPass::fuseBody(Block &body) {
  IRRewriter rewriter(&getContext());
  if (body.getOps<scf::ForallOp>().empty()) {
    if (!tileableOps(body).empty())
      body.getParentOp()->emitRemark("nothing to fuse into: this dispatch has no loop over "
                                     "workgroups; run fuselage-tile-to-workgroups first");
    return;
  }
  // From the last op to the first: when a producer's turn comes, all slices of it are there.
  for (Operation *op = &body.back(); op;) {
    Operation *previous = op->getPrevNode();
    if (asTileable(op)) {
      bool isLast = false;
      for (scf::ForallOp forall : llvm::to_vector(body.getOps<scf::ForallOp>()))
        fuseIntoForall(rewriter, op, forall);
      if (op->use_empty()) {
        rewriter.eraseOp(op);
      } else if (isNeeded(op)) {
        Location loc = op->getLoc();
        std::string name = op->getName().getStringRef().str();
        isLast = tileLeftover(rewriter, body, op);
        emitRemark(loc) << name
                        << (isLast ? " gets a loop over workgroups of its own: its value is needed "
                                     "as a whole"
                                   : " stays outside of the loops over workgroups");
      }
    }
    op = previous;
  }
  cleanUpTiles(body);
}

} // namespace
} // namespace fuselage
