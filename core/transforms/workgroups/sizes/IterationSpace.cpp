#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/strategy/WideTiles.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

/// True if `map` has an index such as `d1 + d4`: the sign of a sliding window.
static bool hasWindow(AffineMap map) {
  return llvm::any_of(map.getResults(),
                      [](AffineExpr expr) { return !isa<AffineDimExpr>(expr) && !isa<AffineConstantExpr>(expr); });
}

/// True if a result of `map` is the loop `dim` alone.
static bool indexesWith(AffineMap map, unsigned dim) {
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
    auto plain = dyn_cast<AffineDimExpr>(expr);
    return plain && plain.getPosition() == dim;
  });
}

std::optional<linalg::ContractionDimensions> contractionDims(linalg::LinalgOp op) {
  if (op->hasAttr(kThreadSumAttr))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool plain = llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }) &&
               op.getNumDpsInits() > 0 && op.getNumDpsInputs() == op.getNumDpsInits() + 1 &&
               llvm::all_equal(ArrayRef(maps).drop_front(op.getNumDpsInputs()));
  if (!plain)
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims({maps[0], maps[1], maps.back()});
  if (failed(dims) || dims->k.empty() || (dims->m.empty() && dims->n.empty()) ||
      dims->batch.size() + dims->m.size() + dims->n.size() + dims->k.size() != op.getNumLoops())
    return std::nullopt;
  return *dims;
}

/// The input that a window slides over, null if there is none.
static OpOperand *windowedInput(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (hasWindow(op.getMatchingIndexingMap(input)))
      return input;
  return nullptr;
}

WorkKind workKindOf(TilingInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  if (!structured || structured.getNumReductionLoops() == 0)
    return WorkKind::Elementwise;
  if (contractionDims(structured))
    return WorkKind::Contraction;
  return windowedInput(structured) ? WorkKind::Convolution : WorkKind::Reduction;
}

int64_t elementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

bool canOverlap(TilingInterface root) {
  auto structured = dyn_cast<linalg::LinalgOp>(root.getOperation());
  if (!structured || ShapedType::isDynamicShape(structured.getStaticLoopRanges()))
    return false;
  return llvm::all_of(structured->getResults(), [&](OpResult result) {
    AffineMap map = structured.getIndexingMapMatchingResult(result);
    return map.isProjectedPermutation() && map.getNumResults() == structured.getNumParallelLoops();
  });
}

