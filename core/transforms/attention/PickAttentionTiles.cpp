#include "core/transforms/attention/PickAttentionTiles.h"
#include "core/device/NvidiaChips.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/RowLayout.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t side = 16; ///< of an instruction, in rows and along the depth

/// The tile near `target` that covers a range in as many steps, a multiple of `side`; the range has
/// that many elements.
int64_t evenTile(int64_t range, int64_t target) {
  int64_t least = llvm::alignTo(llvm::divideCeil(range, llvm::divideCeil(range, target)), side);
  return std::min<int64_t>(least, range / side * side);
}

std::string nameOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

class TilePicker {
public:
  TilePicker(const AttentionSizes &sizes, const AttentionTileOptions &options)
      : sizes_(sizes), options_(options), queries_{.range = sizes.queries}, keys_{.range = sizes.keys} {}

  std::optional<AttentionTile> pick() {
    if (options_.choice == AttentionTileOptions::Choice::Subgroup) {
      pickLaneTiles();
      return chosen();
    }
    if (multipliesItself() && pickOwnTiles())
      return chosen();
    if (usesMatrices() && queries_.range >= side && keys_.range >= side && pickMatrixTiles())
      return chosen();
    return std::nullopt;
  }

private:
  /// One of the two extents that are cut into tiles.
  struct Cut {
    int64_t range = 0; ///< of all tiles
    int64_t size = 0;  ///< of one
    int64_t count() const { return llvm::divideCeil(range, size); }
  };

  AttentionTile chosen() const { return {.queries = queries_.size, .keys = keys_.size}; }

  bool usesMatrices() {
    for (Type element : {sizes_.queryType, sizes_.probabilityType})
      if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 16 ||
          !llvm::is_contained(options_.matrixTypes, nameOf(element)))
        return false;
    return sizes_.depth % (side / 2) == 0 && sizes_.width % (side / 2) == 0;
  }

  /// Whether threads multiply and add, as there are no instructions for that.
  bool multipliesItself() {
    constexpr int64_t stepOfDepth = 4;
    return options_.multiprocessorBytes > 0 && !llvm::is_contained(options_.matrixTypes, "tf32") &&
           sizes_.depth % stepOfDepth == 0 &&
           llvm::all_of(ArrayRef<Type>{sizes_.queryType, sizes_.keyType, sizes_.valueType, sizes_.probabilityType,
                                       sizes_.scoreType, sizes_.contextType},
                        [](Type type) { return type.isF32(); });
  }

  /// How long a multiprocessor takes for its workgroups, in multiply-adds that workgroup memory
  /// keeps up with, of a column of queries or values; nothing where tiles of these sizes do not
  /// fit.
  std::optional<double> costOfTiles() {
    constexpr int64_t registersOfThread = 160, bytes = 4;
    constexpr int64_t quarters = 4 * RowLayout::subgroup; // each of a unit's has its registers
    constexpr double ofSoftmax = 4;                       // columns
    int64_t depth = sizes_.depth, columns = sizes_.width;
    std::optional<RowLayout> layout = pickRowLayout(queries_.size, {keys_.size, columns});
    if (!layout)
      return std::nullopt;
    int64_t stage = bytes * keys_.size * (depth + columns), used = bytes * queries_.size * depth + stage;
    // With its copies in two stages a workgroup has its share, or a multiprocessor of its own.
    if (used + stage > (used <= options_.workgroupBytes ? options_.workgroupBytes
                                                        : options_.multiprocessorBytes - kDriverWorkgroupBytes))
      return std::nullopt;
    int64_t threads = layout->threadsFor(queries_.size);
    // Copies that can be ahead are a few whole rounds of all threads (see CyclicDistribution.cpp).
    constexpr int64_t mostRounds = 8, atOnce = 4;
    for (int64_t width : {depth, columns})
      if (int64_t pieces = keys_.size * width / atOnce;
          width % atOnce != 0 || pieces % threads != 0 || pieces > mostRounds * threads)
        return std::nullopt;
    int64_t rounds = llvm::divideCeil(workgroups(), std::max<int64_t>(options_.multiprocessors, 1)),
            resident = std::min(options_.multiprocessorBytes / (used + stage + kDriverWorkgroupBytes),
                                options_.registers / (int64_t(llvm::alignTo(threads, quarters)) * registersOfThread));
    double subgroups = double(threads) / RowLayout::subgroup * double(std::clamp<int64_t>(resident, 1, rounds));
    double work =
        double(queries_.size) * double(keys_.size * keys_.count()) *
        (costOfProduct(*layout, keys_.size) * double(depth) + costOfProduct(*layout, columns) * double(columns));
    return work * double(rounds) * (1 + ofSoftmax / double(keys_.size)) /
           std::min(1.0, subgroups / options_.subgroupsToHideLatency);
  }

  /// Of a single step no loop is left, and what it works on is no tile any more.
  bool isLoop() const { return keys_.count() > 1; }

  /// The tiles with which the multiprocessors are done first.
  bool pickOwnTiles() {
    constexpr int64_t mostQueries = 256, mostKeys = 128, stepOfQueries = 8;
    int64_t queries = 0, keys = 0;
    double least = 0;
    for (int64_t q = std::min(queries_.range, mostQueries) / stepOfQueries * stepOfQueries; q > 0; q -= stepOfQueries)
      for (int64_t k = std::min(keys_.range, mostKeys) / side * side; k > 0; k -= side) {
        queries_.size = q;
        keys_.size = k;
        std::optional<double> cost = costOfTiles();
        if (!cost || !isLoop() || (queries != 0 && *cost >= least))
          continue;
        queries = q;
        keys = k;
        least = *cost;
      }
    queries_.size = queries;
    keys_.size = keys;
    return queries != 0;
  }

  int64_t workgroups() { return sizes_.heads * queries_.count(); }

  /// Whole rows of lanes, few queries and many keys: each step updates what was summed for all queries, and that is
  /// what steps cost a processor most. (12 heads of 512 x 512 x 64 on lavapipe: 16 by 128 took 0.55 of the time of 32
  /// by 32.)
  void pickLaneTiles() {
    constexpr int64_t queries = 16, most = 128, bytes = 4, scores = 2; // the products, and what softmax makes of them
    int64_t columns = sizes_.width;
    queries_.size = std::min(queries, queries_.range);
    auto pick = [&](int64_t target) {
      keys_.size =
          int64_t(llvm::alignTo(llvm::divideCeil(keys_.range, llvm::divideCeil(keys_.range, target)), options_.lanes));
    };
    int64_t target = most;
    for (pick(target);
         target > options_.lanes && (keys_.size > keys_.range ||
                                     bytes * queries_.size * (scores * keys_.size + columns) > options_.workgroupBytes);
         pick(target))
      target /= 2;
    keys_.size = std::min(keys_.size, keys_.range);
  }

  /// As many keys as fit; where none do beside another workgroup, in a multiprocessor of its own.
  bool pickMatrixTiles() {
    constexpr int64_t bytes = 2, pad = 8; // an element, and what rows are longer by
    constexpr int64_t widest = 64, least = 32;
    int64_t columns = sizes_.width, depth = sizes_.depth + pad;
    queries_.size = evenTile(queries_.range, widest);
    if (workgroups() < options_.multiprocessors)
      queries_.size = evenTile(queries_.range, least);
    int64_t share = options_.workgroupBytes, whole = options_.multiprocessorBytes - kDriverWorkgroupBytes;
    for (bool isAlone : {false, true})
      for (int64_t target = widest; target >= side; target -= side) {
        keys_.size = evenTile(keys_.range, target);
        int64_t stage = bytes * keys_.size * (depth + columns + pad), used = bytes * queries_.size * depth + stage;
        bool fits = isAlone ? used > share && used + stage <= whole : used + stage <= share;
        if (fits && isLoop() && keys_.size + columns <= mostColumnsOfMatrices)
          return true;
      }
    return false;
  }

  const AttentionSizes &sizes_;
  const AttentionTileOptions &options_;
  Cut queries_, keys_;
};

