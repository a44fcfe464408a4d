// What a reduction reads, and how large it is.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// Returns true if `op` can be split (see canSplitReduction), has a single result, static shapes and projected
/// permutations as indexing maps, and has at most `mostResults` results of at least `leastIterations` iterations each.
bool isLongReduction(mlir::linalg::LinalgOp op, int64_t mostResults, int64_t leastIterations);

/// Returns true if `op` is a contraction of two inputs whose M or N is at most 8, such as a matrix-vector product. Its
/// matrix is read once, so that threads read it from global memory as they read the input of a reduction.
bool isSkinnyContraction(mlir::linalg::LinalgOp op);

/// Returns the input that most elements are read from: the one that kThreadReductionAttr names, else the largest of
/// those that depend on a reduction loop. Null if there is none.
mlir::OpOperand *mainInput(mlir::linalg::LinalgOp reduction);

/// Returns how many contiguous elements of the main input a thread can read at once: those of 16 bytes, or half as many
/// and so on until their number divides `row`, the length of the contiguous rows; at least 1.
int64_t elementsPerRead(mlir::linalg::LinalgOp reduction, int64_t row);

/// Returns the dimensions of the result whose loops the main input does not depend on: the few rows or columns of a
/// skinny contraction, each of which reads all of its matrix.
llvm::SmallVector<unsigned> repeatedDims(mlir::linalg::LinalgOp reduction);

} // namespace fuselage