SmallVector<int64_t> loopRanges(TilingInterface op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return structured.getStaticLoopRanges();
  return llvm::to_vector(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
}

int64_t iterationsOf(ArrayRef<unsigned> loops, ArrayRef<int64_t> ranges) {
  int64_t product = 1;
  for (unsigned loop : loops)
    product = std::min<int64_t>(product, int64_t(1) << 32) * std::max<int64_t>(ranges[loop], 1);
  return product;
}

void shareOut(ArrayRef<unsigned> order, ArrayRef<int64_t> ranges, int64_t total, SmallVectorImpl<int64_t> &targets) {
  for (unsigned loop : order) {
    targets[loop] = std::max<int64_t>(total, 1);
    int64_t taken = ShapedType::isDynamic(ranges[loop]) ? total : std::min(ranges[loop], total);
    total /= std::max<int64_t>(taken, 1);
  }
}

std::optional<unsigned> innermostLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

/// The parallel loops as the first result lists them, innermost first; loops of other results
/// behind them.
static SmallVector<unsigned> outputLoopsInnermostFirst(TilingInterface op) {
  SmallVector<utils::IteratorType> iterators = op.getLoopIteratorTypes();
  SmallVector<unsigned> order;
  auto add = [&](unsigned loop) {
    if (iterators[loop] == utils::IteratorType::parallel && !llvm::is_contained(order, loop))
      order.push_back(loop);
  };
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    for (AffineExpr expr :
         llvm::reverse(structured.getMatchingIndexingMap(structured.getDpsInitOperand(0)).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        add(dim.getPosition());
  for (unsigned loop = iterators.size(); loop-- > 0;)
    add(loop);
  return order;
}

static void contractionTargets(linalg::LinalgOp op, const TilingPolicy &policy, SmallVectorImpl<int64_t> &targets) {
  linalg::ContractionDimensions dims = *contractionDims(op);
  if (policy.lanes > 0)
    return laneContractionTargets(op, dims, policy, targets);
  bool both = !dims.m.empty() && !dims.n.empty();
  std::optional<WideTile> wide = pickWideTile(op, policy);
  // Four subgroups with 32 by 32 results each.
  int64_t matrixSide = matrixDepth(op, policy) != 0 ? 64 : 0;
  if (!dims.m.empty())
    targets[dims.m.back()] = wide   ? wide->rows
                             : both ? std::max(policy.contractionRows, matrixSide)
                                    : policy.contractionColumns;
  if (!dims.n.empty())
    targets[dims.n.back()] = wide ? wide->columns : std::max(policy.contractionColumns, matrixSide);
  // Short rows (or columns) leave room along the loops next to them.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto *loops : {&dims.m, &dims.n}) {
    if (loops->empty())
      continue;
    SmallVector<unsigned> order(llvm::reverse(*loops));
    shareOut(order, ranges, targets[loops->back()], targets);
  }
}

TilingPolicy TilingPolicy::forUnits(int64_t units) {
  TilingPolicy policy;
  if (units <= 0)
    return policy;
  policy.units = units;
  policy.contractionDepth = 16;
  return policy;
}

TilingPolicy TilingPolicy::forLanes(int64_t lanes) {
  TilingPolicy policy;
  if (lanes <= 0)
    return policy;
  constexpr int64_t vectorWidth = 4;
  policy.lanes = lanes;
  policy.contractionRows = 16;
  policy.contractionColumns = vectorWidth * lanes;
  policy.elementwiseElements = 2048;
  // Whole lines of the cache are written at once, and read in runs that the processor fetches ahead of.
  policy.transposeLineBytes = 64;
  policy.transposeRun = 256;
  policy.reductionElements = 1;
  policy.reductionRows = lanes;
  policy.reductionColumns = vectorWidth * lanes;
  policy.longReduction = int64_t(1) << 18;
  return policy;
}

static void reductionTargets(linalg::LinalgOp op, ArrayRef<unsigned> order, const TilingPolicy &policy,
                             SmallVectorImpl<int64_t> &targets) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<unsigned> inner = innermostLoop(op.getMatchingIndexingMap(input));
    if (inner && iterators[*inner] == utils::IteratorType::parallel) {
      int64_t columns = policy.reductionColumns;
      if (policy.lanes > 0 && inner == order.front() && llvm::none_of(ranges, ShapedType::isDynamic))
        columns = laneSumColumns(ranges[*inner], iterationsOf(ArrayRef(order).drop_front(), ranges), policy);
      shareOut(order, ranges, columns, targets);
      return;
    }
  }
  int64_t rowLength = 1;
  for (auto [range, iterator] : llvm::zip_equal(ranges, iterators))
    if (iterator == utils::IteratorType::reduction && !ShapedType::isDynamic(range))
      rowLength *= std::max<int64_t>(range, 1);
  shareOut(order, ranges,
           std::clamp(policy.reductionElements / rowLength, policy.reductionRows, policy.reductionColumns), targets);
}

/// Bytes of an element, at least 1.
static int64_t bytesOfResult(TilingInterface op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return element.isIntOrFloat() ? std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1) : 4;
}

static void elementwiseTargets(TilingInterface op, ArrayRef<unsigned> order, const TilingPolicy &policy,
                               SmallVectorImpl<int64_t> &targets) {
  SmallVector<int64_t> ranges = loopRanges(op);
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  std::optional<unsigned> reading;
  if (structured)
    for (OpOperand *input : structured.getDpsInputOperands()) {
      AffineMap map = structured.getMatchingIndexingMap(input);
      std::optional<unsigned> inner = innermostLoop(map);
      // An input that lacks the output's innermost loop is a broadcast: it decides nothing.
      if (inner && *inner != order.front() && indexesWith(map, order.front()))
        reading = inner;
    }
  if (!reading) {
    shareOut(order, ranges, policy.elementwiseElements, targets);
    return;
  }
  int64_t left = policy.elementwiseElements;
  for (unsigned loop : {order.front(), *reading}) {
    int64_t side = loop == *reading ? policy.transposeRun : policy.transposeLineBytes / bytesOfResult(op);
    targets[loop] = side > 0 ? side : policy.transposeSide;
    left /= ShapedType::isDynamic(ranges[loop]) ? targets[loop] : std::clamp<int64_t>(ranges[loop], 1, targets[loop]);
  }
  SmallVector<unsigned> others;
  for (unsigned loop : order)
    if (loop != order.front() && loop != *reading)
      others.push_back(loop);
  shareOut(others, ranges, left, targets);
}

