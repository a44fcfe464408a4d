// The conditions of forms that are about ops on tensors, where they write, and who reads.
#include "core/schedules/forms/BreachWords.h"
#include "core/schedules/forms/Checkers.h"
#include "core/schedules/forms/Destinations.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {

using namespace mlir;

void checkDestinations(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](Operation *op) {
    if (makesItsOwnTensor(op))
      breaches.push_back({op, nameOf(op) + " creates a new tensor instead of writing into a given one"});
    auto writer = dyn_cast<DestinationStyleOpInterface>(op);
    if (!writer)
      return;
    for (OpOperand &init : writer.getDpsInitsMutable())
      if (!isDestination(init.get()))
        breaches.push_back({op, nameOf(op) + " writes into the result of " + placeOf(init.get().getDefiningOp()) +
                                    ", which is not a destination"});
  });
}

void checkSingleUse(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  function.walk([&](linalg::LinalgOp op) {
    if (!op.hasPureTensorSemantics() || !linalg::isElementwise(op))
      return;
    llvm::SmallSetVector<Operation *, 4> readers(op->user_begin(), op->user_end());
    if (readers.size() > 1)
      breaches.push_back({op, nameOf(op) + " is read by " + std::to_string(readers.size()) + " ops"});
  });
}

void checkGpuMapped(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  if (isa<gpu::GPUFuncOp>(function.getOperation()))
    return;
  function.walk([&](scf::ForallOp forall) {
    if (forall->getParentOfType<scf::ForallOp>() || forall->getParentOfType<gpu::LaunchOp>())
      return;
    if (std::optional<ArrayAttr> mapping = forall.getMapping(); !mapping || mapping->empty())
      breaches.push_back({forall, "the outermost parallel loop has no GPU mapping"});
  });
}

} // namespace fuselage
