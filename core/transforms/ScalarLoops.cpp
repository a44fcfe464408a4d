#include "core/transforms/ScalarLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The extents of all loops; a dynamic one reads memref.dim.
SmallVector<Value> loopExtents(OpBuilder &builder, linalg::LinalgOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> extents;
  for (const Range &range : op.createLoopRanges(builder, loc))
    extents.push_back(getValueOrCreateConstantIndexOp(builder, loc, range.size));
  return extents;
}

/// The op with the indices of its loops while it is being emitted.
class PointEmitter {
public:
  PointEmitter(linalg::LinalgOp op, ValueRange parallelIvs) : op(op), ivs(op.getNumLoops()) {
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    for (auto [dim, iv] : llvm::zip_equal(parallel, parallelIvs))
      ivs[dim] = iv;
    op.getReductionDims(reductions);
  }

  void emit(OpBuilder &builder) {
    if (reductions.empty())
      return storeResults(builder, emitBody(builder, loadInits(builder)));
    // An output that follows a reduction loop has no single element to carry.
    bool carry = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      return llvm::none_of(reductions, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
    });
    SmallVector<Value> extents = loopExtents(builder, op);
    SmallVector<Value> carried = carry ? loadInits(builder) : SmallVector<Value>();
    SmallVector<Value> results = emitReduction(builder, 0, extents, carried);
    if (carry)
      storeResults(builder, results);
  }

private:
  /// The loop nest from reduction loop `depth` inwards; returns what the innermost carries out.
  SmallVector<Value> emitReduction(OpBuilder &builder, size_t depth, ArrayRef<Value> extents,
                                   ValueRange carried) {
    Location loc = op.getLoc();
    if (depth == reductions.size()) {
      if (!carried.empty())
        return emitBody(builder, llvm::to_vector(carried));
      storeResults(builder, emitBody(builder, loadInits(builder)));
      return {};
    }
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    unsigned dim = reductions[depth];
    auto loop = scf::ForOp::create(
        builder, loc, zero, extents[dim], one, carried,
        [&](OpBuilder &nested, Location, Value iv, ValueRange iterArgs) {
          ivs[dim] = iv;
          scf::YieldOp::create(nested, loc, emitReduction(nested, depth + 1, extents, iterArgs));
        });
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  SmallVector<Value> indicesOf(OpBuilder &builder, OpOperand &operand) {
    auto indices =
        affine::expandAffineMap(builder, op.getLoc(), op.getMatchingIndexingMap(&operand), ivs);
    return SmallVector<Value>(indices->begin(), indices->end());
  }

  Value load(OpBuilder &builder, OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    return memref::LoadOp::create(builder, op.getLoc(), operand.get(), indicesOf(builder, operand));
  }

  SmallVector<Value> loadInits(OpBuilder &builder) {
    SmallVector<Value> values;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      bool isRead = !reductions.empty() || op.payloadUsesValueFromOperand(&init);
      values.push_back(isRead ? load(builder, init) : Value());
    }
    return values;
  }

  /// Clones the body for the current indices; `inits` are the values of the output arguments.
  SmallVector<Value> emitBody(OpBuilder &builder, ArrayRef<Value> inits) {
    Block *body = op.getBlock();
    IRMapping mapping;
    unsigned inputs = op.getNumDpsInputs();
    for (BlockArgument argument : body->getArguments()) {
      if (argument.use_empty())
        continue;
      unsigned position = argument.getArgNumber();
      mapping.map(argument, position < inputs ? load(builder, *op.getDpsInputOperand(position))
                                              : inits[position - inputs]);
    }
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), ivs[index.getDim()]);
      else
        remapNested(builder.clone(inner, mapping));
    }
    SmallVector<Value> results;
    for (Value yielded : body->getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(yielded));
    return results;
  }

  /// linalg.index ops below an scf.if and the like.
  void remapNested(Operation *cloned) {
    cloned->walk([&](linalg::IndexOp index) {
      index.getResult().replaceAllUsesWith(ivs[index.getDim()]);
      index.erase();
    });
  }

  void storeResults(OpBuilder &builder, ArrayRef<Value> results) {
    for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), results))
      memref::StoreOp::create(builder, op.getLoc(), value, init.get(), indicesOf(builder, init));
  }

  linalg::LinalgOp op;
  SmallVector<Value> ivs;
  SmallVector<unsigned> reductions;
};

