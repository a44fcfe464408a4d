#include "core/transforms/workgroups/reductions/ReductionFactors.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

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
    unsigned first = factors.inFront ? 0 : others_.size();
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
    SmallVector<int64_t> more;
    SmallVector<utils::IteratorType> iterators(others_.size(), utils::IteratorType::parallel), ofFactors;
    for (const ReductionFactors::Loop &factor : factors_.loops)
      ofFactors.push_back(factor.isReduction ? utils::IteratorType::reduction : utils::IteratorType::parallel);
    iterators.insert(factors_.inFront ? iterators.begin() : iterators.end(), ofFactors.begin(), ofFactors.end());
    for (auto [loop, factor] : llvm::zip_equal(loops_, factors_.loops))
      if (!factor.isReduction) {
        numbers.push_back(rewriter_.getAffineDimExpr(loop));
        more.push_back(factor.extent);
      }
    for (AffineExpr expr : op_.getIndexingMapsArray().back().getResults())
      written.push_back(rewriter_.getAffineDimExpr(loopOf(cast<AffineDimExpr>(expr).getPosition())));
    written.insert(factors_.inFront ? written.begin() : written.end(), numbers.begin(), numbers.end());
    maps.push_back(AffineMap::get(iterators.size(), 0, written, rewriter_.getContext()));
    Value start = neutralResult(rewriter_, op_, more, factors_.inFront);
    auto partial = linalg::GenericOp::create(rewriter_, op_.getLoc(), start.getType(), inputs, start, maps, iterators);
    rewriter_.cloneRegionBefore(op_.getRegion(), partial.getRegion(), partial.getRegion().begin());
    partial->setAttr(kThreadReductionAttr, rewriter_.getI64IntegerAttr(mainInput(op_)->getOperandNumber()));
    return partial;
  }

private:
  /// Of the new op, by one of the others.
  unsigned loopOf(unsigned other) const {
    unsigned number = llvm::find(others_, other) - others_.begin();
    return number + (factors_.inFront ? factors_.loops.size() : 0);
  }

  /// An input, along the reduction in as many dimensions as there are factors, and how they are indexed.
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
  unsigned loop_ = 0;            ///< the reduction
  SmallVector<unsigned> others_; ///< all but that
  SmallVector<unsigned> loops_;  ///< of the new op, by factor
};

} // namespace

linalg::GenericOp factorReduction(RewriterBase &rewriter, linalg::GenericOp op, const ReductionFactors &factors) {
  return Factorizer(rewriter, op, factors).factorize();
}

void replaceSum(RewriterBase &rewriter, linalg::GenericOp sum, int64_t taken,
                llvm::function_ref<linalg::GenericOp(linalg::GenericOp)> addUp,
                llvm::function_ref<void(linalg::GenericOp)> ask) {
  SmallVector<unsigned> reductions;
  sum.getReductionDims(reductions);
  unsigned loop = reductions.front();
  int64_t depth = sum.getStaticLoopRanges()[loop];
  rewriter.setInsertionPoint(sum);
  linalg::GenericOp most = sum;
  if (taken < depth)
    most = overRange(rewriter, sum, loop, 0, taken, sum.getDpsInits().front());
  linalg::GenericOp all = addUp(most);
  if (taken < depth)
    all = overRange(rewriter, sum, loop, taken, depth - taken, all.getResult(0));
  ask(all);
  if (most != sum)
    rewriter.eraseOp(most);
  rewriter.replaceOp(sum, all.getResults());
}

