#include "core/dialects/sharding/DropShardings.h"
#include "core/dialects/sharding/OpWords.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {

/// By what costs little: most ops are MLIR's, and their names need not be spelled.
static bool mayAnnotate(Operation *op) { return !op->isRegistered() || op->getName().getDialectNamespace() == "shard"; }

Value annotatedValue(Operation *op) {
  if (!mayAnnotate(op) || op->getNumOperands() == 0 || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->getOperand(0).getType() != op->getResult(0).getType())
    return {};
  // A barrier stops the propagation of shardings, and says nothing else.
  return isShardingAnnotation(op) || writtenName(op) == "sdy.propagation_barrier" ? op->getOperand(0) : Value();
}

/// Whether the op gives nothing to any other, so that without annotations nobody asks what it says.
static bool onlyServesAnnotations(Operation *op) {
  if (!mayAnnotate(op) || !op->use_empty() || op->getNumRegions() != 0)
    return false;
  return llvm::is_contained(
      {"sdy.mesh", "sdy.sharding_group", "shard.grid", "shard.sharding", "mesh.mesh", "mesh.sharding"},
      writtenName(op));
}

void dropShardings(Operation *root) {
  root->walk([](Operation *op) {
    if (Value value = annotatedValue(op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  });
  // A sharding may be made of another one.
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (onlyServesAnnotations(op))
      op->erase();
  });
}

} // namespace fuselage