SmallVector<int64_t> workgroupTargets(TilingInterface op, const TilingPolicy &policy) {
  SmallVector<utils::IteratorType> iterators = op.getLoopIteratorTypes();
  SmallVector<int64_t> targets(iterators.size(), 0);
  if (SmallVector<int64_t> asked = sizesForLoops(readTilingConfig(op).workgroup, iterators.size()); !asked.empty()) {
    for (auto [loop, iterator] : llvm::enumerate(iterators))
      targets[loop] = iterator == utils::IteratorType::parallel ? asked[loop] : 0;
    return targets;
  }
  SmallVector<unsigned> order = outputLoopsInnermostFirst(op);
  if (order.empty())
    return targets;
  for (unsigned loop : order)
    targets[loop] = 1;
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  switch (workKindOf(op)) {
  case WorkKind::Contraction:
    contractionTargets(structured, policy, targets);
    break;
  case WorkKind::Convolution: {
    if (policy.lanes > 0) {
      laneConvolutionTargets(structured, order, policy, targets);
      break;
    }
    int64_t sizes[] = {policy.convolutionInner, policy.convolutionMiddle, policy.convolutionOuter};
    for (auto [loop, size] : llvm::zip(order, sizes))
      targets[loop] = size;
    break;
  }
  case WorkKind::Reduction:
    reductionTargets(structured, order, policy, targets);
    break;
  case WorkKind::Elementwise:
    elementwiseTargets(op, order, policy, targets);
    break;
  }
  return targets;
}

/// Cuts the loops of `order`, innermost first, into steps of `target` iterations in all.
static void cutLoops(ArrayRef<unsigned> order, ArrayRef<int64_t> ranges, int64_t target,
                     SmallVectorImpl<int64_t> &steps) {
  int64_t left = target;
  for (unsigned loop : order) {
    if (ShapedType::isDynamic(ranges[loop])) {
      steps[loop] = left;
      left = 1;
      continue;
    }
    if (ranges[loop] <= 1)
      continue;
    int64_t step = largestDivisor(ranges[loop], left);
    // A range without divisors (a prime) is better whole, or in a few large steps, than in ones.
    if (step < std::min<int64_t>(4, left) && ranges[loop] > left)
      for (int64_t above = left + 1; above <= std::min(ranges[loop], 4 * left); ++above)
        if (ranges[loop] % above == 0) {
          step = above;
          break;
        }
    bool hopeless = step == 1 && left >= 4 && ranges[loop] > 1;
    steps[loop] = hopeless || step == ranges[loop] ? 0 : step;
    left = std::max<int64_t>(left / (steps[loop] ? step : std::max<int64_t>(ranges[loop], 1)), 1);
  }
}

int64_t matrixDepth(linalg::LinalgOp op, const TilingPolicy &policy, bool uneven) {
  std::optional<linalg::ContractionDimensions> dims = policy.matrixTypes.empty() ? std::nullopt : contractionDims(op);
  if (!dims || dims->m.empty() || dims->n.empty())
    return 0;
  Type type = getElementTypeOrSelf(op.getDpsInputs().front().getType());
  StringRef name = type.isF16()        ? "f16"
                   : type.isBF16()     ? "bf16"
                   : type.isF32()      ? "tf32"
                   : type.isInteger(8) ? "s8"
                                       : "";
  bool isKnown = llvm::is_contained(policy.matrixTypes, name) && llvm::all_of(op.getDpsInputs(), [&](Value input) {
                   return getElementTypeOrSelf(input.getType()) == type;
                 });
  if (!isKnown)
    return 0;
  int64_t depth = 256 / type.getIntOrFloatBitWidth();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool hasSides = ranges[dims->m.back()] >= 16 && ranges[dims->n.back()] >= 8;
  return hasSides && (uneven || ranges[dims->k.back()] % depth == 0) ? depth : 0;
}

/// Steps of at most `target` iterations along the innermost reduction loop, each of whole instructions; the others one
/// by one.
static void cutForMatrices(ArrayRef<unsigned> order, ArrayRef<int64_t> ranges, int64_t depth, int64_t target,
                           SmallVectorImpl<int64_t> &steps) {
  for (unsigned loop : order.drop_front())
    steps[loop] = ranges[loop] == 1 ? 0 : 1;
  int64_t range = ranges[order.front()],
          step = depth * largestDivisor(range / depth, std::max<int64_t>(target / depth, 1));
  steps[order.front()] = step == range ? 0 : step;
}

/// The iterations of a step along the innermost reduction loop: where threads read workgroup memory in fours, a
/// multiple of that is worth more than the largest divisor.
static int64_t depthInFours(int64_t range, const TilingPolicy &policy) {
  if (policy.units <= 0 || ShapedType::isDynamic(range) || range <= 0)
    return policy.contractionDepth;
  for (int64_t depth = policy.contractionDepth; depth >= 8; depth -= 4)
    if (range % depth == 0)
      return depth;
  return policy.contractionDepth;
}

