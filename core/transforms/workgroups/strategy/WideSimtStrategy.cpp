#include "core/transforms/workgroups/strategy/WideSimtStrategy.h"
#include "core/device/NvidiaChips.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

static TileTargets wideSizes() {
  TileTargets sizes;
  sizes.contractionStep = 16;
  return sizes;
}

WideSimtStrategy::WideSimtStrategy(const DeviceModel &device) : GenericGpuStrategy(device, wideSizes()) {}

int64_t WideSimtStrategy::sharedWorkgroupBytes() const {
  int64_t share = device().unitWorkgroupBytes.value / 2 - kDriverWorkgroupBytes;
  return std::max<int64_t>(std::min<int64_t>(share, device().usableWorkgroupBytes()), device().workgroupBytes.value);
}

//===-- Tiles of contractions ---------------------------------------------===//

// Rows, columns, efficiency. Efficiencies are estimates (see WideTile): pickWideTile compares their ratios, and
// ChooseSplitK.cpp uses their values.
static constexpr WideTile wideTileSizes[] = {
    {128, 128, 1.0}, {128, 64, 0.85}, {64, 128, 0.85}, {64, 64, 0.75}, {32, 64, 0.45}};

SmallVector<WideTile> WideSimtStrategy::wideTiles(linalg::LinalgOp op, const KernelContext &kernel) const {
  std::optional<linalg::ContractionDimensions> dims = contractionDims(op);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  constexpr int64_t leastSide = 32; // the shortest side of wideTileSizes
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!kernel.isAlone || !dims || dims->m.empty() || dims->n.empty() || op.getNumDpsInits() != 1 ||
      !element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 32 || llvm::any_of(ranges, ShapedType::isDynamic))
    return {};
  int64_t rows = ranges[dims->m.back()], columns = ranges[dims->n.back()];
  if (rows < leastSide || columns < leastSide)
    return {};
  // Computing an operand takes registers in addition to the results: workgroups of half as many threads leave each
  // thread some (see BoundRegisters.cpp).
  const int64_t mostResults = kernel.computesOperand ? 128 * 64 : 128 * 128;
  SmallVector<WideTile> tiles;
  for (const WideTile &tile : wideTileSizes) {
    if (tile.rows * tile.columns > mostResults)
      continue;
    WideTile real{largestDivisor(rows, tile.rows), largestDivisor(columns, tile.columns), tile.efficiency};
    // A side must be a multiple of a thread's (or matrix instruction's) and at least half of what was intended.
    const int64_t side = instructionK(op, /*uneven=*/true) ? 16 : 8;
    auto isGood = [side](int64_t size, int64_t range, int64_t target) {
      return size % side == 0 && 2 * size >= std::min(range, target);
    };
    if (isGood(real.rows, rows, tile.rows) && isGood(real.columns, columns, tile.columns))
      tiles.push_back(real);
    else if (kernel.mayOverlap && rows >= tile.rows && columns >= tile.columns)
      tiles.push_back({isGood(real.rows, rows, tile.rows) ? real.rows : tile.rows,
                       isGood(real.columns, columns, tile.columns) ? real.columns : tile.columns, tile.efficiency});
  }
  return tiles;
}

