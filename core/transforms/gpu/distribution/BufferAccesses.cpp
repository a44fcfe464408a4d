#include "core/transforms/gpu/distribution/BufferAccesses.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

void addAccesses(Operation *op, Accesses &accesses) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      Value root = rootBuffer(operand.get());
      if (structured.isDpsInit(&operand))
        accesses.writes.insert(root);
      if (structured.isDpsInput(&operand) || structured.payloadUsesValueFromOperand(&operand))
        accesses.reads.insert(root);
    }
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    accesses.reads.insert(rootBuffer(load.getMemRef()));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    accesses.writes.insert(rootBuffer(store.getMemRef()));
  } else if (op->getNumRegions() == 0 && !isMemoryEffectFree(op) && !isa<memref::AllocOp>(op)) {
    bool onlyReads = hasSingleEffect<MemoryEffects::Read>(op);
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType())) {
        accesses.reads.insert(rootBuffer(operand));
        if (!onlyReads)
          accesses.writes.insert(rootBuffer(operand));
      }
  }
}

Accesses accessesOf(Operation *root) {
  Accesses accesses;
  root->walk([&](Operation *op) { addAccesses(op, accesses); });
  return accesses;
}

bool hasStructuredOps(Operation *op) {
  return op->walk([](linalg::LinalgOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

Accesses accessesInside(scf::ForOp loop, Operation *except) {
  Accesses accesses;
  loop.getBody()->walk([&](Operation *op) {
    if (op != except)
      addAccesses(op, accesses);
  });
  return accesses;
}

bool isInNestOnly(Operation *op, scf::ForOp loop) {
  Operation *parent = op->getParentOp();
  while (parent != loop && isa<scf::ForOp>(parent))
    parent = parent->getParentOp();
  return parent == loop;
}

} // namespace fuselage
