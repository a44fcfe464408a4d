// FusableOpInterface for an op that has a TilingInterface: it forwards.
#pragma once
#include "core/interfaces/FusableOpInterface.h"

namespace fuselage {

/// Works on any op with a TilingInterface, whatever its class; `Derived` may say more of why a tile
/// is refused.
template <typename Derived> struct TilableModelBase : FusableOpInterface::FallbackModel<Derived> {
  using Indices = llvm::ArrayRef<mlir::OpFoldResult>;
  using OperandIndices = llvm::ArrayRef<llvm::SmallVector<mlir::OpFoldResult>>;

  mlir::FailureOr<mlir::TilingResult> generateResultTileValue(mlir::Operation *op, mlir::OpBuilder &b,
                                                              unsigned resultNumber, Indices offsets,
                                                              Indices sizes) const {
    return tilable(op).generateResultTileValue(b, resultNumber, offsets, sizes);
  }
  llvm::LogicalResult
  getIterationDomainTileFromResultTile(mlir::Operation *op, mlir::OpBuilder &b, unsigned resultNumber, Indices offsets,
                                       Indices sizes, llvm::SmallVectorImpl<mlir::OpFoldResult> &iterDomainOffsets,
                                       llvm::SmallVectorImpl<mlir::OpFoldResult> &iterDomainSizes) const {
    return tilable(op).getIterationDomainTileFromResultTile(b, resultNumber, offsets, sizes, iterDomainOffsets,
                                                            iterDomainSizes);
  }
  mlir::FailureOr<mlir::TilingResult> getTiledImplementationFromOperandTiles(mlir::Operation *op, mlir::OpBuilder &b,
                                                                             llvm::ArrayRef<unsigned> operandNumbers,
                                                                             OperandIndices allOffsets,
                                                                             OperandIndices allSizes) const {
    return tilable(op).getTiledImplementationFromOperandTiles(b, operandNumbers, allOffsets, allSizes);
  }
  llvm::LogicalResult getIterationDomainTileFromOperandTiles(
      mlir::Operation *op, mlir::OpBuilder &b, llvm::ArrayRef<unsigned> operandNumbers, OperandIndices allOffsets,
      OperandIndices allSizes, llvm::SmallVectorImpl<mlir::OpFoldResult> &iterDomainOffsets,
      llvm::SmallVectorImpl<mlir::OpFoldResult> &iterDomainSizes) const {
    return tilable(op).getIterationDomainTileFromOperandTiles(b, operandNumbers, allOffsets, allSizes,
                                                              iterDomainOffsets, iterDomainSizes);
  }
  llvm::LogicalResult getResultTilePosition(mlir::Operation *op, mlir::OpBuilder &b, unsigned resultNumber,
                                            Indices offsets, Indices sizes,
                                            llvm::SmallVector<mlir::OpFoldResult> &resultOffsets,
                                            llvm::SmallVector<mlir::OpFoldResult> &resultSizes) const {
    return tilable(op).getResultTilePosition(b, resultNumber, offsets, sizes, resultOffsets, resultSizes);
  }

private:
  static mlir::TilingInterface tilable(mlir::Operation *op) { return llvm::cast<mlir::TilingInterface>(op); }
};

} // namespace fuselage
