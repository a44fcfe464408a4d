// tensor.concat: a tile lies in one operand, in several, or in one that the iteration decides.
#include "core/interfaces/FusableOpInterface.h"
#include "core/interfaces/IndexFacts.h"
#include "core/interfaces/Models.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <numeric>

using namespace mlir;

namespace fuselage {
namespace {

using Refusal = std::optional<FusableRefusal>;
using Tiles = ArrayRef<SmallVector<OpFoldResult>>;

/// How a tile lies in the operands.
enum class Place {
  Whole,  ///< it has all of the dimension: a piece of each operand
  Fixed,  ///< where it begins and ends is known
  Chosen, ///< in one operand, which depends on where it begins
};

struct ConcatModel : FusableOpInterface::ExternalModel<ConcatModel, tensor::ConcatOp> {
  FailureOr<TilingResult> generateResultTileValue(Operation *raw, OpBuilder &b, unsigned,
                                                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) const {
    auto op = cast<tensor::ConcatOp>(raw);
    Place place = Place::Whole;
    if (explain(op, offsets, sizes, place))
      return failure();
    Tiling tiling{b, op, SmallVector<OpFoldResult>(offsets), SmallVector<OpFoldResult>(sizes), {}};
    if (place == Place::Chosen) {
      Value tile = tiling.choose(startsOf(op), 0);
      return TilingResult{{tile.getDefiningOp()}, {tile}, tiling.slices};
    }
    SmallVector<Value> pieces = place == Place::Whole ? tiling.wholePieces() : tiling.fixedPieces(startsOf(op));
    if (pieces.size() == 1)
      return TilingResult{{}, pieces, tiling.slices};
    auto tile = tensor::ConcatOp::create(b, op.getLoc(), op.getDim(), pieces);
    return TilingResult{{tile}, {tile}, tiling.slices};
  }

  Refusal explainResultTile(Operation *op, unsigned, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes) const {
    Place place = Place::Whole;
    return explain(cast<tensor::ConcatOp>(op), offsets, sizes, place);
  }

  Refusal explainOperandTiles(Operation *op, ArrayRef<unsigned> numbers, Tiles, Tiles) const {
    return FusableRefusal{
        FusableReason::ConcatNeedsOthers,
        (llvm::Twine(numbers.size()) + " of " + llvm::Twine(op->getNumOperands()) + " operands").str()};
  }

private:
  struct Tiling {
    OpBuilder &b;
    tensor::ConcatOp op;
    SmallVector<OpFoldResult> offsets, sizes;
    SmallVector<Operation *> slices;

    Value slice(unsigned operand, OpFoldResult offset, OpFoldResult size) {
      SmallVector<OpFoldResult> at(offsets), length(sizes), strides(sizes.size(), b.getIndexAttr(1));
      at[op.getDim()] = offset;
      length[op.getDim()] = size;
      auto made = tensor::ExtractSliceOp::create(b, op.getLoc(), op.getInputs()[operand], at, length, strides);
      slices.push_back(made);
      return made;
    }

    SmallVector<Value> wholePieces() {
      SmallVector<Value> pieces;
      for (auto [i, input] : llvm::enumerate(op.getInputs()))
        if (cast<RankedTensorType>(input.getType()).getDimSize(op.getDim()) != 0) // MLIR has no slices of nothing
          pieces.push_back(slice(i, b.getIndexAttr(0), tensor::getMixedSize(b, op.getLoc(), input, op.getDim())));
      return pieces;
    }

    /// Of each operand what the tile has of it.
    SmallVector<Value> fixedPieces(ArrayRef<int64_t> starts) {
      int64_t begin = *getConstantIntValue(offsets[op.getDim()]),
              end = begin + *getConstantIntValue(sizes[op.getDim()]);
      SmallVector<Value> pieces;
      for (unsigned i = 0; i + 1 < starts.size(); ++i) {
        int64_t from = std::max(begin, starts[i]), to = std::min(end, starts[i + 1]);
        if (from < to)
          pieces.push_back(slice(i, b.getIndexAttr(from - starts[i]), b.getIndexAttr(to - from)));
      }
      return pieces;
    }

