// The iteration space of an op: what kind of work it is, and the ranges of its loops.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// What shapes the tile of an op. Later ones weigh more when several ops share a kernel.
enum class WorkKind { Elementwise, Reduction, Convolution, Contraction };
WorkKind workKindOf(mlir::TilingInterface op);

/// Marks a reduction whose threads read from global memory; contractionDims() ignores it even if it is a contraction
/// (see ReductionFactors.h). The value is the operand number of the input that most elements are read from, an i64.
inline constexpr llvm::StringLiteral kThreadReductionAttr = "fuselage.thread_reduction";

/// Returns the dimensions of `op` if it is a contraction with a K loop and an M or N loop. Several contractions of one
/// input that were merged into one op have the dimensions of the first. Returns nullopt otherwise, and for an op with
/// kThreadReductionAttr.
std::optional<mlir::linalg::ContractionDimensions> contractionDims(mlir::linalg::LinalgOp op);

/// The input that a window slides over, null if there is none.
mlir::OpOperand *windowedInput(mlir::linalg::LinalgOp op);

/// Bytes of one element as buffers hold it: whole bytes, index as 8.
int64_t elementBytes(mlir::Type type);

/// True if tiles of `root` may overlap: it is a linalg op of static sizes, each of whose results has a dimension for
/// each of its loops that are parallel.
bool canOverlap(mlir::TilingInterface root);

/// Loop ranges; ShapedType::kDynamic where unknown.
llvm::SmallVector<int64_t> loopRanges(mlir::TilingInterface op);

/// The product of the ranges of `loops`; dynamic ones count as 1. Exact up to 2^32; larger products are clamped to that
/// before each multiplication, so that they do not overflow.
int64_t iterationsOf(llvm::ArrayRef<unsigned> loops, llvm::ArrayRef<int64_t> ranges);

/// Distributes a tile of `total` elements over the loops of `order`, by writing `targets`: the first loop gets `total`,
/// each other one what the ranges before it leave, at least 1. A target may exceed its range.
void shareOut(llvm::ArrayRef<unsigned> order, llvm::ArrayRef<int64_t> ranges, int64_t total,
              llvm::SmallVectorImpl<int64_t> &targets);

/// The loop that walks the innermost dimension of `map`, if one does alone.
std::optional<unsigned> innermostLoop(mlir::AffineMap map);

/// True if a result of `map` is the loop `dim` alone.
bool indexesWith(mlir::AffineMap map, unsigned dim);

/// The parallel loops as the first result lists them, innermost first; loops of other results after them.
llvm::SmallVector<unsigned> outputLoopsInnermostFirst(mlir::TilingInterface op);

} // namespace fuselage