/// Where nothing that divides the only reduction loop would be worth a step: one that does not, for a last step that
/// starts earlier and multiplies zeros where the one before has been (see TileReductions.cpp). 0 where that is not so.
static int64_t unevenDepth(linalg::LinalgOp op, ArrayRef<unsigned> loops, int64_t range, const TilingPolicy &policy,
                           bool hasFusedInput) {
  if (policy.units <= 0 || hasFusedInput || loops.size() != 1 || ShapedType::isDynamicShape(op.getStaticLoopRanges()))
    return 0;
  if (int64_t depth = matrixDepth(op, policy, /*uneven=*/true))
    return range % depth != 0 && range >= 2 * depth ? 2 * depth : 0;
  constexpr int64_t enough = 12;
  int64_t even = depthInFours(range, policy);
  return range > policy.contractionDepth && (range % even != 0 || even < enough) ? policy.contractionDepth : 0;
}

SmallVector<int64_t> reductionSteps(TilingInterface op, const TilingPolicy &policy, bool hasFusedInput) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  if (!structured)
    return {};
  SmallVector<int64_t> ranges = loopRanges(op), steps(ranges.size(), 0);
  SmallVector<unsigned> loops;
  structured.getReductionDims(loops);
  SmallVector<int64_t> asked = sizesForLoops(readTilingConfig(op).reduction, ranges.size());
  if (!asked.empty() &&
      llvm::all_of(loops, [&](unsigned loop) { return asked[loop] == 0 || ranges[loop] % asked[loop] == 0; })) {
    for (unsigned loop : loops)
      steps[loop] = asked[loop] < ranges[loop] ? asked[loop] : 0;
    return llvm::all_of(steps, [](int64_t step) { return step == 0; }) ? SmallVector<int64_t>() : steps;
  }
  std::reverse(loops.begin(), loops.end());
  int64_t domain = 1;
  for (unsigned loop : loops)
    domain = ShapedType::isDynamic(ranges[loop]) || domain > (int64_t(1) << 40)
                 ? domain
                 : domain * std::max<int64_t>(ranges[loop], 1);
  if (policy.lanes > 0 && !hasFusedInput && workKindOf(op) >= WorkKind::Convolution &&
      !(workKindOf(op) == WorkKind::Contraction && isDeep(loops, ranges, policy)))
    return {};
  switch (workKindOf(op)) {
  case WorkKind::Contraction:
    // A row of a tile is 64 bytes.
    if (int64_t depth = unevenDepth(structured, loops, ranges[loops.front()], policy, hasFusedInput))
      steps[loops.front()] = depth;
    else if (int64_t depth = matrixDepth(structured, policy))
      cutForMatrices(loops, ranges, depth, 2 * depth, steps);
    else
      cutLoops(loops, ranges,
               isDeep(loops, ranges, policy) ? policy.deepStep : depthInFours(ranges[loops.front()], policy), steps);
    break;
  case WorkKind::Convolution: {
    AffineMap image = structured.getMatchingIndexingMap(windowedInput(structured));
    llvm::erase_if(loops, [&](unsigned loop) { return !indexesWith(image, loop); });
    cutLoops(loops, ranges, policy.convolutionChannels, steps);
    break;
  }
  case WorkKind::Reduction:
    if (domain > (hasFusedInput ? policy.reductionStep : policy.longReduction))
      cutLoops(loops, ranges, policy.reductionStep, steps);
    break;
  case WorkKind::Elementwise:
    break;
  }
  if (llvm::all_of(steps, [](int64_t step) { return step == 0; }))
    return {};
  return steps;
}

SmallVector<int64_t> suggestedTile(TilingInterface op, ArrayRef<int64_t> ranges) {
  SmallVector<int64_t> sizes(ranges);
  if (op.getLoopIteratorTypes().size() != sizes.size())
    return sizes;
  TilingPolicy policy;
  SmallVector<int64_t> targets = workgroupTargets(op, policy), steps = reductionSteps(op, policy, false);
  for (size_t loop = 0; loop < sizes.size(); ++loop) {
    if (loop < targets.size() && targets[loop] > 0)
      sizes[loop] = ShapedType::isDynamic(sizes[loop])
                        ? targets[loop]
                        : pickTile(sizes[loop], targets[loop], LastTile::Overlapping, policy);
    else if (loop < steps.size() && steps[loop] > 0)
      sizes[loop] = steps[loop];
  }
  return sizes;
}

} // namespace fuselage
