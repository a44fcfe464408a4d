#include "core/transforms/workgroups/RowSums.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/LongSums.h"
#include "core/transforms/workgroups/PartialSums.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t threadsOfWorkgroup = 128;
constexpr int64_t leastDepth = 64; ///< shorter rows are a thread's own
constexpr int64_t usualProcessors = 64;

int64_t processorsOf(const TilingPolicy &policy) { return policy.processors > 0 ? policy.processors : usualProcessors; }

/// How the elements of a row are shared: `parts` runs for workgroups, in each of which threads take `columns` neighbours a step. What is
/// left at the end is added behind.
struct RowShare {
  int64_t parts, columns, steps;
  int64_t taken() const { return parts * columns * steps; }
};

/// Columns for `depth` elements in a row: the number, of about as many as there may be, that leaves the fewest elements at the end.
int64_t columnsFor(int64_t depth) {
  constexpr int64_t leastSteps = 4;
  int64_t width = depth % 4 == 0 ? 4 : 1, multiple = width == 4 ? 4 : 8;
  int64_t most = std::max<int64_t>(std::min(threadsOfWorkgroup * width, depth / leastSteps) / multiple, 2) * multiple;
  int64_t best = most;
  for (int64_t columns = most; 2 * columns >= most && columns >= multiple; columns -= multiple)
    if (depth % columns < depth % best)
      best = columns;
  return best;
}

RowShare shareOf(int64_t rows, int64_t depth, int64_t bytes, const TilingPolicy &policy) {
  RowShare share{.parts = 1, .columns = columnsFor(depth), .steps = 0};
  if (isWorthSharing(rows, depth, bytes, policy)) {
    constexpr int64_t leastOfPart = 2048, workgroupsOfProcessor = 4, multiple = 16;
    int64_t most = std::min(depth / leastOfPart, processorsOf(policy) * workgroupsOfProcessor / rows) / multiple * multiple;
    for (int64_t parts = most, least = depth; parts >= multiple && 2 * parts >= most; parts -= multiple) {
      int64_t columns = columnsFor(depth / parts), left = depth % (parts * columns);
      if (left < least) {
        share = {.parts = parts, .columns = columns, .steps = 0};
        least = left;
      }
    }
  }
  share.steps = depth / (share.parts * share.columns);
  return share;
}

/// Whether `op` is elementwise, with one result that has an element for each iteration, and nothing reads what that was before.
bool writesEachOnce(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && op->getNumResults() == 1 && op.getNumReductionLoops() == 0 && !isa<linalg::FillOp>(op) &&
         op.getIndexingMapsArray().back().isPermutation() && !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// The producer of `input` that can be computed in the op that reads it, null if there is none.
linalg::LinalgOp mergeable(OpOperand *input) {
  auto producer = input->get().getDefiningOp<linalg::LinalgOp>();
  bool isHere = producer && producer->getBlock() == input->getOwner()->getBlock();
  return isHere && writesEachOnce(producer) ? producer : linalg::LinalgOp();
}

FailureOr<linalg::GenericOp> asGeneric(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  rewriter.setInsertionPoint(op);
  return linalg::generalizeNamedOp(rewriter, op);
}

/// The producer of `input` as part of the op that reads it; what others read of it stays.
FailureOr<linalg::GenericOp> mergeInto(RewriterBase &rewriter, OpOperand *input) {
  auto reader = cast<linalg::GenericOp>(input->getOwner());
  linalg::LinalgOp producer = mergeable(input);
  rewriter.setInsertionPoint(reader);
  auto copy = cast<linalg::LinalgOp>(rewriter.clone(*producer));
  FailureOr<linalg::GenericOp> made = asGeneric(rewriter, copy);
  if (failed(made))
    return rewriter.eraseOp(copy), failure();
  rewriter.modifyOpInPlace(reader, [&] { input->set(made->getResult(0)); });
  rewriter.setInsertionPoint(reader);
  FailureOr<linalg::ElementwiseOpFusionResult> merged = failure();
  if (linalg::areElementwiseOpsFusable(input))
    merged = linalg::fuseElementwiseOps(rewriter, input);
  if (failed(merged)) {
    rewriter.modifyOpInPlace(reader, [&] { input->set(producer->getResult(0)); });
    rewriter.eraseOp(*made);
    return failure();
  }
  for (OpResult old : reader->getResults())
    rewriter.replaceAllUsesWith(old, merged->replacements.lookup(old));
  rewriter.eraseOp(reader);
  if ((*made)->use_empty())
    rewriter.eraseOp(*made);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return cast<linalg::GenericOp>(merged->fusedOp);
}

/// `op` with what is elementwise in front of it and `isWanted`, as far as there are bindings for what it reads then.
linalg::GenericOp mergeInputs(RewriterBase &rewriter, linalg::GenericOp op, llvm::function_ref<bool(OpOperand *)> isWanted) {
  constexpr int64_t mostInputs = 12;
  for (bool isMore = true; isMore && op.getNumDpsInputs() < mostInputs;) {
    isMore = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!mergeable(input) || !isWanted(input))
        continue;
      FailureOr<linalg::GenericOp> merged = mergeInto(rewriter, input);
      if (failed(merged))
        continue;
      op = *merged;
      isMore = true;
      break;
    }
  }
  return op;
}

