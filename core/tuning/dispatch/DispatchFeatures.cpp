#include "core/tuning/dispatch/DispatchFeatures.h"
#include "core/device/HostProcessor.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/tuning/dispatch/AttentionSpace.h"
#include "core/tuning/dispatch/Sizes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage::tune {

namespace {

/// A structured op without its IR: loops, and which of them index what.
struct Work {
  struct Operand {
    std::vector<unsigned> loops;
    int64_t bytes = 4; ///< of an element
  };
  std::vector<int64_t> ranges;
  std::vector<bool> isParallel;
  std::vector<Operand> inputs;
  std::optional<unsigned> column; ///< the loop that the result is dense along
};

} // namespace

static Work readWork(linalg::LinalgOp op) {
  Work work;
  llvm::append_range(work.ranges, op.getStaticLoopRanges());
  for (utils::IteratorType iterator : op.getIteratorTypesArray())
    work.isParallel.push_back(iterator == utils::IteratorType::parallel);
  auto loopsOf = [&](AffineMap map) {
    std::vector<unsigned> loops;
    for (unsigned loop = 0; loop < work.ranges.size(); ++loop)
      if (map.isFunctionOfDim(loop))
        loops.push_back(loop);
    return loops;
  };
  for (OpOperand *input : op.getDpsInputOperands())
    if (auto type = dyn_cast<RankedTensorType>(input->get().getType()))
      work.inputs.push_back(
          {.loops = loopsOf(op.getMatchingIndexingMap(input)), .bytes = elementBytes(type.getElementType())});
  work.column = denseLoop(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  return work;
}

/// By loop, the knob of its tile.
static std::vector<std::optional<unsigned>> knobsOf(const Work &work, const Space &space) {
  std::vector<std::optional<unsigned>> knobs;
  std::optional<unsigned> step = space.find({KnobRole::ReductionStep});
  for (unsigned loop = 0; loop < work.ranges.size(); ++loop)
    knobs.push_back(space.find({KnobRole::WorkgroupTile, loop}));
  for (unsigned loop = work.ranges.size(); loop-- > 0 && step;)
    if (!work.isParallel[loop]) {
      knobs[loop] = step;
      break;
    }
  return knobs;
}

/// `parts`: workgroups that share a tile.
static std::vector<double> gpuFeatures(const Work &work, llvm::ArrayRef<std::optional<unsigned>> knobs,
                                       const Point &point, int64_t parts, int64_t units) {
  double results = 1, tiles = 1, computed = 1, steps = 1;
  std::vector<double> extent;
  for (unsigned loop = 0; loop < work.ranges.size(); ++loop) {
    int64_t range = work.ranges[loop], size = knobs[loop] ? std::clamp<int64_t>(point[*knobs[loop]], 1, range) : range;
    extent.push_back(static_cast<double>(size));
    auto number = static_cast<double>(llvm::divideCeil(range, size));
    if (!work.isParallel[loop]) {
      steps *= number;
      continue;
    }
    results *= static_cast<double>(size);
    tiles *= number;
    computed *= waste(range, size);
  }
  // Each part reads its share of what the tile reads, and writes results of its own.
  tiles *= static_cast<double>(parts);
  steps /= static_cast<double>(parts);
  double footprint = 0;
  for (const Work::Operand &input : work.inputs) {
    auto bytes = static_cast<double>(input.bytes);
    for (unsigned loop : input.loops)
      bytes *= extent[loop];
    footprint += bytes;
  }
  return {log2Of(results),
          log2Of(footprint),
          log2Of(footprint * steps * tiles),
          log2Of(tiles / static_cast<double>(std::max<int64_t>(units, 1))),
          log2Of(waveWaste(tiles, units)),
          log2Of(computed),
          log2Of(static_cast<double>(parts))};
}

static std::vector<double> hostFeatures(const Work &work, const Space &space, const Point &point,
                                        const HostProcessor &cpu) {
  auto sizeOf = [&](KnobRole role) {
    auto knob = space.find({role});
    return knob ? std::max<int64_t>(point[*knob], 1) : 1;
  };
  int64_t columns = work.column ? work.ranges[*work.column] : 1, rows = 1, others = 1;
  for (unsigned loop = 0; loop < work.ranges.size(); ++loop)
    if (work.isParallel[loop] && loop != work.column) {
      others *= work.ranges[loop];
      rows = std::max(rows, work.ranges[loop]);
    }
  others /= rows;
  int64_t lanes = std::max<int64_t>(cpu.vectorBytes / 4, 1);
  int64_t held = sizeOf(KnobRole::Rows), vectors = sizeOf(KnobRole::Vectors),
          taskRows = std::min(std::max(sizeOf(KnobRole::TaskRows), held), rows);
  int64_t taskColumns =
      space.find({KnobRole::TaskColumns}) ? std::min(sizeOf(KnobRole::TaskColumns), columns) : vectors * lanes;
  double tasks = static_cast<double>(others) * static_cast<double>(llvm::divideCeil(rows, taskRows)) *
                 static_cast<double>(llvm::divideCeil(columns, taskColumns));
  auto threads = static_cast<int64_t>(cpu.threads);
  return {log2Of(static_cast<double>(held * vectors)),
          log2Of(static_cast<double>(held + vectors) / static_cast<double>(held * vectors)),
          log2Of(tasks / static_cast<double>(std::max<int64_t>(threads, 1))),
          log2Of(waveWaste(tasks, threads)),
          log2Of(waste(std::min(rows, taskRows), held)),
          log2Of(waste(columns, vectors * lanes))};
}

/// Knobs that the numbers above say nothing of; the size of each is a number of its own.
static std::vector<unsigned> otherKnobs(const Space &space) {
  constexpr KnobRole described[] = {KnobRole::WorkgroupTile, KnobRole::ReductionStep, KnobRole::Split,
                                    KnobRole::Rows,          KnobRole::Vectors,       KnobRole::TaskRows,
                                    KnobRole::TaskColumns};
  std::vector<unsigned> others;
  for (auto [number, knob] : llvm::enumerate(space.knobs))
    if (knob.sets && !llvm::is_contained(described, knob.sets->role))
      others.push_back(number);
  return others;
}

std::function<std::vector<double>(const Point &)> dispatchFeatures(func::FuncOp dispatch, const Space &space,
                                                                   const DeviceModel &device) {
  if (auto attention = attentionIn(dispatch))
    return attentionFeatures(*attention, device);
  linalg::LinalgOp op = shapingOp(dispatch);
  if (!op)
    return {};
  Work work = readWork(op);
  bool isHost = fuselage::isHost(device);
  return [work, space, knobs = knobsOf(work, space), split = space.find({KnobRole::Split}), others = otherKnobs(space),
          isHost, units = device.computeUnits.value](const Point &point) -> std::vector<double> {
    if (llvm::all_of(point, [](int64_t value) { return value == 0; }))
      return std::vector<double>((isHost ? 6 : 7) + others.size(), 0);
    int64_t parts = split ? std::max<int64_t>(point[*split], 1) : 1;
    std::vector<double> features =
        isHost ? hostFeatures(work, space, point, hostProcessor()) : gpuFeatures(work, knobs, point, parts, units);
    for (unsigned knob : others)
      features.push_back(log2Of(static_cast<double>(point[knob])));
    return features;
  };
}

} // namespace fuselage::tune
