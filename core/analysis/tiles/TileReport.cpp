#include "core/analysis/tiles/TileReport.h"
#include "core/analysis/costs/Costs.h"
#include "core/analysis/tiles/CacheTraffic.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace fuselage {

llvm::SmallVector<int64_t> divisorsOf(int64_t range) {
  llvm::SmallVector<int64_t> small, large;
  for (int64_t d = 1; d <= range / d; ++d)
    if (range % d == 0) {
      small.push_back(d);
      if (d != range / d)
        large.push_back(range / d);
    }
  small.append(large.rbegin(), large.rend());
  return small;
}

namespace {

class Reporter {
public:
  Reporter(const TileChain &chain, const TileRequest &request) : chain_(chain), request_(request) {}

  llvm::Expected<TileReport> run() {
    report_.op = chain_.root().op;
    report_.fuses = chain_.nodes.size() > 1;
    report_.device = request_.device;
    report_.workgroupLimit = request_.workgroupLimit;
    if (llvm::Error error = setLoops())
      return error;
    if (llvm::Error error = setTile())
      return error;
    TileEvents events;
    exact_ = footprintOf(chain_, sizes_, report_.tile, FootprintKind::Exact, events);
    slices_ = footprintOf(chain_, sizes_, report_.tile, FootprintKind::Slices, events);
    addNeighbours();
    TileTotals totals = sumTiles(chain_, sizes_, request_.budget);
    report_.isComplete = totals.isComplete;
    report_.workgroupBytes = workgroupBytes(chain_, slices_);
    report_.maxWorkgroupBytes = totals.isComplete ? totals.sum.workgroupBytes : -1;
    setFootprints();
    for (size_t node = 1; node < chain_.nodes.size(); ++node)
      addProducer(node, totals);
    if (llvm::Error error = setCosts(totals))
      return error;
    return std::move(report_);
  }

private:
  static std::string loopName(size_t loop) { return (llvm::Twine("d") + llvm::Twine(loop)).str(); }

  llvm::Error setLoops() {
    const AccessModel &root = chain_.root();
    if (request_.sizes.size() > root.domain.size())
      return fail((llvm::Twine(request_.sizes.size()) + " tile sizes for " + llvm::Twine(root.domain.size()) +
                   " loops: " + root.op->getName().getStringRef() + " iterates over " + shapeText(root.domain))
                      .str());
    for (auto [loop, range] : llvm::enumerate(root.domain)) {
      int64_t wanted = loop < request_.sizes.size() ? request_.sizes[loop] : 0;
      if (wanted < 0)
        return fail((llvm::Twine("the tile size of ") + loopName(loop) + " is negative").str());
      int64_t size = wanted == 0 ? range : std::min(wanted, range);
      if (wanted > range)
        report_.notes.push_back((llvm::Twine("size ") + llvm::Twine(wanted) + " of " + loopName(loop) +
                                 " is more than its " + llvm::Twine(range) + " iterations: the loop stays whole")
                                    .str());
      if (int64_t snapped = request_.snap ? nearestDivisor(range, size) : size; snapped != size) {
        report_.notes.push_back((llvm::Twine("size ") + llvm::Twine(size) + " of " + loopName(loop) + " snaps to " +
                                 llvm::Twine(snapped) + ", a divisor of " + llvm::Twine(range))
                                    .str());
        size = snapped;
      }
      sizes_.push_back(size);
      int64_t trips = llvm::divideCeil(uint64_t(range), uint64_t(size));
      report_.loops.push_back({.isReduction = root.iterators[loop] == mlir::utils::IteratorType::reduction,
                               .range = range,
                               .size = size,
                               .trips = trips,
                               .lastSize = range - (trips - 1) * size});
      if (range % size != 0)
        report_.notes.push_back((llvm::Twine("the last tile of ") + loopName(loop) +
                                 " is uneven: " + llvm::Twine(report_.loops.back().lastSize) + " of " +
                                 llvm::Twine(size) + " iterations")
                                    .str());
    }
    return llvm::Error::success();
  }

