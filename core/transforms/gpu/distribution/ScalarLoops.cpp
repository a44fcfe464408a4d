#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include <algorithm>
#include <map>

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

/// The op at some points of its parallel iteration space, while it is being emitted.
class PointEmitter {
public:
  PointEmitter(linalg::LinalgOp op, ArrayRef<SmallVector<Value>> points, const LaneSharing &sharing = {},
               KnownInput known = nullptr)
      : op(op), sharing(sharing), known(known) {
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    op.getReductionDims(reductions);
    // Vectors go along the innermost loop that is one.
    if (sharing.lane)
      std::stable_partition(reductions.begin(), reductions.end(),
                            [ranges = op.getStaticLoopRanges()](unsigned dim) { return ranges[dim] == 1; });
    for (const SmallVector<Value> &point : points) {
      SmallVector<Value> &indices = ivs.emplace_back(op.getNumLoops());
      for (auto [dim, iv] : llvm::zip_equal(parallel, point))
        indices[dim] = iv;
    }
  }

  void emit(OpBuilder &builder) {
    if (reductions.empty())
      return store(builder, emitBodies(builder, loadInits(builder)));
    bool carry = carriesOutputs(op);
    SmallVector<Value> extents = loopExtents(builder, op);
    SmallVector<Value> carried = carry ? loadInits(builder) : SmallVector<Value>();
    SmallVector<Value> results = emitReduction(builder, 0, extents, carried);
    if (carry)
      store(builder, results);
  }

  /// The results from given initial values, in registers from beginning to end.
  SmallVector<Value> emitInRegisters(OpBuilder &builder, ValueRange initial) {
    if (reductions.empty())
      return emitBodies(builder, llvm::to_vector(initial));
    return emitReduction(builder, 0, loopExtents(builder, op), initial);
  }

  /// All outputs' elements, point by point.
  SmallVector<Value> loadInits(OpBuilder &builder) {
    SmallVector<Value> values;
    for (size_t point = 0; point < ivs.size(); ++point)
      for (OpOperand &init : op.getDpsInitsMutable()) {
        bool isRead = !reductions.empty() || op.payloadUsesValueFromOperand(&init);
        values.push_back(isRead ? load(builder, init, point) : Value());
      }
    return values;
  }

