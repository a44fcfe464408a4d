#include "core/transforms/workgroups/reductions/ReductionFactors.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/reductions/ReductionShape.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

class Factorizer {
public:
  Factorizer(RewriterBase &rewriter, linalg::GenericOp op, const ReductionFactors &factors)
      : rewriter_(rewriter), op_(op), factors_(factors) {
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    loop_ = reductions.front();
    for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (loop != loop_)
        others_.push_back(loop);
    unsigned first = factors.partialsFirst ? 0 : others_.size();
    for (unsigned number = 0; number < factors.loops.size(); ++number)
      loops_.push_back(first + number);
  }

  linalg::GenericOp factorize() {
    SmallVector<AffineMap> maps;
    SmallVector<Value> inputs;
    for (OpOperand *input : op_.getDpsInputOperands()) {
      auto [value, map] = expanded(input);
      inputs.push_back(value);
      maps.push_back(map);
    }
    SmallVector<AffineExpr> numbers, written;
    SmallVector<int64_t> partials;
    SmallVector<utils::IteratorType> iterators(others_.size(), utils::IteratorType::parallel), ofFactors;
    for (const ReductionFactors::Loop &factor : factors_.loops)
      ofFactors.push_back(factor.isReduction ? utils::IteratorType::reduction : utils::IteratorType::parallel);
    iterators.insert(factors_.partialsFirst ? iterators.begin() : iterators.end(), ofFactors.begin(), ofFactors.end());
    for (auto [loop, factor] : llvm::zip_equal(loops_, factors_.loops))
      if (!factor.isReduction) {
        numbers.push_back(rewriter_.getAffineDimExpr(loop));
        partials.push_back(factor.extent);
      }
    for (AffineExpr expr : op_.getIndexingMapsArray().back().getResults())
      written.push_back(rewriter_.getAffineDimExpr(loopOf(cast<AffineDimExpr>(expr).getPosition())));
    written.insert(factors_.partialsFirst ? written.begin() : written.end(), numbers.begin(), numbers.end());
    maps.push_back(AffineMap::get(iterators.size(), 0, written, rewriter_.getContext()));
    Value start = neutralPartials(rewriter_, op_, partials, factors_.partialsFirst);
    auto partial = linalg::GenericOp::create(rewriter_, op_.getLoc(), start.getType(), inputs, start, maps, iterators);
    rewriter_.cloneRegionBefore(op_.getRegion(), partial.getRegion(), partial.getRegion().begin());
    partial->setAttr(kThreadReductionAttr, rewriter_.getI64IntegerAttr(mainInput(op_)->getOperandNumber()));
    return partial;
  }

private:
  /// Returns the loop of the new op for loop `other` of the old one.
  unsigned loopOf(unsigned other) const {
    unsigned number = llvm::find(others_, other) - others_.begin();
    return number + (factors_.partialsFirst ? factors_.loops.size() : 0);
  }

  /// Returns an input with a dimension for each factor in place of the reduced one, and its indexing map.
  std::pair<Value, AffineMap> expanded(OpOperand *input) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type) // a scalar
      return {input->get(), AffineMap::get(others_.size() + loops_.size(), 0, rewriter_.getContext())};
    SmallVector<AffineExpr> exprs;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    for (auto [expr, size] : llvm::zip_equal(op_.getMatchingIndexingMap(input).getResults(), type.getShape())) {
      unsigned number = cast<AffineDimExpr>(expr).getPosition();
      ReassociationIndices &group = groups.emplace_back();
      auto add = [&](unsigned loop, int64_t extent) {
        group.push_back(shape.size());
        exprs.push_back(rewriter_.getAffineDimExpr(loop));
        shape.push_back(extent);
      };
      if (number != loop_)
        add(loopOf(number), size);
      else
        for (auto [loop, factor] : llvm::zip_equal(loops_, factors_.loops))
          add(loop, factor.extent);
    }
    Value value = input->get();
    if (shape.size() != size_t(type.getRank()))
      value = tensor::ExpandShapeOp::create(rewriter_, op_.getLoc(), type.clone(shape), value, groups);
    return {value, AffineMap::get(others_.size() + loops_.size(), 0, exprs, rewriter_.getContext())};
  }

  RewriterBase &rewriter_;
  linalg::GenericOp op_;
  const ReductionFactors &factors_;
  unsigned loop_ = 0;            ///< the reduction loop
  SmallVector<unsigned> others_; ///< all other loops
  SmallVector<unsigned> loops_;  ///< loops of the new op, by factor
};

} // namespace

linalg::GenericOp factorReduction(RewriterBase &rewriter, linalg::GenericOp op, const ReductionFactors &factors) {
  return Factorizer(rewriter, op, factors).factorize();
}

Value neutralPartials(RewriterBase &rewriter, linalg::GenericOp op, ArrayRef<int64_t> partials, bool partialsFirst) {
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(partialsFirst ? shape.begin() : shape.end(), partials.begin(), partials.end());
  return fillNeutral(rewriter, op, 0, tensor::EmptyOp::create(rewriter, op.getLoc(), shape, type.getElementType()));
}

} // namespace fuselage
