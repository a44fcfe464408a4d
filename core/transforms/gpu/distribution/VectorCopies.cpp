#include "core/transforms/gpu/distribution/VectorCopies.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t vectorBytes = 16;
constexpr int64_t mostRounds = 16; ///< side by side

/// Whether the op hands on the elements of its only input as they are, to the same place.
bool isCopy(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0)
    return false;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  return yielded == op.getMatchingBlockArgument(op.getDpsInputOperand(0)) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
}

/// Elements in 16 bytes of buffers that rows of such can be moved between; 0 for others.
int64_t widthOf(linalg::LinalgOp op) {
  auto from = dyn_cast<MemRefType>(op.getDpsInputs().front().getType()), to = dyn_cast<MemRefType>(op.getDpsInits().front().getType());
  if (!from || !to || from.getElementType() != to.getElementType() || !from.hasStaticShape() || from.getRank() == 0 ||
      !from.getElementType().isIntOrFloat())
    return 0;
  int64_t bits = from.getElementTypeBitWidth();
  if (bits < 8 || bits > 64 || !llvm::isPowerOf2_64(bits))
    return 0;
  int64_t width = vectorBytes * 8 / bits;
  bool isWhole = from.getShape().back() % width == 0 && startsAtMultiples(op.getDpsInputs().front(), width) &&
                 startsAtMultiples(op.getDpsInits().front(), width);
  return isWhole ? width : 0;
}

void moveVector(RewriterBase &rewriter, linalg::LinalgOp op, Value number, ArrayRef<Value> extents, int64_t width) {
  Location loc = op.getLoc();
  Value from = op.getDpsInputs().front(), to = op.getDpsInits().front();
  SmallVector<Value> indices = delinearize(rewriter, loc, number, extents);
  indices.back() = arith::MulIOp::create(rewriter, loc, indices.back(), arith::ConstantIndexOp::create(rewriter, loc, width));
  auto type = VectorType::get(width, cast<MemRefType>(from.getType()).getElementType());
  Value vector = vector::LoadOp::create(rewriter, loc, type, from, indices, /*nontemporal=*/false, llvm::MaybeAlign(vectorBytes));
  vector::StoreOp::create(rewriter, loc, vector, to, indices, /*nontemporal=*/false, llvm::MaybeAlign(vectorBytes));
}

} // namespace

bool distributeCopy(RewriterBase &rewriter, linalg::LinalgOp op, Value thread, int64_t threads) {
  int64_t width = isCopy(op) ? widthOf(op) : 0;
  if (width == 0)
    return false;
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  SmallVector<int64_t> shape(cast<MemRefType>(op.getDpsInits().front().getType()).getShape());
  shape.back() /= width;
  int64_t total = 1;
  SmallVector<Value> extents;
  for (int64_t size : shape) {
    total *= size;
    extents.push_back(constant(size));
  }
  OpBuilder::InsertionGuard guard(rewriter);
  if (total % threads == 0 && total / threads <= mostRounds) {
    for (int64_t first = 0; first < total; first += threads)
      moveVector(rewriter, op, rewriter.createOrFold<arith::AddIOp>(loc, thread, constant(first)), extents, width);
    return true;
  }
  auto loop = scf::ForOp::create(rewriter, loc, thread, constant(total), constant(threads));
  rewriter.setInsertionPointToStart(loop.getBody());
  moveVector(rewriter, op, loop.getInductionVar(), extents, width);
  return true;
}

bool isNarrow(linalg::LinalgOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInits().front().getType());
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() < 32;
}

} // namespace fuselage