  void store(OpBuilder &builder, ArrayRef<Value> values) {
    size_t next = 0;
    for (size_t point = 0; point < ivs.size(); ++point)
      for (OpOperand &init : op.getDpsInitsMutable())
        memref::StoreOp::create(builder, op.getLoc(), values[next++], init.get(), indicesOf(builder, init, point));
  }

private:
  /// The loop nest from reduction loop `depth` inwards; returns what the innermost carries out.
  SmallVector<Value> emitReduction(OpBuilder &builder, size_t depth, ArrayRef<Value> extents, ValueRange carried) {
    Location loc = op.getLoc();
    if (depth == reductions.size()) {
      if (!carried.empty())
        return emitBodies(builder, llvm::to_vector(carried));
      store(builder, emitBodies(builder, loadInits(builder)));
      return {};
    }
    unsigned dim = reductions[depth];
    int64_t unrolled = depth + 1 == reductions.size() && !carried.empty() ? stepsAtOnce(extents[dim]) : 1;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value step = arith::ConstantIndexOp::create(builder, loc, unrolled);
    auto loop = scf::ForOp::create(builder, loc, zero, extents[dim], step, carried,
                                   [&](OpBuilder &nested, Location, Value iv, ValueRange iterArgs) {
                                     SmallVector<Value> values(iterArgs);
                                     if (sharing.lane && depth + 1 == reductions.size() && !carried.empty()) {
                                       emitChains(nested, dim, iv, unrolled, values);
                                       scf::YieldOp::create(nested, loc, values);
                                       return;
                                     }
                                     if (sharing.stepsInFours && unrolled > 1) {
                                       emitByColumns(nested, dim, iv, unrolled, values);
                                       scf::YieldOp::create(nested, loc, values);
                                       return;
                                     }
                                     for (int64_t offset = 0; offset < unrolled; ++offset) {
                                       Value index = iv;
                                       if (offset != 0)
                                         index = arith::AddIOp::create(
                                             nested, loc, iv, arith::ConstantIndexOp::create(nested, loc, offset));
                                       for (SmallVector<Value> &indices : ivs)
                                         indices[dim] = index;
                                       values = emitReduction(nested, depth + 1, extents, values);
                                     }
                                     scf::YieldOp::create(nested, loc, values);
                                   });
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  /// Columns of results that read the same vectors: one where an input is read along the reduction loop `dim` and the
  /// columns, else four.
  size_t columnsTogether(unsigned dim, size_t columns) {
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    bool isAlong = parallel.empty() || llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
                     AffineMap map = op.getMatchingIndexingMap(input);
                     return map.getNumResults() != 0 && map.isFunctionOfDim(parallel.back()) &&
                            map.getResults().back().isFunctionOfDim(dim);
                   });
    return isAlong || columns % 4 != 0 ? 1 : 4;
  }

  /// Some iterations of the innermost reduction loop for a few columns of results after the other, so that what they
  /// read is in registers only for that long; what the rows read stays. Assemblers keep to such an order, and find no
  /// registers for others.
  void emitByColumns(OpBuilder &builder, unsigned dim, Value iv, int64_t count, SmallVectorImpl<Value> &values) {
    SmallVector<Value> steps{iv};
    for (int64_t offset = 1; offset < count; ++offset)
      steps.push_back(arith::AddIOp::create(builder, op.getLoc(), iv,
                                            arith::ConstantIndexOp::create(builder, op.getLoc(), offset)));
    size_t outputs = op.getNumDpsInits(), columns = sharing.sizes.empty() ? 1 : sharing.sizes.back();
    size_t rows = ivs.size() / columns, together = columnsTogether(dim, columns);
    auto emitBlock = [&](size_t firstRow, size_t lastRow, size_t firstColumn, Value at) {
      for (size_t row = firstRow; row < lastRow; ++row)
        for (size_t point = row * columns + firstColumn; point < row * columns + firstColumn + together; ++point) {
          ivs[point][dim] = at;
          SmallVector<Value> before(ArrayRef<Value>(values).slice(point * outputs, outputs));
          llvm::copy(emitBody(builder, point, before), values.begin() + point * outputs);
        }
    };
    if (together == 1) {
      for (size_t column = 0; column < columns; ++column)
        for (Value at : steps)
          emitBlock(0, rows, column, at);
      return;
    }
    // To and fro: what was used last is used first.
    size_t blocks = columns / together;
    for (auto [number, at] : llvm::enumerate(steps))
      for (size_t block = 0; block < blocks; ++block)
        emitBlock(0, rows, (number % 2 == 0 ? block : blocks - 1 - block) * together, at);
  }

  /// Some iterations of the innermost reduction loop for one result after the other, so that a result that lives in
  /// memory is fetched and put back once for all of them.
  void emitChains(OpBuilder &builder, unsigned dim, Value iv, int64_t count, SmallVectorImpl<Value> &values) {
    SmallVector<Value> steps{iv};
    for (int64_t offset = 1; offset < count; ++offset)
      steps.push_back(arith::AddIOp::create(builder, op.getLoc(), iv,
                                            arith::ConstantIndexOp::create(builder, op.getLoc(), offset)));
    shared.clear();
    for (unsigned input : sharing.inputs)
      exchange(builder, op->getOpOperand(input), dim, steps);
    size_t outputs = op.getNumDpsInits();
    for (size_t point = 0; point < ivs.size(); ++point)
      for (size_t at = 0; at < steps.size(); ++at) {
        step = at;
        ivs[point][dim] = steps[at];
        SmallVector<Value> before(ArrayRef<Value>(values).slice(point * outputs, outputs));
        llvm::copy(emitBody(builder, point, before), values.begin() + point * outputs);
      }
  }

  /// Reads what all lanes need of `operand` in these steps, a share each, and hands it to all.
  void exchange(OpBuilder &builder, OpOperand &operand, unsigned dim, ArrayRef<Value> steps) {
    Location loc = op.getLoc();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    // The points along the loops that the operand depends on: rows.
    SmallVector<unsigned> loops;
    SmallVector<int64_t> extents;
    int64_t rows = 1;
    for (auto [loop, size] : llvm::zip_equal(parallel, sharing.sizes))
      if (size > 1 && map.isFunctionOfDim(loop)) {
        loops.push_back(loop);
        extents.push_back(size);
        rows *= size;
      }
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    SmallVector<SmallVector<Value>> read; // by group of rows and step
    for (int64_t first = 0; first < rows; first += sharing.lanes) {
      Value row = sharing.lane;
      if (first != 0)
        row = arith::AddIOp::create(builder, loc, row, constant(first));
      if (first + sharing.lanes > rows)
        row = arith::MinUIOp::create(builder, loc, row, constant(rows - 1));
      SmallVector<Value> sizes, indices(ivs.front());
      for (int64_t extent : extents)
        sizes.push_back(constant(extent));
      for (auto [loop, offset] : llvm::zip_equal(loops, delinearize(builder, loc, row, sizes)))
        indices[loop] = arith::AddIOp::create(builder, loc, indices[loop], offset);
      SmallVector<Value> &elements = read.emplace_back();
      for (Value at : steps) {
        indices[dim] = at;
        elements.push_back(
            memref::LoadOp::create(builder, loc, operand.get(), *affine::expandAffineMap(builder, loc, map, indices)));
      }
    }
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
    };
    SmallVector<SmallVector<Value>> known(rows, SmallVector<Value>(steps.size()));
    SmallVector<SmallVector<Value>> &byPoint = shared[operand.getOperandNumber()];
    for (size_t point = 0; point < ivs.size(); ++point) {
      int64_t row = rowOf(point, map, parallel);
      SmallVector<Value> &elements = known[row];
      for (size_t at = 0; at < steps.size(); ++at)
        if (!elements[at])
          elements[at] =
              gpu::ShuffleOp::create(builder, loc, read[row / sharing.lanes][at], number(row % sharing.lanes),
                                     number(sharing.lanes), gpu::ShuffleMode::IDX)
                  .getShuffleResult();
      byPoint.push_back(elements);
    }
  }

  /// Which of the rows of an operand with `map` a point is in.
  int64_t rowOf(size_t point, AffineMap map, ArrayRef<unsigned> parallel) const {
    int64_t row = 0, scale = 1, rest = point;
    for (size_t at = parallel.size(); at-- > 0;) {
      int64_t size = sharing.sizes[at], offset = rest % size;
      rest /= size;
      if (size > 1 && map.isFunctionOfDim(parallel[at])) {
        row += offset * scale;
        scale *= size;
      }
    }
    return row;
  }

  /// Iterations of the innermost reduction loop that stand side by side, in order: 4, so that 4 elements
  /// in a row can be read at once, where several points are computed and there is no rest; for lanes what they share
  /// says.
  int64_t stepsAtOnce(Value extent) const {
    std::optional<int64_t> count = getConstantIntValue(extent);
    if (sharing.lane && count && *count > 0 && *count % 4 != 0)
      return *count <= 8 ? *count : *count % 2 == 0 ? 2 : 1;
    if (sharing.lane) {
      int64_t steps = count && *count > 0 ? sharing.steps : 1;
      while (steps > 1 && *count % steps != 0)
        steps /= 2;
      return steps;
    }
    if (sharing.wholeSteps && count && *count > 1)
      for (int64_t steps : {*count <= 16 ? *count : int64_t(8), int64_t(8), int64_t(4), int64_t(2)})
        if (*count % steps == 0)
          return steps;
    return ivs.size() > 1 && (ivs.size() <= 16 || sharing.stepsInFours) && count && *count % 4 == 0 && *count > 0 ? 4
                                                                                                                  : 1;
  }

  SmallVector<Value> indicesOf(OpBuilder &builder, OpOperand &operand, size_t point) {
    auto indices = affine::expandAffineMap(builder, op.getLoc(), op.getMatchingIndexingMap(&operand), ivs[point]);
    return SmallVector<Value>(indices->begin(), indices->end());
  }

  Value load(OpBuilder &builder, OpOperand &operand, size_t point) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    if (auto exchanged = shared.find(operand.getOperandNumber()); exchanged != shared.end())
      return exchanged->second[point][step];
    if (Value value = known ? known(operand, point) : Value())
      return value;
    return memref::LoadOp::create(builder, op.getLoc(), operand.get(), indicesOf(builder, operand, point));
  }

  /// One body a point; all of them load before the first one stores anything.
  SmallVector<Value> emitBodies(OpBuilder &builder, ArrayRef<Value> inits) {
    SmallVector<Value> results;
    size_t outputs = op.getNumDpsInits();
    for (size_t point = 0; point < ivs.size(); ++point)
      llvm::append_range(results, emitBody(builder, point, inits.slice(point * outputs, outputs)));
    return results;
  }

  /// Clones the body for the current indices; `inits` are the values of the output arguments.
  SmallVector<Value> emitBody(OpBuilder &builder, size_t point, ArrayRef<Value> inits) {
    Block *body = op.getBlock();
    IRMapping mapping;
    unsigned inputs = op.getNumDpsInputs();
    for (BlockArgument argument : body->getArguments()) {
      if (argument.use_empty())
        continue;
      unsigned position = argument.getArgNumber();
      mapping.map(argument, position < inputs ? load(builder, *op.getDpsInputOperand(position), point)
                                              : inits[position - inputs]);
    }
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), ivs[point][index.getDim()]);
      else
        builder.clone(inner, mapping);
    }
    SmallVector<Value> results;
    for (Value yielded : body->getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(yielded));
    return results;
  }

  linalg::LinalgOp op;
  SmallVector<SmallVector<Value>> ivs; ///< by point and loop
  SmallVector<unsigned> reductions;
  LaneSharing sharing;
  KnownInput known;
  std::map<unsigned, SmallVector<SmallVector<Value>>> shared; ///< elements by operand, point and step
  size_t step = 0;
};

