#include "core/analysis/tiles/TileTotals.h"
#include "core/analysis/costs/ValueBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {
namespace {

int64_t bytesOf(mlir::Type type, const Region &boxes) {
  return mlir::isa<mlir::ShapedType>(type) ? bytesOfElements(type, boxes.size()) : 0;
}

/// Tiles first + i * step, i < count, of one loop.
struct TileRange {
  int64_t first = 0, count = 1, step = 1;
  int peeled = 0; ///< how often a tile was taken off its ends
};
using TileBox = llvm::SmallVector<TileRange, 4>;

/// What one tile says of the box that it is a corner of.
struct Corner {
  TileCounts counts;
  llvm::SmallVector<int, 16> log;
  llvm::SmallVector<int64_t, 4> periods;
  unsigned sensitive = 0, irregular = 0, periodic = 0;
};

/// False: a sum is too large to be told.
bool addTimes(std::vector<int64_t> &sum, const std::vector<int64_t> &more, int64_t times) {
  sum.resize(more.size(), 0);
  for (auto [total, value] : llvm::zip_equal(sum, more)) {
    int64_t product = 0;
    if (value < 0 || llvm::MulOverflow(value, times, product) || llvm::AddOverflow(total, product, total))
      return false;
  }
  return true;
}

void addLoops(std::vector<unsigned> &sum, const std::vector<unsigned> &more) {
  sum.resize(more.size(), 0);
  for (auto [total, value] : llvm::zip_equal(sum, more))
    total |= value;
}

class Summer {
  using Corners = std::map<unsigned, const Corner *>; ///< by the loops that are at their last tile
  static constexpr int64_t usualOps = 8;

public:
  Summer(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, int64_t budget)
      : chain_(chain), sizes_(sizes),
        budget_(std::max<int64_t>(1, budget * usualOps / std::max(usualOps, int64_t(chain.nodes.size())))) {}

  TileTotals run() {
    totals_.isComplete = true;
    totals_.tiles = 1;
    TileBox whole;
    for (int64_t trips : tripCounts(chain_.root().domain, sizes_)) {
      totals_.isComplete &= !llvm::MulOverflow(totals_.tiles, trips, totals_.tiles);
      whole.push_back({.first = 0, .count = trips, .step = 1});
    }
    addByLoop(whole, 0);
    return std::move(totals_);
  }

private:
  /// Uneven last tiles are boxes of their own.
  void addByLoop(TileBox &box, size_t loop) {
    if (loop == box.size())
      return addBox(box);
    int64_t range = chain_.root().domain[loop];
    if (range % sizes_[loop] == 0 || box[loop].count == 1)
      return addByLoop(box, loop + 1);
    TileRange all = box[loop];
    box[loop].count = all.count - 1;
    addByLoop(box, loop + 1);
    box[loop] = {.first = all.count - 1, .count = 1, .step = 1};
    addByLoop(box, loop + 1);
    box[loop] = all;
  }

  /// The corner at the last tiles of the loops in `last`, the first ones of the others. Neighbouring
  /// boxes share corners.
  const Corner &evaluate(const TileBox &box, unsigned last) {
    llvm::SmallVector<int64_t, 4> tile, steps;
    for (auto [loop, range] : llvm::enumerate(box)) {
      tile.push_back(range.first + (last >> loop & 1 ? range.step * (range.count - 1) : 0));
      steps.push_back(range.step);
    }
    auto [known, isNew] = known_.try_emplace({tile, steps});
    if (!isNew)
      return known->second;
    ++totals_.evaluated;
    TileEvents events;
    TileFootprint exact = footprintOf(chain_, sizes_, tile, FootprintKind::Exact, events, steps);
    TileFootprint slices = footprintOf(chain_, sizes_, tile, FootprintKind::Slices, events, steps);
    Corner corner{.counts = countTile(chain_, exact, slices),
                  .log = llvm::SmallVector<int, 16>(events.log()),
                  .periods = {},
                  .sensitive = events.sensitive(),
                  .irregular = events.irregular(),
                  .periodic = events.periodic()};
    for (size_t loop = 0; loop < box.size(); ++loop)
      corner.periods.push_back(events.period(loop));
    return known->second = std::move(corner);
  }

