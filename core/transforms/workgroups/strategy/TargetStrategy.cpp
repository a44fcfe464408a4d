#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

TargetStrategy::TargetStrategy(const DeviceModel &device, const TileTargets &sizes)
    : device_(device), costs_(costsOf(device)), sizes_(sizes), matrixShapes_(device.matrixShapes.value) {}

int64_t TargetStrategy::multiprocessorsOrUsual() const { return multiprocessors().value_or(kAssumedMultiprocessors); }

//===-- Tiles of workgroups -----------------------------------------------===//

int64_t TargetStrategy::reductionColumns(int64_t, int64_t) const { return sizes_.reductionColumns; }

void TargetStrategy::reductionTargets(linalg::LinalgOp op, ArrayRef<unsigned> order,
                                      SmallVectorImpl<int64_t> &targets) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<unsigned> inner = innermostLoop(op.getMatchingIndexingMap(input));
    if (inner && iterators[*inner] == utils::IteratorType::parallel) {
      int64_t columns = sizes_.reductionColumns;
      if (inner == order.front() && llvm::none_of(ranges, ShapedType::isDynamic))
        columns = reductionColumns(ranges[*inner], iterationsOf(order.drop_front(), ranges));
      shareOut(order, ranges, columns, targets);
      return;
    }
  }
  int64_t rowLength = 1;
  for (auto [range, iterator] : llvm::zip_equal(ranges, iterators))
    if (iterator == utils::IteratorType::reduction && !ShapedType::isDynamic(range))
      rowLength *= std::max<int64_t>(range, 1);
  shareOut(order, ranges,
           std::clamp(sizes_.reductionElements / rowLength, sizes_.reductionRows, sizes_.reductionColumns), targets);
}

/// Bytes of an element, at least 1.
static int64_t bytesOfResult(TilingInterface op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return element.isIntOrFloat() ? std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1) : 4;
}

void TargetStrategy::elementwiseTargets(TilingInterface op, ArrayRef<unsigned> order,
                                        SmallVectorImpl<int64_t> &targets) const {
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
    shareOut(order, ranges, sizes_.elementwiseElements, targets);
    return;
  }
  int64_t left = sizes_.elementwiseElements;
  TransposeTile tile = transposeTile(bytesOfResult(op));
  for (auto [loop, side] : {std::pair(order.front(), tile.written), std::pair(*reading, tile.read)}) {
    targets[loop] = side;
    left /= ShapedType::isDynamic(ranges[loop]) ? side : std::clamp<int64_t>(ranges[loop], 1, side);
  }
  SmallVector<unsigned> others;
  for (unsigned loop : order)
    if (loop != order.front() && loop != *reading)
      others.push_back(loop);
  shareOut(others, ranges, left, targets);
}

SmallVector<int64_t> TargetStrategy::workgroupTargets(TilingInterface op, const KernelContext &kernel) const {
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
    contractionTargets(structured, kernel, targets);
    break;
  case WorkKind::Convolution:
    convolutionTargets(structured, order, targets);
    break;
  case WorkKind::Reduction:
    reductionTargets(structured, order, targets);
    break;
  case WorkKind::Elementwise:
    elementwiseTargets(op, order, targets);
    break;
  }
  return targets;
}

SmallVector<WideTile> TargetStrategy::wideTiles(linalg::LinalgOp, const KernelContext &) const { return {}; }

std::optional<WideTile> TargetStrategy::pickWideTile(linalg::LinalgOp, const KernelContext &) const {
  return std::nullopt;
}

//===-- Steps of reductions -----------------------------------------------===//