/// Serial loops in place of a parallel loop's header; `body` takes the ivs' place.
void serializeLoop(RewriterBase &rewriter, Operation *loop, ValueRange lower, ValueRange upper, ValueRange step,
                   Block *body) {
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
  serializeLoop(rewriter, loop, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), loop.getBody());
  return success();
}

LogicalResult serializeForall(RewriterBase &rewriter, scf::ForallOp loop) {
  if (loop.getNumResults() != 0)
    return loop.emitOpError("still works on tensors; bufferize it before mapping it to a GPU");
  rewriter.setInsertionPoint(loop);
  auto lower = loop.getLowerBound(rewriter), upper = loop.getUpperBound(rewriter), step = loop.getStep(rewriter);
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

bool carriesOutputs(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return llvm::none_of(reductions, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  });
}

void emitPoint(OpBuilder &builder, linalg::LinalgOp op, ValueRange parallelIvs) {
  PointEmitter(op, {llvm::to_vector(parallelIvs)}).emit(builder);
}

SmallVector<Value> emitPoints(OpBuilder &builder, linalg::LinalgOp op, ArrayRef<SmallVector<Value>> points,
                              ValueRange initial, const LaneSharing &sharing, KnownInput known) {
  PointEmitter emitter(op, points, sharing, known);
  if (!initial.empty())
    return emitter.emitInRegisters(builder, initial);
  emitter.emit(builder);
  return {};
}

SmallVector<Value> loadOutputs(OpBuilder &builder, linalg::LinalgOp op, ArrayRef<SmallVector<Value>> points) {
  return PointEmitter(op, points).loadInits(builder);
}

void storeOutputs(OpBuilder &builder, linalg::LinalgOp op, ArrayRef<SmallVector<Value>> points, ValueRange values) {
  PointEmitter(op, points).store(builder, llvm::to_vector(values));
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

// affine.delinearize_index becomes signed divisions, with a comparison and a choice each for numbers below zero.
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
