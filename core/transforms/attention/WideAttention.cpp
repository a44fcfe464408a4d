#include "core/transforms/attention/WideAttention.h"
#include "core/transforms/attention/TiledAttention.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
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
      : TiledAttention(rewriter, forall), options_(options) {}

  bool run() {
    if (!find() || !pickTiles())
      return false;
    rebuild();
    return true;
  }

private:
  //===-- What there shall be -----------------------------------------------===//

  /// Elements of a product's operands that are not tiled, beside each key or query.
  int64_t widthOf(Value operand) {
    auto type = cast<RankedTensorType>(operand.getType());
    int64_t width = 1;
    for (auto [dim, along] : llvm::enumerate(dims_[operand]))
      width *= *along == Along::Other ? type.getDimSize(dim) : 1;
    return width;
  }

  bool usesMatrices() {
    for (linalg::LinalgOp product : {scores_, context_}) {
      Type element = getElementTypeOrSelf(product.getDpsInputs().front().getType());
      if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 16 ||
          !llvm::is_contained(options_.matrixTypes, nameOf(element)))
        return false;
    }
    return widthOf(scores_.getDpsInputs().front()) % (side / 2) == 0 &&
           widthOf(context_.getDpsInits().front()) % (side / 2) == 0;
  }

  int64_t workgroups() {
    int64_t count = 1;
    for (auto [block, bound] :
         llvm::zip_equal(forall_.getInductionVars(), forall_.getStaticUpperBound()))
      count *= block == queries_.block ? queries_.count() : std::max<int64_t>(bound, 1);
    return count;
  }

  bool pickTiles() {
    if (llvm::any_of(forall_.getStaticUpperBound(), ShapedType::isDynamic) ||
        int64_t(llvm::divideCeil(keys_.range, keys_.before)) !=
            *getConstantIntValue(loop_.getUpperBound()))
      return false;
    bool isUneven = queries_.range % queries_.before != 0 || keys_.range % keys_.before != 0;
    if (!usesMatrices()) {
      queries_.size = std::min(queries_.before, queries_.range);
      keys_.size = std::min(keys_.before, keys_.range);
      return isUneven;
    }
    if (queries_.range < side || keys_.range < side)
      return false;
    constexpr int64_t bytes = 2, pad = 8; // an element, and what rows are longer by
    int64_t depth = widthOf(scores_.getDpsInputs().front()) + pad,
            columns = widthOf(context_.getDpsInits().front()) + pad;
    constexpr int64_t widest = 64, least = 32;
    queries_.size = evenTile(queries_.range, widest);
    if (workgroups() < options_.units)
      queries_.size = evenTile(queries_.range, least);
    for (int64_t target = widest; target >= side; target -= side) {
      keys_.size = evenTile(keys_.range, target);
      if (bytes * (queries_.size * depth + 2 * keys_.size * (depth + columns)) <=
          options_.maxWorkgroupBytes)
        return true;
    }
    return false;
  }

  //===-- Building ----------------------------------------------------------===//

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b_, loc_, value); }

  /// Where a tile starts, at the insertion point.
  void startTile(Cut &cut, Value number) {
    AffineExpr start = b_.getAffineDimExpr(0) * cut.size,
               last = b_.getAffineConstantExpr(cut.range - cut.size);
    auto map = [&](AffineExpr a, AffineExpr b) {
      return AffineMap::get(1, 0, {a, b}, b_.getContext());
    };
    cut.number = number;
    if (!cut.isUneven()) {
      cut.first = affine::AffineApplyOp::create(b_, loc_, AffineMap::get(1, 0, start), number);
      return;
    }
    cut.first = affine::AffineMinOp::create(b_, loc_, map(start, last), number);
    cut.repeated = affine::AffineMaxOp::create(
        b_, loc_, map(b_.getAffineConstantExpr(0), start - last), number);
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
    auto wide = scf::ForallOp::create(b_, loc_, getAsIndexOpFoldResult(b_.getContext(), counts),
                                      forall_.getOutputs(),
                                      b_.getArrayAttr(blockMapping(b_.getContext(), counts)));
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
                     Value(tensor::EmptyOp::create(b_, op.getLoc(), type.getShape(),
                                                   type.getElementType())));
      }
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      copySlice(slice);
    } else {
      Operation *copied = b_.clone(op, mapping_);
      if (auto structured = dyn_cast<linalg::LinalgOp>(copied))
        for (auto [result, init] : llvm::zip_equal(copied->getResults(), structured.getDpsInits()))
          result.setType(init.getType());
      if (!maximum_ || op.getNumResults() != 1 ||
          op.getResult(0) != maximum_.getDpsInputs().front() || !keys_.isUneven())
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
    mapping_.map(slice.getResult(), Value(tensor::ExtractSliceOp::create(
                                        b_, slice.getLoc(), wideType(slice), slice.getSource(),
                                        offsets, sizes, slice.getMixedStrides())));
  }

  void copyLoop(scf::ForOp loop) {
    SmallVector<Value> inits;
    for (Value init : loop.getInitArgs())
      inits.push_back(mapping_.lookupOrDefault(init));
    auto wide = scf::ForOp::create(b_, loop.getLoc(), constant(0), constant(keys_.count()),
                                   constant(1), inits);
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
    unsigned dim =
        llvm::find(dims_[narrow], std::optional<Along>(Along::Keys)) - dims_[narrow].begin();
    Value never = arith::ConstantOp::create(
        b_, loc,
        b_.getFloatAttr(floats, APFloat::getInf(floats.getFloatSemantics(), /*Negative=*/true)));
    Value empty = tensor::EmptyOp::create(b_, loc, type.getShape(), floats);
    AffineMap identity = b_.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b_, loc, type, logits, empty, ArrayRef<AffineMap>{identity, identity}, iterators,
               [&](OpBuilder &builder, Location inner, ValueRange arguments) {
                 Value index = linalg::IndexOp::create(builder, inner, dim);
                 Value isNew = arith::CmpIOp::create(builder, inner, arith::CmpIPredicate::uge,
                                                     index, keys_.repeated);
                 Value value =
                     arith::SelectOp::create(builder, inner, isNew, arguments.front(), never);
                 linalg::YieldOp::create(builder, inner, value);
               })
        .getResult(0);
  }

  /// Stores the queries that are this workgroup's own.
  void store(tensor::ParallelInsertSliceOp insert, scf::ForallOp wide) {
    Location loc = insert.getLoc();
    AffineExpr start = b_.getAffineDimExpr(0) * queries_.size,
               range = b_.getAffineConstantExpr(queries_.range);
    Value tile = mapping_.lookupOrDefault(insert.getSource());
    SmallVector<OpFoldResult> offsets, sizes;
    b_.setInsertionPoint(wide.getTerminator());
    OpFoldResult own = b_.getIndexAttr(queries_.size), first = queries_.first;
    if (queries_.isUneven()) {
      first = Value(
          affine::AffineApplyOp::create(b_, loc, AffineMap::get(1, 0, start), queries_.number));
      AffineMap least = AffineMap::get(
          1, 0, {b_.getAffineConstantExpr(queries_.size), range - start}, b_.getContext());
      own = Value(affine::AffineMinOp::create(b_, loc, least, queries_.number));
      SmallVector<OpFoldResult> skipped, taken, unit;
      for (auto [size, along] : llvm::zip_equal(cast<RankedTensorType>(tile.getType()).getShape(),
                                                dims_[insert.getSource()])) {
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
      offsets.push_back(isCut   ? first
                        : value ? OpFoldResult(mapping_.lookupOrDefault(value))
                                : offset);
      sizes.push_back(isCut ? own : size);
    }
    b_.setInsertionPointToEnd(wide.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(b_, loc, tile, mapping_.lookup(insert.getDest()), offsets,
                                          sizes, insert.getMixedStrides());
  }

  const WideAttentionOptions &options_;
  Location loc_ = forall_.getLoc();
  IRMapping mapping_;
};

} // namespace

bool widenAttention(RewriterBase &rewriter, scf::ForallOp forall,
                    const WideAttentionOptions &options) {
  return Widener(rewriter, forall, options).run();
}

} // namespace fuselage