  void addBox(const TileBox &box) {
    if (!totals_.isComplete)
      return;
    unsigned movable = 0;
    int64_t volume = 1;
    for (auto [loop, range] : llvm::enumerate(box)) {
      volume = times(volume, range.count);
      if (range.count > 1)
        movable |= 1u << loop;
    }
    // Corners along the loops that any outcome depends on, which the corners tell.
    Corners corners;
    unsigned sensitive = 0;
    for (bool grows = true; grows;) {
      grows = false;
      for (unsigned last = sensitive;; last = (last - 1) & sensitive) {
        if (!corners.contains(last)) {
          if (totals_.evaluated >= budget_) {
            totals_.isComplete = false;
            return;
          }
          const Corner &corner = *corners.emplace(last, &evaluate(box, last)).first->second;
          if (isSplitBy(corner, movable))
            return split(box, corner, last, movable);
          grows |= (corner.sensitive & movable & ~sensitive) != 0;
        }
        if (last == 0)
          break;
      }
      for (const auto &[last, corner] : corners)
        sensitive |= corner->sensitive & movable;
    }
    const Corner &first = *corners.at(0);
    for (auto &[last, corner] : corners)
      if (corner->log != first.log)
        return halve(box, loopThatDiffers(box, corners));
    add(first.counts, volume);
  }

  static bool isSplitBy(const Corner &corner, unsigned movable) {
    return ((corner.irregular | corner.periodic) & movable) != 0;
  }

  void add(const TileCounts &counts, int64_t times) {
    TileCounts &sum = totals_.sum;
    totals_.isComplete &= times >= 0;
    totals_.isComplete &= addTimes(sum.points, counts.points, times) &&
                          addTimes(sum.slicePoints, counts.slicePoints, times) &&
                          addTimes(sum.outside, counts.outside, times) && addTimes(sum.results, counts.results, times);
    addLoops(sum.pointLoops, counts.pointLoops);
    addLoops(sum.slicePointLoops, counts.slicePointLoops);
    addLoops(sum.outsideLoops, counts.outsideLoops);
    addLoops(sum.resultLoops, counts.resultLoops);
    bool isUnknown = sum.workgroupBytes < 0 || counts.workgroupBytes < 0;
    sum.workgroupBytes = isUnknown ? -1 : std::max(sum.workgroupBytes, counts.workgroupBytes);
  }

  /// The longest loop along which two corners differ.
  static unsigned loopThatDiffers(const TileBox &box, const Corners &corners) {
    std::optional<unsigned> longest;
    for (unsigned loop = 0; loop < box.size(); ++loop)
      for (const auto &[last, corner] : corners) {
        auto other = corners.find(last ^ (1u << loop));
        bool differs = other != corners.end() && other->second->log != corner->log;
        if (differs && (!longest || box[loop].count > box[*longest].count))
          longest = loop;
      }
    return *longest;
  }

  void split(const TileBox &box, const Corner &corner, unsigned last, unsigned movable) {
    std::optional<unsigned> longest;
    for (unsigned loop = 0; loop < box.size(); ++loop) {
      if (((corner.periodic & ~corner.irregular & movable) >> loop & 1) && corner.periods[loop] < box[loop].count)
        return interleave(box, loop, corner.periods[loop]);
      if (((corner.periodic | corner.irregular) & movable) >> loop & 1)
        if (!longest || box[loop].count > box[*longest].count)
          longest = loop;
    }
    // Most borders cut a tile or two.
    constexpr int mostPeels = 4;
    if (box[*longest].peeled < mostPeels)
      return peel(box, *longest, last >> *longest & 1);
    halve(box, *longest);
  }

