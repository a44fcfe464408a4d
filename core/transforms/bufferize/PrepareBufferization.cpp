// What One-Shot Bufferize cannot cope with, in IR that is fine otherwise.
#include "core/dialects/sharding/DropShardings.h"
#include "core/interfaces/IndexFacts.h"
#include "core/transforms/bufferize/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

namespace fuselage {
#define GEN_PASS_DEF_PREPAREBUFFERIZATIONPASS
#include "core/transforms/bufferize/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

using Uses = SmallVector<OpOperand *, 2>;

/// The uses of `empty`, by the op of its block that has them, in program order.
SmallVector<std::pair<Operation *, Uses>, 0> usesInOrder(tensor::EmptyOp empty) {
  llvm::MapVector<Operation *, Uses> users;
  for (OpOperand &use : empty->getUses())
    if (Operation *user = empty->getBlock()->findAncestorOpInBlock(*use.getOwner()))
      users[user].push_back(&use);
  auto ordered = users.takeVector();
  llvm::sort(ordered, [](const auto &a, const auto &b) { return a.first->isBeforeInBlock(b.first); });
  return ordered;
}

/// Gives every `most` ops that use `empty` one of their own.
void split(tensor::EmptyOp empty, size_t most) {
  auto users = usesInOrder(empty);
  for (size_t first = most; first < users.size(); first += most) {
    OpBuilder builder(users[first].first);
    Value own = builder.clone(*empty)->getResult(0);
    for (size_t i = first; i < std::min(first + most, users.size()); ++i)
      for (OpOperand *use : users[i].second)
        use->set(own);
  }
}

/// Drops the strides of `slice` that say nothing.
template <typename Slice> void dropStrides(Slice slice) {
  SmallVector<OpFoldResult> strides = slice.getMixedStrides(), sizes = slice.getMixedSizes();
  OpBuilder builder(slice);
  SmallVector<OpFoldResult> needed = neededStrides(builder, sizes, strides);
  if (needed == strides)
    return;
  SmallVector<int64_t> known;
  SmallVector<Value> values;
  dispatchIndexOpFoldResults(needed, values, known);
  slice.setStaticStrides(known);
  slice.getStridesMutable().assign(values);
}

struct PrepareBufferization : fuselage::impl::PrepareBufferizationPassBase<PrepareBufferization> {
  using PrepareBufferizationPassBase::PrepareBufferizationPassBase;

  void runOnOperation() override {
    if (maxShared < 1) {
      getOperation().emitError("max-shared must be at least 1, not ") << maxShared.getValue();
      return signalPassFailure();
    }
    dropShardings(getOperation());
    SmallVector<tensor::EmptyOp> empties;
    getOperation().walk([&](Operation *op) {
      if (auto empty = dyn_cast<tensor::EmptyOp>(op))
        empties.push_back(empty);
      else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        dropStrides(slice);
      else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
        dropStrides(slice);
      else if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op))
        dropStrides(slice);
    });
    for (tensor::EmptyOp empty : empties)
      if (llvm::range_size(empty->getUses()) > size_t(maxShared))
        split(empty, maxShared);
  }
};

} // namespace
