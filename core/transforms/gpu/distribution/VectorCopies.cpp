#include "core/transforms/gpu/distribution/VectorCopies.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

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

/// The mask of a copy: a dimension, and the first index along it that is copied; before it are zeros.
struct Mask {
  unsigned dim;
  Value first;
};

/// Returns the mask of an op that copies its only input, with zeros before some index (see UnevenSteps.h).
std::optional<Mask> maskOf(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return std::nullopt;
  auto choice = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  auto isNew = choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto index = isNew ? isNew.getLhs().getDefiningOp<linalg::IndexOp>() : linalg::IndexOp();
  if (!index || isNew.getPredicate() != arith::CmpIPredicate::uge || isNew.getRhs().getParentBlock() == op.getBlock() ||
      choice.getTrueValue() != op.getMatchingBlockArgument(op.getDpsInputOperand(0)) ||
      !(matchPattern(choice.getFalseValue(), m_Zero()) || matchPattern(choice.getFalseValue(), m_PosZeroFloat())))
    return std::nullopt;
  return Mask{unsigned(index.getDim()), isNew.getRhs()};
}

/// Elements in 16 bytes of buffers that rows of such can be moved between; 0 for others.
int64_t widthOf(linalg::LinalgOp op) {
  auto from = dyn_cast<MemRefType>(op.getDpsInputs().front().getType()),
       to = dyn_cast<MemRefType>(op.getDpsInits().front().getType());
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

/// Whether ldmatrix reads the buffer, or a product that is still to be written may: its rows lie 16 bytes apart from
/// where they would end, then.
bool isReadByMatrices(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return isa<nvgpu::LdMatrixOp>(user) || (op && op.getNumReductionLoops() != 0) ||
           (isa<ViewLikeOpInterface>(user) && isReadByMatrices(user->getResult(0)));
  });
}

/// The number of a vector of a tile, by that of the thread that moves it. Rows that are not whole eights of vectors, 16
/// bytes apart, share banks with the next one where eight threads write those side by side; eight rows at the same
/// column share none. A warp reads as many sectors of global memory either way.
Value numberOf(RewriterBase &rewriter, linalg::LinalgOp op, Value thread, ArrayRef<int64_t> shape) {
  constexpr int64_t together = 8;
  int64_t across = shape.back(), rows = 1;
  for (int64_t size : shape.drop_back())
    rows *= size;
  if (across % together == 0 || rows % together != 0 || !isNarrow(op) || !isReadByMatrices(op.getDpsInits().front()))
    return thread;
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  SmallVector<Value> parts =
      delinearize(rewriter, loc, thread, {constant(rows / together), constant(across), constant(together)});
  Value row = arith::AddIOp::create(rewriter, loc, arith::MulIOp::create(rewriter, loc, parts[0], constant(together)),
                                    parts[2]);
  return arith::AddIOp::create(rewriter, loc, arith::MulIOp::create(rewriter, loc, row, constant(across)), parts[1]);
}

void moveVector(RewriterBase &rewriter, linalg::LinalgOp op, Value number, ArrayRef<Value> extents, int64_t width,
                const std::optional<Mask> &mask) {
  Location loc = op.getLoc();
  Value from = op.getDpsInputs().front(), to = op.getDpsInits().front();
  SmallVector<Value> indices = delinearize(rewriter, loc, number, extents);
  indices.back() =
      arith::MulIOp::create(rewriter, loc, indices.back(), arith::ConstantIndexOp::create(rewriter, loc, width));
  auto type = VectorType::get(width, cast<MemRefType>(from.getType()).getElementType());
  Value vector =
      vector::LoadOp::create(rewriter, loc, type, from, indices, /*nontemporal=*/false, llvm::MaybeAlign(vectorBytes));
  if (mask) {
    Value isNew = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::uge, indices[mask->dim], mask->first);
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    vector = arith::SelectOp::create(rewriter, loc, isNew, vector, zero);
  }
  vector::StoreOp::create(rewriter, loc, vector, to, indices, /*nontemporal=*/false, llvm::MaybeAlign(vectorBytes));
}

} // namespace

bool distributeCopy(RewriterBase &rewriter, linalg::LinalgOp op, Value thread, int64_t threads) {
  std::optional<Mask> mask = maskOf(op);
  int64_t width = isCopy(op) || mask ? widthOf(op) : 0;
  if (width == 0 || (mask && mask->dim + 1 == op.getNumLoops() && !isMultipleOf(mask->first, width)))
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
  if (int64_t(llvm::divideCeil(total, threads)) <= mostRounds && total >= threads) {
    for (int64_t first = 0; first < total; first += threads) {
      Value number = rewriter.createOrFold<arith::AddIOp>(loc, thread, constant(first));
      OpBuilder::InsertionGuard inRound(rewriter);
      if (first + threads > total) {
        Value isThere = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, number, constant(total));
        rewriter.setInsertionPoint(scf::IfOp::create(rewriter, loc, isThere).thenBlock()->getTerminator());
      }
      moveVector(rewriter, op, numberOf(rewriter, op, number, shape), extents, width, mask);
    }
    return true;
  }
  auto loop = scf::ForOp::create(rewriter, loc, thread, constant(total), constant(threads));
  rewriter.setInsertionPointToStart(loop.getBody());
  moveVector(rewriter, op, numberOf(rewriter, op, loop.getInductionVar(), shape), extents, width, mask);
  return true;
}

bool isMaskedCopy(linalg::LinalgOp op) { return maskOf(op).has_value(); }

bool isNarrow(linalg::LinalgOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInits().front().getType());
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() < 32;
}

} // namespace fuselage
