#include "core/interfaces/TilableModel.h"
#include "core/interfaces/IndexFacts.h"
#include "core/interfaces/Models.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {
namespace {

using Refusal = std::optional<FusableRefusal>;

FusableRefusal refuseMap(AffineMap map) { return {FusableReason::MapNotPermutation, debugString(map)}; }

/// Any op with a TilingInterface. Upstream answers a tile that it cannot compute with an error
/// diagnostic in places; what is known to fail is not tried.
struct TilableModel : TilableModelBase<TilableModel> {
  Refusal explainResultTile(Operation *op, unsigned resultNumber, ArrayRef<OpFoldResult>,
                            ArrayRef<OpFoldResult>) const {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured)
      return std::nullopt;
    if (!structured.hasPureTensorSemantics())
      return FusableRefusal{FusableReason::TileRefused, "the op works on buffers"};
    AffineMap map = structured.getIndexingMapMatchingResult(op->getResult(resultNumber));
    return map.isProjectedPermutation() ? Refusal() : refuseMap(map);
  }

  /// The tiles of the results partition them if the map of each operand and result is a projected
  /// permutation, and no tile has a part of a reduction only.
  Refusal explainOperandTiles(Operation *op, ArrayRef<unsigned> operandNumbers,
                              ArrayRef<SmallVector<OpFoldResult>> allOffsets,
                              ArrayRef<SmallVector<OpFoldResult>> allSizes) const {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured)
      return FusableRefusal{FusableReason::TileRefused, "only linalg ops are known to read each element once"};
    if (!structured.hasPureTensorSemantics())
      return FusableRefusal{FusableReason::TileRefused, "the op works on buffers"};
    for (OpResult result : op->getResults())
      if (AffineMap map = structured.getIndexingMapMatchingResult(result); !map.isProjectedPermutation())
        return refuseMap(map);
    SmallVector<utils::IteratorType> iterators = structured.getIteratorTypesArray();
    for (auto [number, offsets, sizes] : llvm::zip_equal(operandNumbers, allOffsets, allSizes)) {
      OpOperand &operand = op->getOpOperand(number);
      AffineMap map = structured.getMatchingIndexingMap(&operand);
      if (!map.isProjectedPermutation())
        return refuseMap(map);
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (iterators[cast<AffineDimExpr>(expr).getPosition()] != utils::IteratorType::parallel &&
            !coversDim(offsets[dim], sizes[dim], operand.get(), dim))
          return FusableRefusal{FusableReason::ReductionCut, ("the tile has " + llvm::Twine(describeIndex(sizes[dim])) +
                                                              " elements of the reduced dimension " + llvm::Twine(dim) +
                                                              " of operand " + llvm::Twine(number))
                                                                 .str()};
    }
    return std::nullopt;
  }
};

/// tensor.pad: what a tile has of the padding is cut out of it, which only works for a constant.
/// Where a tile may lie in the padding altogether, upstream guards the source's slice by scf.if.
struct PadModel : TilableModelBase<PadModel> {
  Refusal explainResultTile(Operation *op, unsigned, ArrayRef<OpFoldResult>, ArrayRef<OpFoldResult>) const {
    auto pad = cast<tensor::PadOp>(op);
    if (!pad.getConstantPaddingValue())
      return FusableRefusal{FusableReason::PaddingNotConstant};
    if (llvm::is_contained(pad.getSourceType().getShape(), 0)) // MLIR has no slices of nothing
      return FusableRefusal{FusableReason::EmptyTile};
    return std::nullopt;
  }
  Refusal explainOperandTiles(Operation *, ArrayRef<unsigned>, ArrayRef<SmallVector<OpFoldResult>>,
                              ArrayRef<SmallVector<OpFoldResult>>) const {
    return FusableRefusal{FusableReason::TileRefused, "no tile of the source has the padding around it"};
  }
};

/// Runs when any dialect is loaded, after the extensions that add models of TilingInterface.
struct TilableExtension : DialectExtensionBase {
  TilableExtension() : DialectExtensionBase(/*dialectNames=*/{}) {}

  void apply(MLIRContext *context, MutableArrayRef<Dialect *> dialects) const override {
    // All ops: getRegisteredOperationsByDialect finds none while dialects are loaded in any order.
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (llvm::is_contained(dialects, &name.getDialect()) && name.hasInterface<TilingInterface>() &&
          !name.hasInterface<FusableOpInterface>())
        attach(name);
  }
  std::unique_ptr<DialectExtensionBase> clone() const override { return std::make_unique<TilableExtension>(*this); }

private:
  static void attach(RegisteredOperationName name) {
    if (name.getStringRef() == tensor::PadOp::getOperationName())
      name.attachInterface<PadModel>();
    else
      name.attachInterface<TilableModel>();
  }
};

} // namespace

void registerTilableModels(DialectRegistry &registry) {
  registry.addExtension(TypeID::get<TilableExtension>(), std::make_unique<TilableExtension>());
}

} // namespace fuselage