  static std::string shapeText(llvm::ArrayRef<int64_t> shape) {
    std::string text;
    for (int64_t size : shape)
      text += (text.empty() ? "" : "x") + std::to_string(size);
    return text.empty() ? "one point" : text;
  }

  static int64_t nearestDivisor(int64_t range, int64_t size) {
    auto divisors = divisorsOf(range);
    return *std::min_element(divisors.begin(), divisors.end(), [&](int64_t a, int64_t b) {
      return std::pair(std::abs(a - size), a) < std::pair(std::abs(b - size), b);
    });
  }

  llvm::Error setTile() {
    size_t loops = sizes_.size();
    report_.order.assign(request_.order.begin(), request_.order.end());
    if (report_.order.empty()) {
      report_.order.resize(loops);
      std::iota(report_.order.begin(), report_.order.end(), 0);
    }
    llvm::SmallVector<int64_t> sorted = report_.order;
    llvm::sort(sorted);
    for (size_t loop = 0; loop < std::max(loops, sorted.size()); ++loop)
      if (sorted.size() != loops || sorted[loop] != int64_t(loop))
        return fail(
            (llvm::Twine("the loop order must name each of the ") + llvm::Twine(loops) + " loops once, from 0").str());
    if (request_.tile.size() > loops)
      return fail((llvm::Twine(request_.tile.size()) + " tile indices for " + llvm::Twine(loops) + " loops").str());
    report_.tile.assign(request_.tile.begin(), request_.tile.end());
    report_.tile.resize(loops, 0);
    for (auto [loop, index] : llvm::enumerate(report_.tile))
      if (index < 0 || index >= report_.loops[loop].trips)
        return fail((llvm::Twine("there is no tile ") + llvm::Twine(index) + " of " + loopName(loop) + ": it has " +
                     llvm::Twine(report_.loops[loop].trips) + ", numbered from 0")
                        .str());
    report_.tiles = 1;
    for (int64_t loop : report_.order) {
      if (llvm::MulOverflow(report_.tiles, report_.loops[loop].trips, report_.tiles))
        return fail("there are more tiles than can be numbered; choose larger ones");
      report_.tileNumber = report_.tileNumber * report_.loops[loop].trips + report_.tile[loop];
    }
    return llvm::Error::success();
  }

  /// Footprints of the next tile of each loop.
  void addNeighbours() {
    for (auto [loop, state] : llvm::enumerate(report_.loops)) {
      if (report_.tile[loop] + 1 >= state.trips)
        continue;
      llvm::SmallVector<int64_t> next = report_.tile;
      ++next[loop];
      TileEvents events;
      neighbours_.push_back({unsigned(loop), footprintOf(chain_, sizes_, next, FootprintKind::Exact, events)});
    }
  }

  Footprint footprint(mlir::Value value, const Region &touched, const Region &slices,
                      llvm::function_ref<const Region &(const TileFootprint &)> pick) {
    Footprint result{
        .value = value, .map = {}, .role = {}, .note = {}, .touched = touched, .slices = slices, .halo = {}};
    result.loops = touched.loops();
    result.isExact = touched.isExact();
    if (!result.isExact)
      result.note = "it has too many pieces to tell them apart, or depends on something that is not exact";
    TileEvents events;
    for (const auto &[loop, neighbour] : neighbours_)
      // Where it is not known which elements a tile touches, nor is which of them the next one does.
      if (const Region &theirs = pick(neighbour); result.isExact && ((result.loops | theirs.loops()) >> loop & 1))
        result.halo.add(touched.intersect(theirs, events), events);
    return result;
  }