Value neutralResult(RewriterBase &rewriter, linalg::GenericOp sum, ArrayRef<int64_t> more, bool inFront) {
  auto type = cast<RankedTensorType>(sum.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(inFront ? shape.begin() : shape.end(), more.begin(), more.end());
  return fillNeutral(rewriter, sum, 0, tensor::EmptyOp::create(rewriter, sum.getLoc(), shape, type.getElementType()));
}

linalg::GenericOp addUpInKernel(RewriterBase &rewriter, linalg::GenericOp sum, linalg::GenericOp parts, int64_t count,
                                bool inFront) {
  parts->setAttr(kPartialResultsAttr, rewriter.getI64IntegerAttr(count));
  Value init = sum.getDpsInits().front();
  auto type = cast<RankedTensorType>(init.getType());
  unsigned rank = type.getRank(), dim = inFront ? 0 : rank;
  int64_t low = balancedFactor(count, std::clamp<int64_t>(count / 4, 4, 32));
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  for (unsigned each = 0; each <= rank; ++each) {
    ReassociationIndices &group = groups.emplace_back();
    auto add = [&](int64_t extent) {
      group.push_back(shape.size());
      shape.push_back(extent);
    };
    if (each != dim) {
      add(type.getDimSize(each - (inFront ? 1 : 0)));
      continue;
    }
    add(count / low);
    add(low);
  }
  // What is of another shape is needed as a whole, which is what makes the parts a kernel of their own.
  Value wide = tensor::ExpandShapeOp::create(
      rewriter, sum.getLoc(), RankedTensorType::get(shape, type.getElementType()), parts.getResult(0), groups);
  Value some = combinePartials(rewriter, sum, 0, wide, dim, neutralResult(rewriter, sum, {low}, inFront)).getResult(0);
  linalg::GenericOp all = combinePartials(rewriter, sum, 0, some, dim, init);
  all->setAttr(kSplitsAttr, rewriter.getI64IntegerAttr(count));
  return all;
}

OpOperand *mainInput(linalg::LinalgOp sum) {
  if (auto known = sum->getAttrOfType<IntegerAttr>(kThreadReductionAttr);
      known && known.getInt() >= 0 && known.getInt() < sum.getNumDpsInputs())
    return &sum->getOpOperand(known.getInt());
  SmallVector<unsigned> reductions;
  sum.getReductionDims(reductions);
  OpOperand *main = nullptr;
  int64_t most = 0;
  for (OpOperand *input : sum.getDpsInputOperands()) {
    auto type = dyn_cast<ShapedType>(input->get().getType());
    AffineMap map = sum.getMatchingIndexingMap(input);
    bool isWalked = type && type.hasStaticShape() &&
                    llvm::any_of(reductions, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    if (!isWalked || type.getNumElements() <= most)
      continue;
    main = input;
    most = type.getNumElements();
  }
  return main;
}

int64_t elementsPerRead(linalg::LinalgOp sum, int64_t row) {
  OpOperand *main = mainInput(sum);
  int64_t bytes = main ? elementBytes(getElementTypeOrSelf(main->get().getType())) : 16;
  for (int64_t width = std::max<int64_t>(16 / std::max<int64_t>(bytes, 1), 1); width > 1; width /= 2)
    if (row % width == 0)
      return width;
  return 1;
}

SmallVector<unsigned> repeatedDims(linalg::LinalgOp sum) {
  SmallVector<unsigned> repeated;
  OpOperand *main = mainInput(sum);
  for (auto [dim, expr] : llvm::enumerate(sum.getMatchingIndexingMap(sum.getDpsInitOperand(0)).getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (main && loop && !sum.getMatchingIndexingMap(main).isFunctionOfDim(loop.getPosition()))
      repeated.push_back(dim);
  }
  return repeated;
}

void markThreadReduction(RewriterBase &rewriter, linalg::GenericOp sum) {
  Attribute main = rewriter.getI64IntegerAttr(mainInput(sum)->getOperandNumber());
  rewriter.modifyOpInPlace(sum, [&] { sum->setAttr(kThreadReductionAttr, main); });
}

bool isSkinnyProduct(linalg::LinalgOp op) {
  constexpr int64_t mostRows = 8;
  std::optional<linalg::ContractionDimensions> dims = contractionDims(op);
  if (!dims || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !readTilingConfig(op).empty())
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (llvm::any_of(ranges, [](int64_t range) { return ShapedType::isDynamic(range) || range <= 0; }))
    return false;
  return std::min(iterationsOf(dims->m, ranges), iterationsOf(dims->n, ranges)) <= mostRows;
}

int64_t balancedFactor(int64_t count, int64_t most) {
  for (int64_t low = std::min(count, most); low >= 4; --low)
    if (count % low == 0 && low % 4 == 0)
      return low;
  return largestDivisor(count, most);
}

} // namespace fuselage
