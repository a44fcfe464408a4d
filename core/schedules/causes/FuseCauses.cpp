// Why a producer cannot be computed inside of a loop.
#include "core/schedules/causes/CauseNotes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;

namespace fuselage {

/// Whether `op` needs a result of `loop`, through other ops if need be.
static bool dependsOn(Operation *op, Operation *loop) {
  llvm::SetVector<Operation *> before;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  return succeeded(getBackwardSlice(op, &before, options)) && before.contains(loop);
}

/// The op that is computed in the loop, as people know it.
static std::string contents(Operation *loop) {
  Operation *found = nullptr;
  loop->walk([&](TilingInterface op) { found = op; });
  return found ? "'" + found->getName().getStringRef().str() + "'" : "what the loop computes";
}

void explainFuseInto(Operation *producer, Operation *loop, CauseNotes &notes) {
  std::string name = nameWithLine(producer);
  if (!isa<LoopLikeOpInterface>(loop))
    return notes.at(loop, "'" + loop->getName().getStringRef() + "' is no loop; tile the op that reads " + name +
                              " with tile_using_forall or tile_using_for, and fuse into the loop of that");
  if (loop->isProperAncestor(producer))
    return notes.at(producer, name + " is inside of the loop already");
  if (dependsOn(producer, loop))
    return notes.at(
        producer,
        name +
            " reads a result of the loop: it is a consumer of the loop, and only producers are fused into a loop. "
            "Fuse the loop into it: tile '" +
            producer->getName().getStringRef() + "' and fuse " + contents(loop) +
            " into its loop, or use transform.structured.fuse on it");
  bool isRead = llvm::any_of(producer->getUsers(), [&](Operation *user) { return loop->isAncestor(user); });
  if (!isRead) {
    if (producer->use_empty())
      return notes.at(producer, "nothing reads a result of " + name);
    return notes.at(producer, "no op in the loop reads a result of " + name + "; it is read by " +
                                  nameWithLine(*producer->getUsers().begin()));
  }
  if (!isa<TilingInterface>(producer))
    return notes.at(producer, name + " cannot be tiled: it is no linalg, pad, pack or other op with loops");
  notes.at(producer, "the loop reads " + name + " as a whole, and not by a tensor.extract_slice of it");
}

} // namespace fuselage