/// Serial loops in place of a parallel loop's header; `body` takes the ivs' place.
void serializeLoop(RewriterBase &rewriter, Operation *loop, ValueRange lower, ValueRange upper,
                   ValueRange step, Block *body) {
  rewriter.setInsertionPoint(loop);
  Block *innermost = nullptr;
  SmallVector<Value> ivs;
  for (auto [lo, hi, by] : llvm::zip_equal(lower, upper, step)) {
    auto serial = scf::ForOp::create(rewriter, loop->getLoc(), lo, hi, by);
    ivs.push_back(serial.getInductionVar());
    innermost = serial.getBody();
    rewriter.setInsertionPointToStart(innermost);
  }
  rewriter.eraseOp(body->getTerminator());
  rewriter.inlineBlockBefore(body, innermost->getTerminator(), ivs);
  rewriter.eraseOp(loop);
}

LogicalResult serializeParallel(RewriterBase &rewriter, scf::ParallelOp loop) {
  if (loop.getNumResults() != 0)
    return loop.emitOpError("with a reduction cannot run in a kernel; lower it to scf.for first");
  serializeLoop(rewriter, loop, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                loop.getBody());
  return success();
}

LogicalResult serializeForall(RewriterBase &rewriter, scf::ForallOp loop) {
  if (loop.getNumResults() != 0)
    return loop.emitOpError("still works on tensors; bufferize it before mapping it to a GPU");
  rewriter.setInsertionPoint(loop);
  auto lower = loop.getLowerBound(rewriter), upper = loop.getUpperBound(rewriter),
       step = loop.getStep(rewriter);
  if (lower.empty())
    return loop.emitOpError("has no loops");
  serializeLoop(rewriter, loop, lower, upper, step, loop.getBody());
  return success();
}

} // namespace

SmallVector<Value> parallelExtents(OpBuilder &builder, linalg::LinalgOp op) {
  SmallVector<Value> extents = loopExtents(builder, op), parallel;
  SmallVector<unsigned> dims;
  op.getParallelDims(dims);
  for (unsigned dim : dims)
    parallel.push_back(extents[dim]);
  return parallel;
}

void emitPoint(OpBuilder &builder, linalg::LinalgOp op, ValueRange parallelIvs) {
  PointEmitter(op, parallelIvs).emit(builder);
}

void lowerToSerialLoops(RewriterBase &rewriter, linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  SmallVector<Value> ivs;
  for (Value extent : parallelExtents(rewriter, op)) {
    auto loop = scf::ForOp::create(rewriter, loc, zero, extent, one);
    ivs.push_back(loop.getInductionVar());
    rewriter.setInsertionPointToStart(loop.getBody());
  }
  emitPoint(rewriter, op, ivs);
  rewriter.eraseOp(op);
}

LogicalResult lowerNestToSerialLoops(RewriterBase &rewriter, Operation *root) {
  copiesToLinalg(rewriter, root);
  SmallVector<Operation *> nested;
  root->walk([&](Operation *op) {
    if (isa<linalg::LinalgOp, scf::ParallelOp, scf::ForallOp>(op))
      nested.push_back(op);
  });
  for (Operation *op : nested) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      if (!structured.hasPureBufferSemantics())
        return op->emitOpError("still works on tensors; bufferize it before mapping it to a GPU");
      lowerToSerialLoops(rewriter, structured);
    } else if (auto parallel = dyn_cast<scf::ParallelOp>(op)) {
      if (failed(serializeParallel(rewriter, parallel)))
        return failure();
    } else if (failed(serializeForall(rewriter, cast<scf::ForallOp>(op)))) {
      return failure();
    }
  }
  return success();
}

SmallVector<Value> delinearize(OpBuilder &builder, Location loc, Value linear, ValueRange extents) {
  SmallVector<Value> indices(extents.size());
  for (size_t dim = extents.size(); dim-- > 0;) {
    if (dim == 0) {
      indices[dim] = linear;
      break;
    }
    indices[dim] = builder.createOrFold<arith::RemUIOp>(loc, linear, extents[dim]);
    linear = builder.createOrFold<arith::DivUIOp>(loc, linear, extents[dim]);
  }
  return indices;
}

void copiesToLinalg(RewriterBase &rewriter, Operation *root) {
  SmallVector<memref::CopyOp> copies;
  root->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    if (!isa<MemRefType>(copy.getSource().getType()) || !isa<MemRefType>(copy.getTarget().getType()))
      continue;
    rewriter.setInsertionPoint(copy);
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(), copy.getTarget());
  }
}

} // namespace fuselage
