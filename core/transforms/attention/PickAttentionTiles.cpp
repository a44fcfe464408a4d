#include "core/transforms/attention/PickAttentionTiles.h"
#include "core/device/NvidiaChips.h"
#include "core/transforms/attention/TiledAttention.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/workgroups/sizes/RowLayout.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
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

class Widener : TiledAttention {
public:
  Widener(RewriterBase &rewriter, scf::ForallOp forall, const WideAttentionOptions &options)
      : TiledAttention(rewriter, forall), options_(options), tiles_(options.tiles) {}

  bool run() {
    if (!find() || !pickTiles())
      return false;
    rebuild();
    return true;
  }

private:
  //===-- What there shall be -----------------------------------------------===//

  bool usesMatrices() {
    for (linalg::LinalgOp product : {scores_, context_}) {
      Type element = getElementTypeOrSelf(product.getDpsInputs().front().getType());
      if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 16 ||
          !llvm::is_contained(tiles_.matrixTypes, nameOf(element)))
        return false;
    }
    return widthOf(scores_.getDpsInputs().front()) % (side / 2) == 0 &&
           widthOf(context_.getDpsInits().front()) % (side / 2) == 0;
  }

  /// Whether threads multiply and add, as there are no instructions for that.
  bool multipliesItself() {
    constexpr int64_t stepOfDepth = 4;
    return tiles_.multiprocessorBytes > 0 && !llvm::is_contained(tiles_.matrixTypes, "tf32") &&
           widthOf(scores_.getDpsInputs().front()) % stepOfDepth == 0 &&
           llvm::all_of(ArrayRef<linalg::LinalgOp>{scores_, context_}, [](linalg::LinalgOp product) {
             return llvm::all_of(product->getOperandTypes(),
                                 [](Type type) { return getElementTypeOrSelf(type).isF32(); });
           });
  }

  /// How long a multiprocessor takes for its workgroups, in multiply-adds that workgroup memory
  /// keeps up with, of a column of queries or values; nothing where tiles of these sizes do not
  /// fit.
  std::optional<double> costOfTiles() {
    constexpr int64_t registersOfThread = 160, bytes = 4;
    constexpr int64_t quarters = 4 * RowLayout::subgroup; // each of a unit's has its registers
    constexpr double ofSoftmax = 4;                       // columns
    int64_t depth = widthOf(scores_.getDpsInputs().front()), columns = widthOf(context_.getDpsInits().front());
    std::optional<RowLayout> layout = pickRowLayout(queries_.size, {keys_.size, columns});
    if (!layout)
      return std::nullopt;
    int64_t stage = bytes * keys_.size * (depth + columns), used = bytes * queries_.size * depth + stage;
    // With its copies in two stages a workgroup has its share, or a multiprocessor of its own.
    if (used + stage >
        (used <= tiles_.workgroupBytes ? tiles_.workgroupBytes : tiles_.multiprocessorBytes - kDriverWorkgroupBytes))
      return std::nullopt;
    int64_t threads = layout->threadsFor(queries_.size);
    // Copies that can be ahead are a few whole rounds of all threads (see CyclicDistribution.cpp).
    constexpr int64_t mostRounds = 8, atOnce = 4;
    for (int64_t width : {depth, columns})
      if (int64_t pieces = keys_.size * width / atOnce;
          width % atOnce != 0 || pieces % threads != 0 || pieces > mostRounds * threads)
        return std::nullopt;
    int64_t rounds = llvm::divideCeil(workgroups(), std::max<int64_t>(tiles_.multiprocessors, 1)),
            resident = std::min(tiles_.multiprocessorBytes / (used + stage + kDriverWorkgroupBytes),
                                tiles_.registers / (int64_t(llvm::alignTo(threads, quarters)) * registersOfThread));
    double subgroups = double(threads) / RowLayout::subgroup * double(std::clamp<int64_t>(resident, 1, rounds));
    double work =
        double(queries_.size) * double(keys_.size * keys_.count()) *
        (costOfProduct(*layout, keys_.size) * double(depth) + costOfProduct(*layout, columns) * double(columns));
    return work * double(rounds) * (1 + ofSoftmax / double(keys_.size)) /
           std::min(1.0, subgroups / tiles_.subgroupsToHideLatency);
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

  int64_t workgroups() {
    int64_t count = 1;
    for (auto [block, bound] : llvm::zip_equal(forall_.getInductionVars(), forall_.getStaticUpperBound()))
      count *= block == queries_.block ? queries_.count() : std::max<int64_t>(bound, 1);
    return count;
  }

  /// Those that somebody asks for, where there are any.
  bool takeAskedTiles() {
    TilingConfig asked = readTilingConfig(forall_);
    if (asked.workgroup.size() != 1 || asked.reduction.size() != 1 || asked.workgroup.front() < 1 ||
        asked.reduction.front() < 1)
      return false;
    queries_.size = std::min(asked.workgroup.front(), queries_.range);
    keys_.size = std::min(asked.reduction.front(), keys_.range);
    return true;
  }

  /// Whether the tiles differ from those that there are, or these are not of one size.
  bool isOther() const {
    return queries_.size != queries_.before || keys_.size != keys_.before || queries_.isUneven() || keys_.isUneven();
  }

  bool pickTiles() {
    if (!hasKnownCounts())
      return false;
    if (takeAskedTiles())
      return isOther();
    if (tiles_.choice == AttentionTileOptions::Choice::Subgroup) {
      pickLaneTiles();
      return isOther();
    }
    if (options_.onlyAsked)
      return false;
    if (multipliesItself() && pickOwnTiles())
      return true;
    if (!usesMatrices()) {
      queries_.size = std::min(queries_.before, queries_.range);
      keys_.size = std::min(keys_.before, keys_.range);
      return isOther();
    }
    return queries_.range >= side && keys_.range >= side && pickMatrixTiles();
  }

  /// Whole rows of lanes, few queries and many keys: each step updates what was summed for all queries, and that is
  /// what steps cost a processor most. (12 heads of 512 x 512 x 64 on lavapipe: 16 by 128 took 0.55 of the time of 32
  /// by 32.)
  void pickLaneTiles() {
    constexpr int64_t queries = 16, most = 128, bytes = 4, scores = 2; // the products, and what softmax makes of them
    int64_t columns = widthOf(context_.getDpsInits().front());
    queries_.size = std::min(queries, queries_.range);
    auto pick = [&](int64_t target) {
      keys_.size =
          int64_t(llvm::alignTo(llvm::divideCeil(keys_.range, llvm::divideCeil(keys_.range, target)), tiles_.lanes));
    };
    int64_t target = most;
    for (pick(target);
         target > tiles_.lanes &&
         (keys_.size > keys_.range || bytes * queries_.size * (scores * keys_.size + columns) > tiles_.workgroupBytes);
         pick(target))
      target /= 2;
    keys_.size = std::min(keys_.size, keys_.range);
  }

  /// As many keys as fit; where none do beside another workgroup, in a multiprocessor of its own.
  bool pickMatrixTiles() {
    constexpr int64_t bytes = 2, pad = 8; // an element, and what rows are longer by
    constexpr int64_t widest = 64, least = 32;
    int64_t columns = widthOf(context_.getDpsInits().front()), depth = widthOf(scores_.getDpsInputs().front()) + pad;
    queries_.size = evenTile(queries_.range, widest);
    if (workgroups() < tiles_.multiprocessors)
      queries_.size = evenTile(queries_.range, least);
    int64_t share = tiles_.workgroupBytes, whole = tiles_.multiprocessorBytes - kDriverWorkgroupBytes;
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

  //===-- Building ----------------------------------------------------------===//

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b_, loc_, value); }

  /// Where a tile starts, at the insertion point.
  void startTile(Cut &cut, Value number) {
    AffineExpr start = b_.getAffineDimExpr(0) * cut.size, last = b_.getAffineConstantExpr(cut.range - cut.size);
    auto map = [&](AffineExpr a, AffineExpr b) { return AffineMap::get(1, 0, {a, b}, b_.getContext()); };
    cut.number = number;
    if (!cut.isUneven()) {
      cut.first = affine::AffineApplyOp::create(b_, loc_, AffineMap::get(1, 0, start), number);
      return;
    }
    cut.first = affine::AffineMinOp::create(b_, loc_, map(start, last), number);
    cut.repeated = affine::AffineMaxOp::create(b_, loc_, map(b_.getAffineConstantExpr(0), start - last), number);
  }

  RankedTensorType wideType(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (auto [size, along] : llvm::zip_equal(shape, dims_[value]))
      if (*along != Along::Other)
        size = cutOf(*along).size;
    return RankedTensorType::get(shape, type.getElementType());
  }

  void rebuild() {
    loc_ = forall_.getLoc();
    b_.setInsertionPoint(forall_);
    SmallVector<int64_t> counts(forall_.getStaticUpperBound());
    for (auto [block, count] : llvm::zip_equal(forall_.getInductionVars(), counts))
      count = block == queries_.block ? queries_.count() : count;
    auto wide = scf::ForallOp::create(b_, loc_, getAsIndexOpFoldResult(b_.getContext(), counts), forall_.getOutputs(),
                                      b_.getArrayAttr(blockMapping(b_.getContext(), counts)));
    writeTilingConfig(wide, readTilingConfig(forall_));
    b_.setInsertionPointToStart(wide.getBody());
    mapping_.map(forall_.getBody()->getArguments(), wide.getBody()->getArguments());
    startTile(queries_, mapping_.lookup(queries_.block));
    for (Operation &op : forall_.getBody()->without_terminator())
      copy(op);
    for (Operation &op : forall_.getTerminator().getYieldingOps())
      store(cast<tensor::ParallelInsertSliceOp>(op), wide);
    b_.replaceOp(forall_, wide.getResults());
  }

  void copy(Operation &op) {
    if (auto start = starts_.find(&op); start != starts_.end()) {
      mapping_.map(op.getResult(0), cutOf(start->second).first);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      copyLoop(loop);
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      if (dims_.count(empty)) {
        RankedTensorType type = wideType(empty);
        mapping_.map(empty.getResult(),
                     Value(tensor::EmptyOp::create(b_, op.getLoc(), type.getShape(), type.getElementType())));
      }
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      copySlice(slice);
    } else {
      Operation *copied = b_.clone(op, mapping_);
      if (auto structured = dyn_cast<linalg::LinalgOp>(copied))
        for (auto [result, init] : llvm::zip_equal(copied->getResults(), structured.getDpsInits()))
          result.setType(init.getType());
      if (!maximum_ || op.getNumResults() != 1 || op.getResult(0) != maximum_.getDpsInputs().front() ||
          !keys_.isUneven())
        return;
      mapping_.map(op.getResult(0), withoutRepeated(copied->getResult(0), op.getResult(0)));
    }
  }

  /// What does not change from step to step is read in front of the loop.
  void copySlice(tensor::ExtractSliceOp slice) {
    OpBuilder::InsertionGuard guard(b_);
    SmallVector<OpFoldResult> offsets, sizes;
    for (auto [offset, size] : llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedSizes())) {
      Along along = startOf(offset);
      auto value = dyn_cast<Value>(offset);
      offsets.push_back(value ? OpFoldResult(mapping_.lookupOrDefault(value)) : offset);
      sizes.push_back(along == Along::Other ? size : b_.getIndexAttr(cutOf(along).size));
    }
    auto loop = dyn_cast<scf::ForOp>(b_.getInsertionBlock()->getParentOp());
    if (loop && llvm::all_of(offsets, [&](OpFoldResult offset) {
          auto value = dyn_cast<Value>(offset);
          return !value || loop.isDefinedOutsideOfLoop(value);
        }))
      b_.setInsertionPoint(loop);
    mapping_.map(slice.getResult(),
                 Value(tensor::ExtractSliceOp::create(b_, slice.getLoc(), wideType(slice), slice.getSource(), offsets,
                                                      sizes, slice.getMixedStrides())));
  }

  void copyLoop(scf::ForOp loop) {
    SmallVector<Value> inits;
    for (Value init : loop.getInitArgs())
      inits.push_back(mapping_.lookupOrDefault(init));
    auto wide = scf::ForOp::create(b_, loop.getLoc(), constant(0), constant(keys_.count()), constant(1), inits);
    mapping_.map(loop.getBody()->getArguments(), wide.getBody()->getArguments());
    mapping_.map(loop.getResults(), wide.getResults());
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(wide.getBody());
    startTile(keys_, wide.getInductionVar());
    for (Operation &op : loop.getBody()->without_terminator())
      copy(op);
    b_.clone(*loop.getBody()->getTerminator(), mapping_);
  }

  /// The logits, where they were there already in the step before minus infinity.
  Value withoutRepeated(Value logits, Value narrow) {
    auto type = cast<RankedTensorType>(logits.getType());
    auto floats = cast<FloatType>(type.getElementType());
    Location loc = logits.getLoc();
    unsigned dim = llvm::find(dims_[narrow], std::optional<Along>(Along::Keys)) - dims_[narrow].begin();
    Value never = arith::ConstantOp::create(
        b_, loc, b_.getFloatAttr(floats, APFloat::getInf(floats.getFloatSemantics(), /*Negative=*/true)));
    Value empty = tensor::EmptyOp::create(b_, loc, type.getShape(), floats);
    AffineMap identity = b_.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b_, loc, type, logits, empty, ArrayRef<AffineMap>{identity, identity}, iterators,
               [&](OpBuilder &builder, Location inner, ValueRange arguments) {
                 Value index = linalg::IndexOp::create(builder, inner, dim);
                 Value isNew = arith::CmpIOp::create(builder, inner, arith::CmpIPredicate::uge, index, keys_.repeated);
                 Value value = arith::SelectOp::create(builder, inner, isNew, arguments.front(), never);
                 linalg::YieldOp::create(builder, inner, value);
               })
        .getResult(0);
  }

  /// Stores the queries that are this workgroup's own.
  void store(tensor::ParallelInsertSliceOp insert, scf::ForallOp wide) {
    Location loc = insert.getLoc();
    AffineExpr start = b_.getAffineDimExpr(0) * queries_.size, range = b_.getAffineConstantExpr(queries_.range);
    Value tile = mapping_.lookupOrDefault(insert.getSource());
    SmallVector<OpFoldResult> offsets, sizes;
    b_.setInsertionPoint(wide.getTerminator());
    OpFoldResult own = b_.getIndexAttr(queries_.size), first = queries_.first;
    if (queries_.isUneven()) {
      first = Value(affine::AffineApplyOp::create(b_, loc, AffineMap::get(1, 0, start), queries_.number));
      AffineMap least = AffineMap::get(1, 0, {b_.getAffineConstantExpr(queries_.size), range - start}, b_.getContext());
      own = Value(affine::AffineMinOp::create(b_, loc, least, queries_.number));
      SmallVector<OpFoldResult> skipped, taken, unit;
      for (auto [size, along] :
           llvm::zip_equal(cast<RankedTensorType>(tile.getType()).getShape(), dims_[insert.getSource()])) {
        bool isCut = *along == Along::Queries;
        skipped.push_back(isCut ? OpFoldResult(queries_.repeated) : b_.getIndexAttr(0));
        taken.push_back(isCut ? own : b_.getIndexAttr(size));
        unit.push_back(b_.getIndexAttr(1));
      }
      tile = tensor::ExtractSliceOp::create(b_, loc, tile, skipped, taken, unit);
    }
    for (auto [offset, size] : llvm::zip_equal(insert.getMixedOffsets(), insert.getMixedSizes())) {
      bool isCut = startOf(offset) == Along::Queries;
      auto value = dyn_cast<Value>(offset);
      offsets.push_back(isCut ? first : value ? OpFoldResult(mapping_.lookupOrDefault(value)) : offset);
      sizes.push_back(isCut ? own : size);
    }
    b_.setInsertionPointToEnd(wide.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(b_, loc, tile, mapping_.lookup(insert.getDest()), offsets, sizes,
                                          insert.getMixedStrides());
  }

  const WideAttentionOptions &options_;
  const AttentionTileOptions &tiles_;
  Location loc_ = forall_.getLoc();
  IRMapping mapping_;
};

} // namespace

bool widenAttention(RewriterBase &rewriter, scf::ForallOp forall, const WideAttentionOptions &options) {
  return Widener(rewriter, forall, options).run();
}

} // namespace fuselage