  Footprint inputFootprint(size_t node, size_t input) {
    const TileInput &described = chain_.nodes[node].access->inputs[input];
    Footprint result =
        footprint(described.value, exact_.inputs[node][input], slices_.inputs[node][input],
                  [&](const TileFootprint &other) -> const Region & { return other.inputs[node][input]; });
    result.map = described.map;
    result.role = described.isInit ? "destination" : "input";
    if (!described.inexact.empty()) {
      result.isExact = false;
      result.isPlaceKnown = false;
      result.note = described.inexact;
    } else if (const ChainSource &source = chain_.nodes[node].sources[input]; source.outside >= 0 && result.isExact) {
      result.note = chain_.outside[source.outside].why;
    }
    return result;
  }

  Footprint resultFootprint(size_t node, size_t index) {
    const AccessModel &access = *chain_.nodes[node].access;
    Footprint result =
        footprint(access.op->getResult(index), exact_.results[node][index], slices_.results[node][index],
                  [&](const TileFootprint &other) -> const Region & { return other.results[node][index]; });
    result.map = access.resultMap(index);
    result.role = node == 0 ? "result" : "producer";
    return result;
  }

  bool isShaped(size_t node, size_t input) const {
    return mlir::isa<mlir::ShapedType>(chain_.nodes[node].access->inputs[input].value.getType());
  }

  void setFootprints() {
    for (size_t input = 0; input < chain_.root().inputs.size(); ++input)
      if (isShaped(0, input))
        report_.operands.push_back(inputFootprint(0, input));
    for (size_t result = 0; result < chain_.root().op->getNumResults(); ++result)
      report_.results.push_back(resultFootprint(0, result));
    for (auto [index, outside] : llvm::enumerate(chain_.outside)) {
      if (!mlir::isa<mlir::ShapedType>(outside.value.getType()) || exact_.outside[index].empty())
        continue;
      Footprint result =
          footprint(outside.value, exact_.outside[index], slices_.outside[index],
                    [i = index](const TileFootprint &other) -> const Region & { return other.outside[i]; });
      result.role = "outside";
      result.note = outside.why;
      report_.outside.push_back(std::move(result));
    }
  }

  void addProducer(size_t node, const TileTotals &totals) {
    const AccessModel &access = *chain_.nodes[node].access;
    ProducerReport producer;
    producer.op = access.op;
    producer.isView = access.isView;
    producer.domain.assign(access.domain.begin(), access.domain.end());
    producer.domainPoints = pointsOf(access.domain);
    for (size_t result = 0; result < access.op->getNumResults(); ++result)
      producer.results.push_back(resultFootprint(node, result));
    for (size_t input = 0; input < access.inputs.size(); ++input)
      if (isShaped(node, input))
        producer.inputs.push_back(inputFootprint(node, input));
    producer.points = exact_.points[node].size();
    producer.slicePoints = slices_.points[node].size();
    producer.allPoints = totals.isComplete ? totals.sum.points[node] / stepsWithout(totals.sum.pointLoops[node]) : -1;
    producer.allSlicePoints =
        totals.isComplete ? totals.sum.slicePoints[node] / stepsWithout(totals.sum.slicePointLoops[node]) : -1;
    producer.hasOtherUsers = llvm::any_of(access.op->getUsers(), [&](mlir::Operation *user) {
      return llvm::none_of(chain_.nodes, [&](const ChainNode &other) { return other.access->op == user; });
    });
    report_.producers.push_back(std::move(producer));
  }

  /// Steps of the reduction loops that do not move what depends on these loops: it is there once for
  /// all of them.
  int64_t stepsWithout(unsigned loops) const {
    int64_t steps = 1;
    for (auto [loop, state] : llvm::enumerate(report_.loops))
      if (state.isReduction && !(loops >> loop & 1))
        steps *= state.trips; // no overflow: setTile numbers all tiles
    return steps;
  }