void cutLoops(ArrayRef<unsigned> order, ArrayRef<int64_t> ranges, int64_t target, SmallVectorImpl<int64_t> &steps) {
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

int64_t TargetStrategy::instructionK(linalg::LinalgOp op, bool uneven) const {
  std::optional<linalg::ContractionDimensions> dims = matrixShapes_.empty() ? std::nullopt : contractionDims(op);
  if (!dims || dims->m.empty() || dims->n.empty())
    return 0;
  Type type = getElementTypeOrSelf(op.getDpsInputs().front().getType());
  StringRef name = type.isF16()        ? "f16"
                   : type.isBF16()     ? "bf16"
                   : type.isF32()      ? "tf32"
                   : type.isInteger(8) ? "s8"
                                       : "";
  auto multiplies = [&](StringRef shape) { return shape.split(' ').second == name; };
  bool isKnown = llvm::any_of(matrixShapes_, multiplies) && llvm::all_of(op.getDpsInputs(), [&](Value input) {
                   return getElementTypeOrSelf(input.getType()) == type;
                 });
  if (!isKnown)
    return 0;
  // Shapes m16n8kK of mma.sync, whose operands have 32 bytes along K. Source: PTX ISA, matrix shapes of mma.
  constexpr int64_t instructionRows = 16, instructionColumns = 8, bitsOfK = 256;
  int64_t k = bitsOfK / type.getIntOrFloatBitWidth();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool hasSides = ranges[dims->m.back()] >= instructionRows && ranges[dims->n.back()] >= instructionColumns;
  int64_t range = ranges[dims->k.back()];
  return hasSides && !ShapedType::isDynamic(range) && (uneven || range % k == 0) ? k : 0;
}

/// Steps of at most `target` iterations along the innermost reduction loop, each of whole instructions; the others one
/// by one.
static void cutForMatrices(ArrayRef<unsigned> order, ArrayRef<int64_t> ranges, int64_t k, int64_t target,
                           SmallVectorImpl<int64_t> &steps) {
  for (unsigned loop : order.drop_front())
    steps[loop] = ranges[loop] == 1 ? 0 : 1;
  int64_t range = ranges[order.front()], step = k * largestDivisor(range / k, std::max<int64_t>(target / k, 1));
  steps[order.front()] = step == range ? 0 : step;
}

bool TargetStrategy::keepsWhole(linalg::LinalgOp, ArrayRef<unsigned>, bool) const { return false; }

void TargetStrategy::cutContraction(linalg::LinalgOp op, ArrayRef<unsigned> loops, bool,
                                    SmallVectorImpl<int64_t> &steps) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // A row of a tile is 64 bytes.
  if (int64_t k = instructionK(op))
    cutForMatrices(loops, ranges, k, 2 * k, steps);
  else
    cutLoops(loops, ranges, sizes_.contractionStep, steps);
}

SmallVector<int64_t> TargetStrategy::reductionSteps(TilingInterface op, bool hasFusedInput) const {
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
  WorkKind kind = workKindOf(op);
  if (kind >= WorkKind::Convolution && keepsWhole(structured, loops, hasFusedInput))
    return {};
  switch (kind) {
  case WorkKind::Contraction:
    cutContraction(structured, loops, hasFusedInput, steps);
    break;
  case WorkKind::Convolution: {
    AffineMap image = structured.getMatchingIndexingMap(windowedInput(structured));
    llvm::erase_if(loops, [&](unsigned loop) { return !indexesWith(image, loop); });
    cutLoops(loops, ranges, sizes_.convolutionChannels, steps);
    break;
  }
  case WorkKind::Reduction:
    if (domain > (hasFusedInput ? sizes_.reductionStep : sizes_.longReduction))
      cutLoops(loops, ranges, sizes_.reductionStep, steps);
    break;
  case WorkKind::Elementwise:
    break;
  }
  if (llvm::all_of(steps, [](int64_t step) { return step == 0; }))
    return {};
  return steps;
}

//===-- Reductions, threads, attention ------------------------------------===//

ArrayRef<SplitKind> TargetStrategy::reductionSplits() const {
  static constexpr SplitKind kinds[] = {SplitKind::Strided};
  return kinds;
}

LongReductionOptions TargetStrategy::longReductions() const {
  constexpr int64_t workgroupsOfMultiprocessor = 8;
  return {.limits = {{.mostResults = 32, .leastIterations = 1024}},
          .workgroupPartials = sizes_.reductionColumns,
          .workgroups = multiprocessorsOrUsual() * workgroupsOfMultiprocessor};
}

ThreadOptions TargetStrategy::threads() const {
  return {.maxThreads = device_.maxThreads.value, .workgroupBytes = device_.usableWorkgroupBytes()};
}

AttentionTileOptions TargetStrategy::attentionTiles() const { return {.workgroupBytes = workgroupBytes()}; }

} // namespace fuselage
