// Loops over elements that carry tensors: what has no structured op.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {

/// The sizes of a tensor as values.
llvm::SmallVector<mlir::Value> sizeValues(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

using NestBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Location,
                                                                   mlir::ValueRange loops, mlir::ValueRange carried)>;
/// A nest of loops from 0 to `sizes`, outermost first, that hands tensors from point to point. Returns the last.
llvm::SmallVector<mlir::Value> scalarNest(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange sizes,
                                          mlir::ValueRange carried, NestBody body);

mlir::Value indexConstant(mlir::OpBuilder &builder, mlir::Location loc, int64_t number);
/// An integer of any width as an index.
mlir::Value asIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number);

/// Element-wise select of two lists of scalars.
llvm::SmallVector<mlir::Value> selectAll(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
                                         mlir::ValueRange ifTrue, mlir::ValueRange ifFalse);

} // namespace fuselage
