#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTINLINEDISPATCHESPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {

void inlineDispatchRegions(Operation *root) {
  SmallVector<Operation *> regions;
  root->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "flow.dispatch.region")
      regions.push_back(op);
  });
  for (Operation *op : regions) {
    if (op->getNumRegions() == 0 || !op->getRegion(0).hasOneBlock())
      continue;
    Block &body = op->getRegion(0).front();
    if (body.empty() || body.getNumArguments() != 0)
      continue;
    Operation *terminator = &body.back();
    if (terminator->getNumOperands() != op->getNumResults())
      continue;
    op->replaceAllUsesWith(terminator->getOperands());
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations(), body.begin(),
                                           terminator->getIterator());
    op->erase();
  }
}

namespace {
struct HostInlineDispatches : impl::HostInlineDispatchesPassBase<HostInlineDispatches> {
  void runOnOperation() override { inlineDispatchRegions(getOperation()); }
};
} // namespace
} // namespace fuselage
