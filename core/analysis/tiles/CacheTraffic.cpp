#include "core/analysis/tiles/CacheTraffic.h"
#include "core/analysis/costs/ValueBytes.h"
#include "core/support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

/// What the root writes: its results, or the destinations of an op on buffers.
static llvm::SmallVector<mlir::Type> writtenTypes(const AccessModel &root) {
  llvm::SmallVector<mlir::Type> written(root.op->getResultTypes());
  if (written.empty())
    for (const TileInput &input : root.inputs)
      if (input.isInit)
        written.push_back(input.value.getType());
  return written;
}

double bytesMoved(const TileChain &chain, const TileTotals &totals, llvm::function_ref<int64_t(unsigned loops)> steps) {
  double sum = 0;
  const auto add = [&](mlir::Type type, int64_t elements, unsigned loops) {
    const int64_t bytes = bytesOfElements(type, elements < 0 ? -1 : elements / steps(loops));
    sum = sum < 0 || bytes < 0 ? -1 : sum + double(bytes);
  };
  for (size_t i = 0; i < chain.outside.size(); ++i)
    if (chain.outside[i].isRead())
      add(chain.outside[i].value.getType(), totals.sum.outside[i], totals.sum.outsideLoops[i]);
  for (auto [index, type] : llvm::enumerate(writtenTypes(chain.root())))
    add(type, totals.sum.results[index], totals.sum.resultLoops[index]);
  return sum;
}

namespace {

/// One iteration of a loop of the nest.
struct Block {
  TileSizes sizes;
  std::string of; ///< "one iteration of the loop over tiles of d1"
};

/// From the whole domain to one tile, and from there to one point. Producers are computed for a tile as a whole.
std::vector<Block> blocksOf(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order) {
  std::vector<Block> blocks{{llvm::to_vector<4>(chain.root().domain), "the whole op"}};
  const auto cut = [&](int64_t loop, int64_t size, llvm::StringRef what) {
    TileSizes next = blocks.back().sizes;
    if (next[loop] == size)
      return;
    next[loop] = size;
    blocks.push_back({next, (what + "d" + llvm::Twine(loop)).str()});
  };
  for (int64_t loop : order)
    cut(loop, sizes[loop], "an iteration over the tiles of ");
  if (chain.nodes.size() == 1)
    for (int64_t loop : order)
      cut(loop, 1, "an iteration over the points of ");
  return blocks;
}

/// Bytes that one block in the middle touches.
int64_t bytesOf(const TileChain &chain, const Block &block) {
  TileSizes middle = tripCounts(chain.root().domain, block.sizes);
  for (int64_t &trips : middle)
    trips = (trips - 1) / 2;
  TileEvents events;
  return workgroupBytes(chain, footprintOf(chain, block.sizes, middle, FootprintKind::Slices, events));
}

/// Partial results that are read again, because a block has only a part of the reduction; those that begin outside of
/// the chain are counted as what is read.
double rereadBytes(const TileChain &chain, const TileTotals &blocks) {
  const TileTotals whole = sumTiles(chain, llvm::to_vector<4>(chain.root().domain), 1);
  double bytes = 0;
  size_t result = 0;
  for (auto [input, source] : llvm::zip_equal(chain.root().inputs, chain.nodes.front().sources)) {
    if (!input.isInit)
      continue;
    const size_t index = result++;
    if (source.producer < 0 || !input.isRead || index >= blocks.sum.results.size())
      continue;
    const int64_t again = blocks.sum.results[index] - whole.sum.results[index];
    bytes += double(std::max<int64_t>(bytesOfElements(input.value.getType(), again), 0));
  }
  return bytes;
}

} // namespace

CacheTraffic trafficThroughCache(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order,
                                 int64_t cache, int64_t budget) {
  const std::vector<Block> blocks = blocksOf(chain, sizes, order);
  int64_t bytes = -1;
  const auto fitting = llvm::find_if(blocks, [&](const Block &block) {
    bytes = bytesOf(chain, block);
    return bytes >= 0 && bytes <= cache;
  });
  if (fitting == blocks.end() && (chain.nodes.size() > 1 || bytes < 0))
    return {.note = bytes < 0 ? "the bytes of a tile are not known"
                              : "a tile with its producers takes " + binaryBytesText(double(bytes)) +
                                    ", which this cache does not hold: its traffic is not known"};
  // The blocks of one loop reuse what they share; the loop as a whole is a block of the loop around it.
  const Block &reusing = fitting == blocks.begin() ? blocks.front() : *std::prev(fitting);
  const TileTotals totals = sumTiles(chain, reusing.sizes, budget);
  if (!totals.isComplete)
    return {.note = "there are too many different blocks to add up what they touch"};
  CacheTraffic traffic{.bytes = bytesMoved(chain, totals)};
  if (traffic.bytes >= 0)
    traffic.bytes += rereadBytes(chain, totals);
  if (fitting == blocks.end())
    traffic.note = "nothing stays in this cache: a single point touches " + binaryBytesText(double(bytes));
  else if (fitting == blocks.begin())
    traffic.note = "all " + binaryBytesText(double(bytes)) + " fit: everything moves once";
  else
    traffic.note = fitting->of + " touches " + binaryBytesText(double(bytes)) +
                   ": it fits, and the next one finds what both touch";
  return traffic;
}

} // namespace fuselage
