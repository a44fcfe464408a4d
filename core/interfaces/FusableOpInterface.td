// The half of TilingInterface that is about fusion, as an interface of its own.
#ifndef FUSELAGE_INTERFACES_FUSABLEOPINTERFACE
#define FUSELAGE_INTERFACES_FUSABLEOPINTERFACE

include "mlir/IR/OpBase.td"

def FusableOpInterface : OpInterface<"FusableOpInterface"> {
  let description = [{
    An op that can be computed tile by tile inside the loop of an op that reads it (a producer), or that
    it reads (a consumer). Nothing is asked for that a loop nest of the op's own would need: a reshape or
    a slice cannot sensibly be tiled, but a tile of its result is a tile of its source, so that
    fusion can go on after it.

    The methods are those of MLIR's TilingInterface that its documentation lists under fusion, with
    today's signatures. The *iteration domain* of an op that has no loops is the index space of its
    result. Offsets and sizes are elements, strides are 1; every tile lies inside of its tensor.

    Every op with a TilingInterface has this interface as well, by a model that forwards to it
    (core/interfaces/TilableModel.h).
  }];
  let cppNamespace = "::fuselage";
  let methods = [
    //===-- Producer fusion ---------------------------------------------------===//
    InterfaceMethod<
      /*desc=*/[{
        Computes the tile of result `resultNumber` at the builder's insertion point. `tiledValues` of
        what is returned is that tile only; `generatedSlices` are the slices of operands that it
        reads, along which fusion goes on.
      }],
      /*retType=*/"::mlir::FailureOr<::mlir::TilingResult>",
      /*methodName=*/"generateResultTileValue",
      /*args=*/(ins "::mlir::OpBuilder &":$b, "unsigned":$resultNumber,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$offsets,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$sizes),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::mlir::failure();"
    >,
    InterfaceMethod<
      /*desc=*/[{
        The tile of the iteration domain that computes a tile of result `resultNumber`.
      }],
      /*retType=*/"::llvm::LogicalResult",
      /*methodName=*/"getIterationDomainTileFromResultTile",
      /*args=*/(ins "::mlir::OpBuilder &":$b, "unsigned":$resultNumber,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$offsets,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$sizes,
                    "::mlir::SmallVectorImpl<::mlir::OpFoldResult> &":$iterDomainOffsets,
                    "::mlir::SmallVectorImpl<::mlir::OpFoldResult> &":$iterDomainSizes),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        iterDomainOffsets.assign(offsets.begin(), offsets.end());
        iterDomainSizes.assign(sizes.begin(), sizes.end());
        return ::mlir::success();
      }]
    >,
    InterfaceMethod<
      /*desc=*/[{
        Why this tile of result `resultNumber` cannot be computed alone, with evidence; nothing where it
        can, as far as that is known without trying. Creates no ops.
      }],
      /*retType=*/"::std::optional<::fuselage::FusableRefusal>",
      /*methodName=*/"explainResultTile",
      /*args=*/(ins "unsigned":$resultNumber,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$offsets,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$sizes),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;"
    >,
    //===-- Consumer fusion ---------------------------------------------------===//
    InterfaceMethod<
      /*desc=*/[{
        Computes everything that can be computed from just these tiles of the operands. Tiles that
        partition an operand must give results that partition the op's results, else the method fails:
        who asks writes each of them to where `getResultTilePosition` says, once. What is returned
        has a value for each result of the op.
      }],
      /*retType=*/"::mlir::FailureOr<::mlir::TilingResult>",
      /*methodName=*/"getTiledImplementationFromOperandTiles",
      /*args=*/(ins "::mlir::OpBuilder &":$b, "::mlir::ArrayRef<unsigned>":$operandNumbers,
                    "::mlir::ArrayRef<::mlir::SmallVector<::mlir::OpFoldResult>>":$allOffsets,
                    "::mlir::ArrayRef<::mlir::SmallVector<::mlir::OpFoldResult>>":$allSizes),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::mlir::failure();"
    >,
    InterfaceMethod<
      /*desc=*/[{
        The tile of the iteration domain that reads these tiles of the operands.
      }],
      /*retType=*/"::llvm::LogicalResult",
      /*methodName=*/"getIterationDomainTileFromOperandTiles",
      /*args=*/(ins "::mlir::OpBuilder &":$b, "::mlir::ArrayRef<unsigned>":$operandNumbers,
                    "::mlir::ArrayRef<::mlir::SmallVector<::mlir::OpFoldResult>>":$allOffsets,
                    "::mlir::ArrayRef<::mlir::SmallVector<::mlir::OpFoldResult>>":$allSizes,
                    "::mlir::SmallVectorImpl<::mlir::OpFoldResult> &":$iterDomainOffsets,
                    "::mlir::SmallVectorImpl<::mlir::OpFoldResult> &":$iterDomainSizes),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::mlir::failure();"
    >,
    InterfaceMethod<
      /*desc=*/[{
        Where a tile of the iteration domain lies in result `resultNumber`.
      }],
      /*retType=*/"::llvm::LogicalResult",
      /*methodName=*/"getResultTilePosition",
      /*args=*/(ins "::mlir::OpBuilder &":$b, "unsigned":$resultNumber,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$offsets,
                    "::mlir::ArrayRef<::mlir::OpFoldResult>":$sizes,
                    "::mlir::SmallVector<::mlir::OpFoldResult> &":$resultOffsets,
                    "::mlir::SmallVector<::mlir::OpFoldResult> &":$resultSizes),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        resultOffsets.assign(offsets.begin(), offsets.end());
        resultSizes.assign(sizes.begin(), sizes.end());
        return ::mlir::success();
      }]
    >,
    InterfaceMethod<
      /*desc=*/[{
        Why nothing can be computed from just these tiles, as `explainResultTile`.
      }],
      /*retType=*/"::std::optional<::fuselage::FusableRefusal>",
      /*methodName=*/"explainOperandTiles",
      /*args=*/(ins "::mlir::ArrayRef<unsigned>":$operandNumbers,
                    "::mlir::ArrayRef<::mlir::SmallVector<::mlir::OpFoldResult>>":$allOffsets,
                    "::mlir::ArrayRef<::mlir::SmallVector<::mlir::OpFoldResult>>":$allSizes),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::std::nullopt;"
    >,
  ];
}

#endif // FUSELAGE_INTERFACES_FUSABLEOPINTERFACE