    /// Asks operand by operand, from `first` on, whether the tile begins in it.
    Value choose(ArrayRef<int64_t> starts, unsigned first) {
      Location loc = op.getLoc();
      unsigned dim = op.getDim();
      auto sliceHere = [&] {
        AffineExpr shifted = b.getAffineDimExpr(0) - starts[first];
        return slice(first,
                     affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(1, 0, shifted), {offsets[dim]}),
                     sizes[dim]);
      };
      if (first + 2 == starts.size())
        return sliceHere();
      if (starts[first] == starts[first + 1]) // no elements, no tiles
        return choose(starts, first + 1);
      Value begin = getValueOrCreateConstantIndexOp(b, loc, offsets[dim]);
      Value end = arith::ConstantIndexOp::create(b, loc, starts[first + 1]);
      Value isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, begin, end);
      auto type = RankedTensorType::get(decomposeMixedValues(sizes).first, op.getResultType().getElementType());
      auto choice = scf::IfOp::create(b, loc, TypeRange{type}, isHere, /*addThenBlock=*/true,
                                      /*addElseBlock=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(choice.thenBlock());
      scf::YieldOp::create(b, loc, sliceHere());
      b.setInsertionPointToEnd(choice.elseBlock());
      scf::YieldOp::create(b, loc, choose(starts, first + 1));
      return choice.getResult(0);
    }
  };

  /// Where each operand begins in the result, and the end; empty if that is not known.
  static SmallVector<int64_t> startsOf(tensor::ConcatOp op) {
    SmallVector<int64_t> starts{0};
    for (Value input : op.getInputs()) {
      int64_t extent = cast<RankedTensorType>(input.getType()).getDimSize(op.getDim());
      if (ShapedType::isDynamic(extent))
        return {};
      starts.push_back(starts.back() + extent);
    }
    return starts;
  }

  static Refusal explain(tensor::ConcatOp op, ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                         Place &place) {
    unsigned dim = op.getDim();
    place = Place::Whole;
    if (op.getResultType().getDimSize(dim) == 0 || isConstantIntValue(sizes[dim], 0))
      return FusableRefusal{FusableReason::EmptyTile};
    if (coversDim(offsets[dim], sizes[dim], op.getResult(), dim))
      return std::nullopt;
    SmallVector<int64_t> starts = startsOf(op);
    if (starts.empty())
      return FusableRefusal{FusableReason::ConcatStraddled,
                            ("operands have dynamic sizes along dimension " + llvm::Twine(dim)).str()};
    place = Place::Fixed;
    if (getConstantIntValue(offsets[dim]) && getConstantIntValue(sizes[dim]))
      return std::nullopt;
    place = Place::Chosen;
    // Tiles begin at multiples of `by`; if operands do as well, a tile of at most that size is in
    // one.
    int64_t from = knownDivisor(offsets[dim]), by = from;
    for (int64_t start : starts)
      by = std::gcd(by, start);
    std::optional<int64_t> most = knownMaximum(sizes[dim]);
    if (most && *most <= by)
      return std::nullopt;
    for (int64_t start : ArrayRef(starts).drop_back().drop_front())
      if (from == 0 || start % from != 0)
        return FusableRefusal{FusableReason::ConcatStraddled,
                              ("an operand begins at " + llvm::Twine(start) + " of dimension " + llvm::Twine(dim) +
                               ", the tile at " + describeIndex(offsets[dim]))
                                  .str()};
    return FusableRefusal{FusableReason::ConcatStraddled,
                          ("the tile has " + llvm::Twine(describeIndex(sizes[dim])) + " elements of dimension " +
                           llvm::Twine(dim) + ", from " + describeIndex(offsets[dim]))
                              .str()};
  }
};

} // namespace

void registerConcatModel(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, tensor::TensorDialect *) { tensor::ConcatOp::attachInterface<ConcatModel>(*context); });
}

} // namespace fuselage
