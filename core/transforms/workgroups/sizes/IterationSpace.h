// The iteration space of an op: what kind of work it is, and the ranges of its loops.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace fuselage {

/// The kind of an op, which decides how it is tiled. The last of these kinds among the ops of a kernel shapes the
/// kernel.
enum class WorkKind { Elementwise, Reduction, Convolution, Contraction };
WorkKind workKindOf(mlir::TilingInterface op);

/// Marks a reduction that was split among threads, which read it from global memory (see ApplySplit.h);
/// contractionDims() ignores it even if it is a contraction. The value is the operand number of its main input, an i64.
inline constexpr llvm::StringLiteral kThreadReductionAttr = "fuselage.thread_reduction";

/// Returns the dimensions of `op` if it is a contraction with a K loop and an M or N loop. Several contractions of one
/// input that were merged into one op have the dimensions of the first. Returns nullopt otherwise, and for an op with
/// kThreadReductionAttr.
std::optional<mlir::linalg::ContractionDimensions> contractionDims(mlir::linalg::LinalgOp op);

/// Returns the input that a window slides over; null if there is none.
mlir::OpOperand *windowedInput(mlir::linalg::LinalgOp op);

/// Bytes of one element in a buffer: at least 1; 8 for index and types without a size.
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

/// Returns the loop that is the innermost result of `map`; nullopt if that is not a single loop.
std::optional<unsigned> innermostLoop(mlir::AffineMap map);

/// True if some result of `map` is the loop `dim` itself.
bool indexesWith(mlir::AffineMap map, unsigned dim);

/// Returns the parallel loops in the order of the first result's dimensions, innermost first; other ones after them.
llvm::SmallVector<unsigned> outputLoopsInnermostFirst(mlir::TilingInterface op);

} // namespace fuselage
