#include "core/codegen/host/kernels/LoopAllocations.h"
#include "core/codegen/host/kernels/HostKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace fuselage {

static bool isView(Operation *op) {
  return llvm::isa<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(op);
}

/// Whether an op uses memory while it runs, and keeps nothing of it.
static bool usesOnly(Operation *op) {
  if (auto call = llvm::dyn_cast<func::CallOp>(op))
    return isHostKernel(call.getCallee()) && call.getNumResults() == 0;
  return llvm::isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp, memref::CopyOp>(op);
}

/// Whether memory is used by ops that read, write, view or free it, and by nothing that may keep it.
static bool staysInside(Value memory, SmallVectorImpl<memref::DeallocOp> &freed) {
  for (Operation *user : memory.getUsers()) {
    if (auto free = llvm::dyn_cast<memref::DeallocOp>(user))
      freed.push_back(free);
    else if (isView(user) ? !staysInside(user->getResult(0), freed) : !usesOnly(user))
      return false;
  }
  return true;
}

void shareAllocations(ModuleOp module) {
  // Inner loops first: what they hand outwards may go on from there.
  module.walk([](scf::ForOp loop) {
    SmallVector<memref::AllocOp> allocations(loop.getBody()->getOps<memref::AllocOp>());
    for (memref::AllocOp alloc : allocations) {
      SmallVector<memref::DeallocOp> freed;
      if (!alloc.getType().hasStaticShape() || alloc->getNumOperands() != 0 || !staysInside(alloc, freed))
        continue;
      for (memref::DeallocOp free : freed)
        free.erase();
      alloc->moveBefore(loop);
      OpBuilder builder(loop->getContext());
      builder.setInsertionPointAfter(loop);
      memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
    }
  });
}

} // namespace fuselage