bool isAlongRows(OpOperand *input) {
  auto op = cast<linalg::LinalgOp>(input->getOwner());
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::any_of(reductions, [&](unsigned loop) { return op.getMatchingIndexingMap(input).isFunctionOfDim(loop); });
}

bool isFromOutside(Value value, Block *body) {
  auto producer = value.getDefiningOp<linalg::LinalgOp>();
  if (!producer || producer->getBlock() != body)
    return true;
  if (producer.getNumReductionLoops() > 0)
    return workKindOf(cast<TilingInterface>(producer.getOperation())) == WorkKind::Reduction;
  return writesEachOnce(producer) && llvm::all_of(producer.getDpsInputs(), [&](Value input) { return isFromOutside(input, body); });
}

class RowSharer {
public:
  RowSharer(RewriterBase &rewriter, Block &body, const TilingPolicy &policy) : rewriter_(rewriter), body_(body), policy_(policy) {}

  void run() {
    SmallVector<linalg::LinalgOp> sums;
    for (auto op : body_.getOps<linalg::LinalgOp>())
      if (isRowSum(op) && comesFromOutside(op))
        sums.push_back(op);
    bool isAny = false;
    for (linalg::LinalgOp op : sums)
      isAny |= share(op);
    if (isAny)
      mergeElementwise(rewriter_, body_);
  }

private:
  /// A sum, or a maximum, .. of rows that lie along memory.
  static bool isRowSum(linalg::LinalgOp op) {
    if (contractionDims(op) || !isLongSum(op, std::numeric_limits<int64_t>::max(), leastDepth))
      return false;
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
      std::optional<unsigned> inner = innermostLoop(op.getMatchingIndexingMap(input));
      return inner && iterators[*inner] == utils::IteratorType::reduction;
    });
  }

  bool share(linalg::LinalgOp op) {
    FailureOr<linalg::GenericOp> sum = withInputs(rewriter_, op);
    bool isReady = succeeded(sum) && isRowSum(*sum) && llvm::none_of(sum->getDpsInputOperands(), [&](OpOperand *input) {
      TilingInterface producer = asTileable(input->get().getDefiningOp());
      return isAlongRows(input) && producer && producer->getBlock() == &body_;
    });
    if (isReady)
      takeApart(*sum);
    return isReady;
  }

  void takeApart(linalg::GenericOp sum) {
    SmallVector<unsigned> parallel, reductions;
    sum.getParallelDims(parallel);
    sum.getReductionDims(reductions);
    SmallVector<int64_t> ranges = sum.getStaticLoopRanges();
    unsigned loop = reductions.front();
    int64_t rows = iterationsOf(parallel, ranges), depth = ranges[loop];
    RowShare share = shareOf(rows, depth, elementBytes(getElementTypeOrSelf(sum.getDpsInputs().front().getType())), policy_);
    if (share.parts > 1) {
      InFlightDiagnostic remark = sum->emitRemark("each of its ") << rows << " rows of " << depth << " is shared by " << share.parts << " workgroups: ";
      if (policy_.processors > 0)
        remark << "one a row leaves much of " << policy_.processors << " multiprocessors idle; ";
      remark << "a kernel behind them adds up their sums";
    }
    rewriter_.setInsertionPoint(sum);
    linalg::GenericOp most = sum;
    if (share.taken() < depth)
      most = overRun(rewriter_, sum, loop, 0, share.taken(), sum.getDpsInits().front());
    linalg::GenericOp all = addUp(most, loop, share, std::max<int64_t>(rows / processorsOf(policy_), 1));
    if (share.taken() < depth)
      all = overRun(rewriter_, sum, loop, share.taken(), depth - share.taken(), all.getResult(0));
    askForRows(all, share.columns, std::max<int64_t>(rows / processorsOf(policy_), 1), sum);
    if (most != sum)
      rewriter_.eraseOp(most);
    rewriter_.replaceOp(sum, all.getResults());
  }

  Value startWith(linalg::GenericOp sum, ArrayRef<int64_t> more) {
    auto type = cast<RankedTensorType>(sum.getResult(0).getType());
    SmallVector<int64_t> shape(type.getShape());
    llvm::append_range(shape, more);
    return startPart(rewriter_, sum, 0, tensor::EmptyOp::create(rewriter_, sum.getLoc(), shape, type.getElementType()));
  }

  /// The partial results of `sum`, added up.
  linalg::GenericOp addUp(linalg::GenericOp sum, unsigned loop, const RowShare &share, int64_t mostRows) {
    constexpr int64_t most = 32;
    int64_t low = lowOf(share.columns, most);
    Value partial = partialResults(sum, loop, share, low), init = sum.getDpsInits().front();
    unsigned first = cast<RankedTensorType>(init.getType()).getRank();
    SmallVector<int64_t> parts;
    if (share.parts > 1) {
      parts.push_back(share.parts);
      ++first;
    }
    if (share.columns != low) {
      SmallVector<int64_t> rest(parts);
      rest.push_back(low);
      partial = addPartsAlong(rewriter_, sum, 0, partial, first, startWith(sum, rest)).getResult(0);
    }
    linalg::GenericOp all = addPartsAlong(rewriter_, sum, 0, partial, first, parts.empty() ? init : startWith(sum, parts));
    if (parts.empty())
      return all;
    askForRows(all, share.columns, mostRows, {});
    return addUpParts(sum, all.getResult(0), share.parts);
  }

  /// In a kernel behind that of the parts.
  linalg::GenericOp addUpParts(linalg::GenericOp sum, Value parts, int64_t count) {
    Value init = sum.getDpsInits().front();
    auto type = cast<RankedTensorType>(init.getType());
    unsigned rank = type.getRank();
    int64_t low = lowOf(count, std::clamp<int64_t>(count / 4, 4, 32));
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape(type.getShape());
    for (unsigned dim = 0; dim < rank; ++dim)
      groups.push_back({dim});
    groups.push_back({rank, rank + 1});
    shape.append({count / low, low});
    // What is of another shape is needed as a whole, which is what makes the parts a kernel of their own.
    Value wide = tensor::ExpandShapeOp::create(rewriter_, sum.getLoc(), RankedTensorType::get(shape, type.getElementType()), parts, groups);
    Value some = addPartsAlong(rewriter_, sum, 0, wide, rank, startWith(sum, {low})).getResult(0);
    linalg::GenericOp all = addPartsAlong(rewriter_, sum, 0, some, rank, init);
    all->setAttr(kPartsAttr, rewriter_.getI64IntegerAttr(count));
    return all;
  }

  /// A divisor of `count`, up to `most`, that leaves both factors about the same; multiples of four come first.
  static int64_t lowOf(int64_t count, int64_t most) {
    for (int64_t low = std::min(count, most); low >= 4; --low)
      if (count % low == 0 && low % 4 == 0)
        return low;
    return largestDivisor(count, most);
  }

  /// What a reduction loop becomes, from the outermost: sizes by loop of the new op.
  struct Factors {
    SmallVector<std::pair<unsigned, int64_t>, 4> loops;
    unsigned all; ///< loops of the new op
  };

  /// `operand`, along `loop` in as many dimensions as there are factors, and how they are indexed.
  std::pair<Value, AffineMap> expanded(linalg::GenericOp op, OpOperand *input, unsigned loop, const Factors &factors) {
    auto type = cast<RankedTensorType>(input->get().getType());
    SmallVector<AffineExpr> exprs;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    for (auto [expr, size] : llvm::zip_equal(op.getMatchingIndexingMap(input).getResults(), type.getShape())) {
      unsigned number = cast<AffineDimExpr>(expr).getPosition();
      SmallVector<std::pair<unsigned, int64_t>, 4> loops{{number, size}};
      ReassociationIndices &group = groups.emplace_back();
      for (auto [each, extent] : number == loop ? factors.loops : loops) {
        group.push_back(shape.size());
        exprs.push_back(rewriter_.getAffineDimExpr(each));
        shape.push_back(extent);
      }
    }
    Value value = input->get();
    if (shape.size() != size_t(type.getRank()))
      value = tensor::ExpandShapeOp::create(rewriter_, op.getLoc(), type.clone(shape), value, groups);
    return {value, AffineMap::get(factors.all, 0, exprs, rewriter_.getContext())};
  }

  /// `op` with its reduction `loop` as parts, steps, and columns of two loops: the steps are added up, the others are behind what `op`
  /// has for dimensions, unless there is one of them.
  Value partialResults(linalg::GenericOp op, unsigned loop, const RowShare &share, int64_t low) {
    Factors factors{.loops = {}, .all = op.getNumLoops()};
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    SmallVector<AffineExpr> written(op.getIndexingMapsArray().back().getResults());
    SmallVector<int64_t> shape(type.getShape());
    auto add = [&](int64_t extent) {
      written.push_back(rewriter_.getAffineDimExpr(factors.all));
      shape.push_back(extent);
      factors.loops.emplace_back(factors.all++, extent);
    };
    if (share.parts > 1)
      add(share.parts);
    factors.loops.emplace_back(loop, share.steps);
    if (share.columns != low)
      add(share.columns / low);
    add(low);
    SmallVector<AffineMap> maps;
    SmallVector<Value> inputs;
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto [value, map] = expanded(op, input, loop, factors);
      inputs.push_back(value);
      maps.push_back(map);
    }
    maps.push_back(AffineMap::get(factors.all, 0, written, rewriter_.getContext()));
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    iterators.resize(factors.all, utils::IteratorType::parallel);
    Value start = startPart(rewriter_, op, 0, tensor::EmptyOp::create(rewriter_, op.getLoc(), shape, type.getElementType()));
    auto partial = linalg::GenericOp::create(rewriter_, op.getLoc(), start.getType(), inputs, start, maps, iterators);
    rewriter_.cloneRegionBefore(op.getRegion(), partial.getRegion(), partial.getRegion().begin());
    return partial.getResult(0);
  }

  /// Asks for as many rows of a workgroup as its threads have something to do for, `most` at most; for what `sum` asks, if it does.
  void askForRows(linalg::GenericOp op, int64_t columns, int64_t most, linalg::GenericOp sum) {
    TilingConfig config = sum ? readTilingConfig(sum) : TilingConfig{};
    if (SmallVector<int64_t> asked = sizesForLoops(config.workgroup, op.getNumLoops()); !asked.empty())
      return writeTilingConfig(op, {.workgroup = asked, .reduction = {}});
    SmallVector<int64_t> ranges = op.getStaticLoopRanges(), targets(ranges.size(), 0);
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    int64_t width = columns % 4 == 0 ? 4 : 1;
    shareOut(llvm::to_vector_of<unsigned>(llvm::reverse(parallel)), ranges, std::clamp<int64_t>(threadsOfWorkgroup * width / columns, 1, most), targets);
    writeTilingConfig(op, {.workgroup = targets, .reduction = {}});
  }

  RewriterBase &rewriter_;
  Block &body_;
  const TilingPolicy &policy_;
};

} // namespace

