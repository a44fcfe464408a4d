#include "core/transforms/gpu/distribution/RowEmitter.h"
#include "core/transforms/gpu/distribution/MatrixEmitter.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace fuselage {

/// Of a point of a matrix, which of the two rows that its thread has it lies in.
static size_t rowOf(size_t point) { return point % 4 / 2; }

bool RowEmitter::computesIn(scf::ForOp loop) const {
  return loop
      ->walk([&](linalg::LinalgOp op) {
        return computes(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void RowEmitter::emit(linalg::LinalgOp op) {
  OpBuilder::InsertionGuard guard(rewriter_);
  rewriter_.setInsertionPoint(op);
  const RowOp &row = plan_.ops.find(op)->second;
  switch (row.kind) {
  case RowOp::Kind::Fill:
    return fill(op, row);
  case RowOp::Kind::Elementwise:
    return computeElements(op, row);
  case RowOp::Kind::Reduction:
    return reduce(op, row);
  case RowOp::Kind::Product:
    return multiply(op, row);
  case RowOp::Kind::Store:
    return store(row);
  }
}

/// The thread's points, by parallel loop: both neighbours in the first row of a block, then in its
/// second row, block after block; of a vector, two rows.
SmallVector<RowEmitter::Elements> RowEmitter::pointsOf(linalg::LinalgOp op, const RowOp &row) {
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter_, loc, value);
  };
  auto add = [&](Value value, int64_t more) -> Value {
    return more == 0 ? value : arith::AddIOp::create(rewriter_, loc, value, constant(more));
  };
  Value lane = arith::RemUIOp::create(rewriter_, loc, thread_, constant(32));
  Value firstRow = arith::MulIOp::create(
      rewriter_, loc, arith::DivUIOp::create(rewriter_, loc, thread_, constant(32)), constant(16));
  firstRow = arith::AddIOp::create(rewriter_, loc, firstRow,
                                   arith::DivUIOp::create(rewriter_, loc, lane, constant(4)));
  Value firstColumn = arith::MulIOp::create(
      rewriter_, loc, arith::RemUIOp::create(rewriter_, loc, lane, constant(4)), constant(2));
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<Elements> points;
  for (int64_t block = 0; block < std::max<int64_t>(row.columns, 8); block += 8)
    for (int64_t reg = 0; reg < 2; ++reg)
      for (int64_t element = 0; element < (row.columns == 0 ? 1 : 2); ++element) {
        FragmentElement at = resultElement(reg, element);
        Elements &point = points.emplace_back();
        for (unsigned loop : parallel)
          point.push_back(loop == row.row ? add(firstRow, at.row)
                                          : add(firstColumn, block + at.column));
      }
  return points;
}

void RowEmitter::define(linalg::LinalgOp op, Elements values) {
  Value buffer = op.getDpsInits().front();
  elements_[buffer] = std::move(values);
  writers_[buffer] = op;
}

void RowEmitter::fill(linalg::LinalgOp op, const RowOp &row) {
  define(op, Elements(row.columns == 0 ? 2 : row.columns / 2, op.getDpsInputs().front()));
}

/// What an op updates. Where it reads nothing of that, any value will do.
RowEmitter::Elements RowEmitter::initialOf(linalg::LinalgOp op, ArrayRef<Elements> points) {
  OpOperand &init = *op.getDpsInitOperand(0);
  if (!op.payloadUsesValueFromOperand(&init)) {
    Type element = cast<MemRefType>(init.get().getType()).getElementType();
    return Elements(points.size(), arith::ConstantOp::create(rewriter_, op.getLoc(),
                                                             rewriter_.getZeroAttr(element)));
  }
  return holds(init.get()) ? elements_[init.get()] : loadOutputs(rewriter_, op, points);
}

/// The number among the parallel loops of the one along columns.
unsigned RowEmitter::columnNumber(linalg::LinalgOp op, const RowOp &row) const {
  return row.column > row.row && op.getNumLoops() == 2 ? 1 : 0;
}

void RowEmitter::computeElements(linalg::LinalgOp op, const RowOp &row) {
  SmallVector<Elements> points = pointsOf(op, row);
  Elements values =
      emitPoints(rewriter_, op, points, initialOf(op, points), {},
                 [&](OpOperand &operand, size_t point) -> Value {
                   if (!holds(operand.get()))
                     return {};
                   bool isVector = cast<MemRefType>(operand.get().getType()).getRank() == 1;
                   return elements_[operand.get()][isVector && row.column ? rowOf(point) : point];
                 });
  if (holds(op.getDpsInits().front()))
    return define(op, values);
  if (row.column)
    storeInPairs(rewriter_, op, points, values, columnNumber(op, row));
  else
    storeOutputs(rewriter_, op, points, values);
}

/// Sums, maxima: of a thread's own elements, then of the four threads that share a row, and what
/// was there before comes last.
void RowEmitter::reduce(linalg::LinalgOp op, const RowOp &) {
  Location loc = op.getLoc();
  const Elements &input = elements_[op.getDpsInputs().front()],
                 &before = elements_[op.getDpsInits().front()];
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  auto combine = [&](Value a, Value b) {
    IRMapping mapping;
    mapping.map(combiner->getOperands(), ValueRange{a, b});
    return rewriter_.clone(*combiner, mapping)->getResult(0);
  };
  Elements results;
  for (size_t row = 0; row < 2; ++row) {
    Elements own;
    for (auto [point, value] : llvm::enumerate(input))
      if (rowOf(point) == row)
        own.push_back(value);
    // Pair by pair: half of the operations wait for no other.
    while (own.size() > 1) {
      Elements fewer;
      for (size_t first = 0; first < own.size(); first += 2)
        fewer.push_back(first + 1 < own.size() ? combine(own[first], own[first + 1]) : own[first]);
      own = std::move(fewer);
    }
    Value result = own.front();
    for (int32_t distance : {1, 2})
      result = combine(result, shuffled(loc, result, distance));
    results.push_back(combine(result, before[row]));
  }
  define(op, results);
}

/// The value of the thread whose number differs in that bit. Registers of 32 bits are what is
/// exchanged.
Value RowEmitter::shuffled(Location loc, Value value, int32_t distance) {
  Type type = value.getType(), word = rewriter_.getIntegerType(32),
       narrow = rewriter_.getIntegerType(type.getIntOrFloatBitWidth());
  bool isNarrow = type.getIntOrFloatBitWidth() < 32;
  if (isNarrow) {
    Value bits = isa<IntegerType>(type)
                     ? value
                     : Value(arith::BitcastOp::create(rewriter_, loc, narrow, value));
    value = arith::ExtUIOp::create(rewriter_, loc, word, bits);
  }
  Value other = gpu::ShuffleOp::create(rewriter_, loc, value, distance, 32, gpu::ShuffleMode::XOR)
                    .getShuffleResult();
  if (!isNarrow)
    return other;
  other = arith::TruncIOp::create(rewriter_, loc, narrow, other);
  return isa<IntegerType>(type) ? other
                                : Value(arith::BitcastOp::create(rewriter_, loc, type, other));
}

void RowEmitter::multiply(linalg::LinalgOp op, const RowOp &row) {
  MatrixEmitter emitter(rewriter_, op, *row.tile, thread_);
  MatrixProduct product = row.tile->products.front();
  Value left = op->getOperand(product.left), result = op->getOperand(product.result);
  SmallVector<Value> accumulators = emitter.pack(elements_[result]);
  accumulators = emitter.multiply(accumulators, holds(left) ? ArrayRef<Value>(elements_[left])
                                                            : ArrayRef<Value>());
  define(op, emitter.unpack(accumulators, 0, emitter.points().size()));
}

void RowEmitter::store(const RowOp &row) {
  memref::SubViewOp from = row.store->from;
  auto writer = cast<linalg::LinalgOp>(writers_[from.getSource()]);
  const RowOp &written = plan_.ops.find(writer)->second;
  SmallVector<Elements> points = pointsOf(writer, written);
  Value view = viewUnderTile(rewriter_, *row.store);
  storePartly(rewriter_, *row.store, view, writer, points, elements_[from.getSource()],
              neighboursAlong(writer, columnNumber(writer, written), 2));
}

LogicalResult RowEmitter::emitLoop(scf::ForOp loop,
                                   llvm::function_ref<LogicalResult(scf::ForOp)> distribute) {
  SmallVector<Value> carried =
      plan_.carriedThrough(loop, [&](Value buffer) { return elements_.contains(buffer); });
  Elements initial;
  for (Value buffer : carried)
    llvm::append_range(initial, elements_[buffer]);
  FailureOr<LoopLikeOpInterface> widened = loop.replaceWithAdditionalYields(
      rewriter_, initial, /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        return SmallVector<Value>(arguments.begin(), arguments.end());
      });
  if (failed(widened))
    return loop.emitOpError("cannot carry tiles in registers");
  loop = cast<scf::ForOp>(*widened);
  auto take = [&](ValueRange values) {
    for (Value buffer : carried) {
      size_t count = elements_[buffer].size();
      elements_[buffer] = Elements(values.take_front(count));
      values = values.drop_front(count);
    }
  };
  llvm::DenseMap<Value, Elements> before = elements_;
  take(loop.getRegionIterArgs().take_back(initial.size()));
  if (failed(distribute(loop)))
    return failure();
  Elements yielded;
  for (Value buffer : carried)
    llvm::append_range(yielded, elements_[buffer]);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter_.modifyOpInPlace(yield, [&] {
    yield->setOperands(yield.getNumOperands() - yielded.size(), yielded.size(), yielded);
  });
  elements_ = std::move(before);
  take(loop.getResults().take_back(initial.size()));
  return success();
}

} // namespace fuselage
