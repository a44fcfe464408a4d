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

/// On an op: it is summed up by threads that read their inputs from global memory, also where it has the form of a
/// contraction (see SumFactors.h). The number of the input that most is read from, an i64.
inline constexpr llvm::StringLiteral kThreadSumAttr = "fuselage.thread_sum";

/// The dims of a contraction with something to reuse: a row or a column loop, and a depth. Several
/// contractions of one input, merged into one op, count as the first of them. None for what carries kThreadSumAttr.
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

/// Iterations of `loops` together, up to 2^32 and a bit; dynamic ones count as 1.
int64_t iterationsOf(llvm::ArrayRef<unsigned> loops, llvm::ArrayRef<int64_t> ranges);

/// Gives `total` elements to the parallel loops of `order`, the first as much as it takes.
void shareOut(llvm::ArrayRef<unsigned> order, llvm::ArrayRef<int64_t> ranges, int64_t total,
              llvm::SmallVectorImpl<int64_t> &targets);

/// The loop that walks the innermost dimension of `map`, if one does alone.
std::optional<unsigned> innermostLoop(mlir::AffineMap map);

/// True if a result of `map` is the loop `dim` alone.
bool indexesWith(mlir::AffineMap map, unsigned dim);

/// The parallel loops as the first result lists them, innermost first; loops of other results after them.
llvm::SmallVector<unsigned> outputLoopsInnermostFirst(mlir::TilingInterface op);

} // namespace fuselage