bool isWorthSharing(int64_t rows, int64_t depth, int64_t bytes, const TilingPolicy &policy) {
  constexpr double bytesOfCycle = 32, anotherKernel = 3300;
  constexpr int64_t leastOfLanes = 1 << 16; // a launch takes a processor some 30 us
  if (policy.lanes > 0)
    return rows <= policy.lanes && rows * depth >= leastOfLanes;
  int64_t processors = processorsOf(policy);
  if (policy.units <= 0 || rows >= processors)
    return false;
  return double(depth) * double(bytes) / bytesOfCycle * (1 - double(rows) / double(processors)) > anotherKernel;
}

bool comesFromOutside(linalg::LinalgOp sum) {
  return llvm::all_of(sum.getDpsInputs(), [&](Value input) { return isFromOutside(input, sum->getBlock()); });
}

FailureOr<linalg::GenericOp> withInputs(RewriterBase &rewriter, linalg::LinalgOp sum) {
  FailureOr<linalg::GenericOp> made = withOneReduction(rewriter, sum);
  return failed(made) ? made : mergeInputs(rewriter, *made, isAlongRows);
}

void mergeElementwise(RewriterBase &rewriter, Block &body) {
  auto isChain = [](OpOperand *input) {
    auto reader = cast<linalg::LinalgOp>(input->getOwner());
    return mergeable(input) && input->get().hasOneUse() && reader.getMatchingIndexingMap(input).isPermutation();
  };
  auto mergeOne = [&] {
    for (auto op : llvm::make_early_inc_range(body.getOps<linalg::LinalgOp>())) {
      if (!writesEachOnce(op) || llvm::none_of(op.getDpsInputOperands(), isChain))
        continue;
      FailureOr<linalg::GenericOp> made = asGeneric(rewriter, op);
      if (succeeded(made) && mergeInputs(rewriter, *made, isChain) != *made)
        return true;
    }
    return false;
  };
  while (mergeOne()) {
  }
}

void shareRows(RewriterBase &rewriter, Block &body, const TilingPolicy &policy) {
  if (policy.units <= 0)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  RowSharer(rewriter, body, policy).run();
}

} // namespace fuselage
