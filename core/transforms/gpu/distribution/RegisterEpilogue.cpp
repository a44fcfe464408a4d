#include "core/transforms/gpu/distribution/RegisterEpilogue.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"

using namespace mlir;

namespace fuselage {

/// Whether two maps reach the same elements of a buffer, whatever they say of dimensions of one element.
static bool sameElements(AffineMap a, AffineMap b, MemRefType buffer) {
  return llvm::all_of(llvm::zip_equal(a.getResults(), b.getResults(), buffer.getShape()),
                      [](auto each) { return std::get<0>(each) == std::get<1>(each) || std::get<2>(each) == 1; });
}

/// An operand's map with the parallel loops numbered from 0.
static AffineMap onParallelLoops(linalg::LinalgOp op, OpOperand &operand) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<AffineExpr> dims(op.getNumLoops(), getAffineConstantExpr(-1, op.getContext()));
  for (auto [number, loop] : llvm::enumerate(parallel))
    dims[loop] = getAffineDimExpr(number, op.getContext());
  return op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(dims, {}, parallel.size(), 0);
}

bool takesResults(linalg::LinalgOp user, linalg::LinalgOp last, linalg::LinalgOp first) {
  if (user.getNumReductionLoops() != 0 || user.getNumDpsInits() != 1 ||
      staticParallelExtents(user) != staticParallelExtents(first))
    return false;
  Value result = last.getDpsInitOperand(0)->get();
  unsigned takes = 0;
  for (OpOperand *input : user.getDpsInputOperands()) {
    if (input->get() == result &&
        sameElements(onParallelLoops(user, *input), onParallelLoops(last, *last.getDpsInitOperand(0)),
                     cast<MemRefType>(result.getType())))
      ++takes;
    else if (rootBuffer(input->get()) == rootBuffer(result))
      return false;
    else if (rootBuffer(input->get()) == rootBuffer(user.getDpsInitOperand(0)->get()))
      return false;
  }
  return takes != 0 && !user.payloadUsesValueFromOperand(user.getDpsInitOperand(0));
}

bool replacesResults(linalg::LinalgOp user, linalg::LinalgOp last) {
  OpOperand &from = *last.getDpsInitOperand(0), &to = *user.getDpsInitOperand(0);
  return from.get() == to.get() &&
         sameElements(onParallelLoops(user, to), onParallelLoops(last, from), cast<MemRefType>(to.get().getType()));
}

} // namespace fuselage