  TileCost costByTiles(const TileChain &chain, const TileTotals &totals) const {
    if (!totals.isComplete)
      return {.flops = -1, .bytes = -1, .bytesAtMost = false};
    TileCost cost;
    for (auto [node, points, loops] : llvm::zip_equal(chain.nodes, totals.sum.points, totals.sum.pointLoops))
      cost.flops = cost.flops < 0 || node.flopsPerPoint < 0
                       ? -1
                       : cost.flops + node.flopsPerPoint * double(points / stepsWithout(loops));
    cost.bytes = bytesMoved(chain, totals, [&](unsigned loops) { return stepsWithout(loops); });
    for (const ChainNode &node : chain.nodes)
      cost.bytesAtMost |=
          llvm::any_of(node.access->inputs, [](const TileInput &input) { return !input.inexact.empty(); });
    return cost;
  }

  static void addWhole(TileCost &cost, mlir::Operation *op) {
    OpCost whole = costOf(op);
    if (whole.flops < 0 || whole.bytes() < 0 || cost.flops < 0) {
      cost = {.flops = -1, .bytes = -1, .bytesAtMost = false};
      return;
    }
    cost.flops += double(whole.flops);
    cost.bytes += double(whole.bytes());
    cost.bytesAtMost |= whole.bytesAtMost;
  }

  llvm::Error setCosts(const TileTotals &totals) {
    addWhole(report_.untiled, chain_.root().op);
    for (const ChainNode &node : chain_.nodes)
      if (!node.access->isView)
        addWhole(report_.separate, node.access->op);
    report_.fused = costByTiles(chain_, totals);
    report_.tiled = report_.fused;
    auto alone = TileChain::build(chain_.root().op, {.fuse = false, .kept = {}});
    if (!alone)
      return alone.takeError();
    if (chain_.nodes.size() > 1)
      report_.tiled = costByTiles(*alone, sumTiles(*alone, sizes_, request_.budget));
    report_.cache = request_.cache;
    if (request_.cache > 0)
      return setCachedBytes(*alone);
    report_.assumptions = {
        "untiled: each value moves once, as through a cache that holds everything",
        "tiled: nothing stays from one tile to the next, except what the reduction loops do not move"};
    return llvm::Error::success();
  }

  void setBytes(TileCost &cost, llvm::StringRef name, const TileChain &chain, llvm::ArrayRef<int64_t> sizes) {
    const CacheTraffic traffic = trafficThroughCache(chain, sizes, report_.order, request_.cache, request_.budget);
    cost.bytes = traffic.bytes;
    report_.assumptions.push_back((name + ": " + traffic.note).str());
  }

  /// The costs through the cache of the request.
  llvm::Error setCachedBytes(const TileChain &alone) {
    setBytes(report_.untiled, "untiled", alone, alone.root().domain);
    setBytes(report_.tiled, "tiled", alone, sizes_);
    report_.fused.bytes = report_.tiled.bytes;
    if (!report_.fuses)
      return llvm::Error::success();
    setBytes(report_.fused, "fused", chain_, sizes_);
    double separate = report_.untiled.bytes;
    for (const ChainNode &node : llvm::drop_begin(chain_.nodes)) {
      if (node.access->isView)
        continue;
      auto producer = TileChain::build(node.access->op, {.fuse = false, .kept = {}});
      if (!producer)
        return producer.takeError();
      llvm::SmallVector<int64_t> order(node.access->domain.size());
      std::iota(order.begin(), order.end(), 0);
      const double bytes =
          trafficThroughCache(*producer, node.access->domain, order, request_.cache, request_.budget).bytes;
      separate = separate < 0 || bytes < 0 ? -1 : separate + bytes;
    }
    report_.separate.bytes = separate;
    return llvm::Error::success();
  }

  const TileChain &chain_;
  const TileRequest &request_;
  TileReport report_;
  TileSizes sizes_;
  TileFootprint exact_, slices_;
  std::vector<std::pair<unsigned, TileFootprint>> neighbours_;
};

} // namespace

llvm::Expected<TileReport> reportTile(const TileChain &chain, const TileRequest &request) {
  return Reporter(chain, request).run();
}

} // namespace fuselage
