#include "core/analysis/tiles/TileSequence.h"
#include "core/analysis/costs/ValueBytes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;

namespace fuselage {

namespace {

/// The points of a producer's domain that some tile has computed.
class ComputedPoints {
public:
  explicit ComputedPoints(ArrayRef<int64_t> domain) : domain_(domain) {
    if (int64_t points = pointsOf(domain); points >= 0 && points <= mostPoints)
      computed_.resize(points);
    else
      isKnown_ = false;
  }
  /// How many of these had been computed before; -1: too many to mark.
  int64_t add(const Region &points) {
    int64_t again = 0;
    if (!isKnown_ || !points.isExact() || points.size() < 0 || (marked_ += points.size()) > mostMarks)
      isKnown_ = false;
    else
      for (const Product &piece : points.pieces)
        again += add(piece, 0, 0);
    return isKnown_ ? again : -1;
  }

private:
  static constexpr int64_t mostPoints = 4 << 20, mostMarks = 64 << 20;

  int64_t add(ArrayRef<Axis> axes, size_t dim, int64_t place) {
    if (dim == axes.size()) {
      bool isAgain = computed_.test(place);
      computed_.set(place);
      return isAgain;
    }
    int64_t again = 0;
    axes[dim].set.forEach([&](int64_t at) { again += add(axes, dim + 1, place * domain_[dim] + at); });
    return again;
  }

  SmallVector<int64_t> domain_;
  llvm::BitVector computed_;
  int64_t marked_ = 0;
  bool isKnown_ = true;
};

/// Runs the tiles.
class Runner {
public:
  Runner(const TileChain &chain, ArrayRef<int64_t> sizes, ArrayRef<int64_t> order);
  bool next();
  /// Adds what the current tile does.
  void run();
  TileSequence sequence{};

private:
  void load();
  void compute(const TileFootprint &slices);
  int64_t newBytes(Type type, const Region &touched, const Region *before) const;

  const TileChain &chain_;
  TileSizes sizes_, trips_, tile_;
  SmallVector<int64_t> order_;
  unsigned moved_ = ~0u; ///< loops whose index is another than for the tile before
  unsigned reductions_ = 0;
  std::vector<ComputedPoints> computed_;
  TileFootprint now_, before_;
  bool isFirst_ = true;
  int64_t loaded_ = 0, again_ = 0; ///< -1: unknown
};

} // namespace

Runner::Runner(const TileChain &chain, ArrayRef<int64_t> sizes, ArrayRef<int64_t> order)
    : chain_(chain), sizes_(sizes), trips_(tripCounts(chain.root().domain, sizes)), tile_(sizes.size(), 0),
      order_(order) {
  if (order_.empty()) {
    order_.resize(sizes.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  for (auto [loop, iterator] : llvm::enumerate(chain.root().iterators))
    reductions_ |= (iterator == utils::IteratorType::reduction) << loop;
  for (const ChainNode &node : chain.nodes)
    computed_.emplace_back(node.access->domain);
  sequence.tiles = pointsOf(trips_);
}

bool Runner::next() {
  moved_ = 0;
  for (int64_t loop : llvm::reverse(order_)) {
    moved_ |= 1u << loop;
    if (++tile_[loop] < trips_[loop])
      return true;
    tile_[loop] = 0;
  }
  return false;
}

/// What of a value is touched and was not, in bytes; -1: unknown.
int64_t Runner::newBytes(Type type, const Region &touched, const Region *before) const {
  TileEvents events;
  int64_t elements = touched.size();
  if (before && elements >= 0) {
    int64_t shared = touched.intersect(*before, events).size();
    elements = shared < 0 ? -1 : elements - shared;
  }
  return bytesOfElements(type, elements);
}

void Runner::load() {
  for (auto [index, outside] : llvm::enumerate(chain_.outside))
    if (outside.isRead())
      loaded_ = plus(loaded_, newBytes(outside.value.getType(), now_.outside[index],
                                       isFirst_ ? nullptr : &before_.outside[index]));
  // A part of a reduction that other tiles came between comes back. One that begins outside is counted there.
  const AccessModel &root = chain_.root();
  bool isPart = false;
  for (auto [loop, index] : llvm::enumerate(tile_))
    isPart |= (reductions_ >> loop & 1) != 0 && index > 0;
  size_t result = 0;
  for (auto [input, source] : llvm::zip_equal(root.inputs, chain_.nodes.front().sources)) {
    if (!input.isInit)
      continue;
    const size_t index = result++;
    if (isPart && !isFirst_ && input.isRead && source.producer >= 0 && index < now_.results.front().size())
      loaded_ =
          plus(loaded_, newBytes(input.value.getType(), now_.results.front()[index], &before_.results.front()[index]));
  }
}

void Runner::compute(const TileFootprint &slices) {
  for (size_t node = 1; node < chain_.nodes.size(); ++node) {
    const Region &points = slices.points[node];
    bool stays = !isFirst_ && (moved_ & ~reductions_) == 0 && (points.loops() & moved_) == 0;
    if (chain_.nodes[node].access->isView || stays)
      continue;
    again_ = plus(again_, computed_[node].add(points));
  }
}

void Runner::run() {
  TileEvents events;
  now_ = footprintOf(chain_, sizes_, tile_, FootprintKind::Exact, events);
  TileFootprint slices = footprintOf(chain_, sizes_, tile_, FootprintKind::Slices, events);
  load();
  compute(slices);
  sequence.loaded.push_back(loaded_);
  sequence.again.push_back(again_);
  sequence.live.push_back(workgroupBytes(chain_, slices));
  before_ = std::move(now_);
  isFirst_ = false;
}

TileSequence sequenceOf(const TileChain &chain, ArrayRef<int64_t> sizes, ArrayRef<int64_t> order, int64_t most) {
  Runner runner(chain, sizes, order);
  do
    runner.run();
  while (int64_t(runner.sequence.live.size()) < most && runner.next());
  return std::move(runner.sequence);
}

} // namespace fuselage