  void peel(TileBox box, unsigned loop, bool atEnd) {
    TileRange all = box[loop];
    TileRange rest{.first = all.first + (atEnd ? 0 : all.step),
                   .count = all.count - 1,
                   .step = all.step,
                   .peeled = all.peeled + 1};
    box[loop] = {.first = all.first + (atEnd ? all.step * (all.count - 1) : 0), .count = 1, .step = all.step};
    addBox(box);
    box[loop] = rest;
    addBox(box);
  }

  void interleave(TileBox box, unsigned loop, int64_t period) {
    TileRange all = box[loop];
    for (int64_t phase = 0; phase < period; ++phase) {
      box[loop] = {.first = all.first + phase * all.step,
                   .count = (all.count - phase + period - 1) / period,
                   .step = all.step * period};
      addBox(box);
    }
  }

  void halve(TileBox box, unsigned loop) {
    TileRange all = box[loop];
    int64_t half = all.count / 2;
    box[loop].count = half;
    addBox(box);
    box[loop] = {.first = all.first + half * all.step, .count = all.count - half, .step = all.step};
    addBox(box);
  }

  const TileChain &chain_;
  llvm::ArrayRef<int64_t> sizes_;
  int64_t budget_;
  TileTotals totals_;
  std::map<std::pair<llvm::SmallVector<int64_t, 4>, llvm::SmallVector<int64_t, 4>>, Corner>
      known_; ///< by tile and steps
};

} // namespace

int64_t workgroupBytes(const TileChain &chain, const TileFootprint &slices) {
  int64_t bytes = 0;
  for (auto [value, region] : llvm::zip_equal(chain.outside, slices.outside))
    if (!mlir::isa_and_nonnull<mlir::tensor::EmptyOp>(value.value.getDefiningOp()))
      bytes = plus(bytes, bytesOf(value.value.getType(), region));
  auto isInPlace = [&](mlir::Value value) { // a destination of the root has the result's buffer
    const AccessModel &root = chain.root();
    return llvm::count_if(root.inputs, [&](const TileInput &input) { return input.value == value; }) == 1 &&
           llvm::any_of(root.inputs, [&](const TileInput &input) { return input.value == value && input.isInit; });
  };
  for (auto [node, results] : llvm::zip_equal(chain.nodes, slices.results))
    for (auto [result, region] : llvm::zip_equal(node.access->op->getResults(), results))
      if (!node.access->isView && (&node == &chain.nodes.front() || !isInPlace(result)))
        bytes = plus(bytes, bytesOf(result.getType(), region));
  for (auto [value, region] : llvm::zip_equal(chain.outside, slices.outside))
    if (chain.root().op->getNumResults() > 0 && isInPlace(value.value) && !region.empty() &&
        !mlir::isa_and_nonnull<mlir::tensor::EmptyOp>(value.value.getDefiningOp()))
      bytes = bytes < 0 ? -1 : bytes - bytesOf(value.value.getType(), region);
  return bytes;
}

TileCounts countTile(const TileChain &chain, const TileFootprint &exact, const TileFootprint &slices) {
  TileCounts counts;
  for (const Region &points : exact.points) {
    counts.points.push_back(points.size());
    counts.pointLoops.push_back(points.loops());
  }
  for (const Region &points : slices.points) {
    counts.slicePoints.push_back(points.size());
    counts.slicePointLoops.push_back(points.loops());
  }
  for (const Region &read : exact.outside) {
    counts.outside.push_back(read.size());
    counts.outsideLoops.push_back(read.loops());
  }
  // Memrefs have no results: what is written are the destinations.
  if (chain.root().op->getNumResults() == 0) {
    for (auto [input, region] : llvm::zip_equal(chain.root().inputs, exact.inputs.front()))
      if (input.isInit) {
        counts.results.push_back(region.size());
        counts.resultLoops.push_back(region.loops());
      }
  }
  for (const Region &written : exact.results.front()) {
    counts.results.push_back(written.size());
    counts.resultLoops.push_back(written.loops());
  }
  counts.workgroupBytes = workgroupBytes(chain, slices);
  return counts;
}

TileTotals sumTiles(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, int64_t budget) {
  return Summer(chain, sizes, budget).run();
}

} // namespace fuselage