/// Steps of about `target` along an extent: a divisor near it, else the target itself.
int64_t pickStep(int64_t range, int64_t target) {
  if (ShapedType::isDynamic(range))
    return target;
  int64_t divisor = largestDivisor(range, target);
  return range <= target ? range : (divisor * 4 >= target ? divisor : target);
}

} // namespace

AttentionTile attentionTileNear(flow::AttentionOp op, AttentionTile targets) {
  constexpr int64_t usual = 32;
  for (int64_t *target : {&targets.queries, &targets.keys})
    *target = *target > 0 ? *target : usual;
  AttentionDims dims(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t innerKeys = 1;
  for (unsigned dim : ArrayRef(dims.keys).drop_front())
    innerKeys *= std::max<int64_t>(1, ShapedType::isDynamic(ranges[dim]) ? targets.keys : ranges[dim]);
  return {.queries = dims.queries ? pickStep(ranges[*dims.queries], targets.queries) : 1,
          .keys = pickStep(ranges[dims.keys.front()], std::max<int64_t>(1, targets.keys / innerKeys))};
}

std::optional<AttentionTile> requestedAttentionTile(flow::AttentionOp op) {
  TilingConfig requested = readTilingConfig(op);
  if (requested.workgroup.size() != 1 || requested.reduction.size() != 1 || requested.workgroup.front() < 1 ||
      requested.reduction.front() < 1)
    return std::nullopt;
  return AttentionTile{.queries = requested.workgroup.front(), .keys = requested.reduction.front()};
}

std::optional<AttentionTile> pickAttentionTile(const AttentionSizes &sizes, const TargetStrategy &strategy) {
  AttentionTile usual = attentionTileNear(sizes.op);
  if (!strategy.choosesAttentionTiles() || usual.queries >= sizes.queries || usual.keys >= sizes.keys)
    return std::nullopt;
  const AttentionTileOptions options = strategy.attentionTiles();
  return TilePicker(sizes, options).pick();
}

} // namespace fuselage