/// Workgroups that share the rows and columns of `op`.
static int64_t countTiles(linalg::LinalgOp op, const WideTile &tile) {
  linalg::ContractionDimensions dims = *contractionDims(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t tiles =
      llvm::divideCeil(ranges[dims.m.back()], tile.rows) * llvm::divideCeil(ranges[dims.n.back()], tile.columns);
  for (ArrayRef<unsigned> loops : {ArrayRef(dims.batch), ArrayRef(dims.m).drop_back(), ArrayRef(dims.n).drop_back()})
    for (unsigned loop : loops)
      tiles = std::min<int64_t>(tiles, int64_t(1) << 32) * std::max<int64_t>(ranges[loop], 1);
  return tiles;
}

std::optional<WideTile> WideSimtStrategy::pickWideTile(linalg::LinalgOp op, const KernelContext &kernel) const {
  std::optional<WideTile> best;
  double least = 0;
  for (const WideTile &tile : wideTiles(op, kernel)) {
    // Results of a multiprocessor, in whole rounds of workgroups, over efficiency: proportional to the time of one
    // iteration of K.
    double time = double(llvm::divideCeil(countTiles(op, tile), multiprocessorsOrUsual())) *
                  double(tile.rows * tile.columns) / tile.efficiency;
    if (best && time >= least)
      continue;
    best = tile;
    least = time;
  }
  return best;
}

/// Returns the serial step along the innermost reduction loop: the largest multiple of 4 from 8 to contractionStep
/// that divides `range`, or contractionStep if there is none. Threads read workgroup memory in fours, so such a step
/// is better than a larger divisor that is not a multiple of 4.
int64_t WideSimtStrategy::stepInFours(int64_t range) const {
  if (!ShapedType::isDynamic(range) && range > 0)
    for (int64_t step = sizes().contractionStep; step >= 8; step -= 4)
      if (range % step == 0)
        return step;
  return sizes().contractionStep;
}

/// Returns a serial step that does not divide the only reduction loop: with matrix instructions if their K does not
/// divide it, else if no step that divides it is large enough. Otherwise 0.
/// The last step then starts earlier and multiplies zeros where it overlaps the one before (see TileReductions.cpp).
int64_t WideSimtStrategy::unevenStep(linalg::LinalgOp op, ArrayRef<unsigned> loops) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (loops.size() != 1 || ShapedType::isDynamicShape(ranges))
    return 0;
  int64_t range = ranges[loops.front()];
  if (int64_t k = instructionK(op, /*uneven=*/true))
    return range % k != 0 && range >= 2 * k ? 2 * k : 0;
  constexpr int64_t enough = 12; // three quarters of contractionStep
  int64_t even = stepInFours(range);
  return range > sizes().contractionStep && (range % even != 0 || even < enough) ? sizes().contractionStep : 0;
}

void WideSimtStrategy::cutContraction(linalg::LinalgOp op, ArrayRef<unsigned> loops, bool hasFusedInput,
                                      SmallVectorImpl<int64_t> &steps) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (int64_t step = hasFusedInput ? 0 : unevenStep(op, loops))
    steps[loops.front()] = step;
  else if (instructionK(op))
    GenericGpuStrategy::cutContraction(op, loops, hasFusedInput, steps);
  else
    cutLoops(loops, ranges, stepInFours(ranges[loops.front()]), steps);
}

//===-- Reductions --------------------------------------------------------===//

ArrayRef<SplitKind> WideSimtStrategy::reductionSplits() const {
  static constexpr SplitKind kinds[] = {SplitKind::Rows, SplitKind::Columns, SplitKind::Strided};
  return kinds;
}

bool WideSimtStrategy::shouldSplitReduction(int64_t results, int64_t iterations, int64_t elementBytes) const {
  int64_t count = multiprocessorsOrUsual();
  if (results >= count)
    return false;
  // Cycles that a split saves: those of one result, less those of its share when all multiprocessors read.
  return double(iterations) * double(elementBytes) / costs().cacheBytes * (1 - double(results) / double(count)) >
         costs().launch + costs().latency;
}

//===-- Threads -----------------------------------------------------------===//

ThreadOptions WideSimtStrategy::threads() const {
  ThreadOptions options = GenericGpuStrategy::threads();
  options.holdsLargeTiles = options.continuesInRegisters = options.movesVectors = true;
  return options;
}

AttentionTileOptions WideSimtStrategy::attentionTiles() const {
  const Stated<int64_t> &registers = device().registersPerUnit;
  AttentionTileOptions options{.choice = AttentionTileOptions::Choice::Registers,
                               .workgroupBytes = sharedWorkgroupBytes(),
                               .multiprocessorBytes = device().unitWorkgroupBytes.value,
                               .multiprocessors = multiprocessorsOrUsual(),
                               .registers = registers.isKnown() ? registers.value : kMultiprocessorRegisters,
                               .subgroupsToHideLatency = costs().subgroupsToHideLatency};
  for (StringRef shape : matrixShapes())
    options.matrixTypes.push_back(shape.split(' ').second.str());
  return options;
}

std::optional<AsyncCopyOptions> WideSimtStrategy::asyncCopies() const {
  constexpr unsigned leastCapability = 80; // source: PTX ISA, cp.async
  if (capabilityOf(chipOf(device())) < leastCapability)
    return std::nullopt;
  return AsyncCopyOptions{.workgroupBytes = sharedWorkgroupBytes(),
                          .mostWorkgroupBytes = device().usableWorkgroupBytes()};
}

} // namespace fuselage
