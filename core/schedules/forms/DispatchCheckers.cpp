// The conditions of forms that ask what later steps would make of a function: its dispatches, its buffers.
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/flow/Flow.h"
#include "core/schedules/forms/BreachWords.h"
#include "core/schedules/forms/BufferCopies.h"
#include "core/schedules/forms/Checkers.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {

using namespace mlir;

void checkInPlace(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  BufferCopies copies = findBufferCopies(function);
  for (const BufferCopy &copy : copies.copies)
    breaches.push_back({copy.operand->getOwner(), "operand " + std::to_string(copy.operand->getOperandNumber()) +
                                                      " of " + nameOf(copy.operand->getOwner()) +
                                                      " is copied: " + copy.why});
  for (const std::string &problem : copies.problems)
    breaches.push_back({function, "One-Shot Bufferize refuses the function: " + problem});
}

void checkOneDispatch(FunctionOpInterface function, std::vector<FormBreach> &breaches) {
  if (isKernel(function) || isDispatch(function))
    return;                                                          // it is one
  llvm::SmallVector<std::pair<Operation *, std::string>> dispatches; // in program order
  llvm::DenseMap<Operation *, std::string> rootNames;
  // What only moves elements is a dispatch of its own wherever nothing reads it in place: no fusion changes that.
  FusionPolicy policy;
  policy.dispatchMoves = false;
  for (const DispatchGroup &group : planDispatches(function.getFunctionBody(), policy))
    rootNames[group.root] = dispatchName(group.root);
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<flow::DispatchRegionOp>(op))
      dispatches.push_back({op, nameOfDispatch(op)});
    else if (auto root = rootNames.find(op); root != rootNames.end())
      dispatches.push_back({op, root->second});
  });
  for (auto &[op, name] : llvm::drop_begin(dispatches, dispatches.empty() ? 0 : 1))
    breaches.push_back({op, nameOf(op) + " is the dispatch " + name + ", in addition to " + dispatches.front().second});
}

} // namespace fuselage
