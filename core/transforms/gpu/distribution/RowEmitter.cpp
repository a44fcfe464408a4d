#include "core/transforms/gpu/distribution/RowEmitter.h"
#include "core/transforms/gpu/distribution/MatrixEmitter.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace fuselage {

Value RowEmitter::constant(Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(rewriter_, loc, value);
}
Value RowEmitter::plus(Location loc, Value value, int64_t more) {
  return more == 0 ? value : Value(arith::AddIOp::create(rewriter_, loc, value, constant(loc, more)));
}

/// Of a point of a matrix, which of its thread's rows it lies in.
size_t RowEmitter::rowOf(size_t point) const { return point / plan_.layout.together % plan_.layout.rows; }

/// Returns the distance of row number `row` of a thread from its first row.
int64_t RowEmitter::rowOffset(int64_t row) const {
  int64_t together = plan_.layout.rowsTogether;
  return row / together * together * plan_.layout.groups() + row % together;
}

/// Of a tile, those that a thread has.
size_t RowEmitter::elementsOf(const RowOp &row) const {
  return plan_.layout.rows * (row.columns == 0 ? 1 : plan_.layout.columnsOfThread(row.columns));
}

RowEmitter::Place RowEmitter::placeOf(Location loc) {
  const RowLayout &layout = plan_.layout;
  auto divide = [&](Value value, int64_t by) -> Value {
    return arith::DivUIOp::create(rewriter_, loc, value, constant(loc, by));
  };
  auto remainder = [&](Value value, int64_t by) -> Value {
    return arith::RemUIOp::create(rewriter_, loc, value, constant(loc, by));
  };
  auto times = [&](Value value, int64_t by) -> Value {
    return by == 1 ? value : Value(arith::MulIOp::create(rewriter_, loc, value, constant(loc, by)));
  };
  Value lane = remainder(thread_, RowLayout::subgroup), group = divide(lane, layout.members);
  Value first = times(divide(thread_, RowLayout::subgroup), layout.rowsOfSubgroup());
  return {.row = arith::AddIOp::create(rewriter_, loc, first, times(group, layout.rowsTogether)),
          .column = times(remainder(lane, layout.members), layout.together),
          .firstLane = times(group, layout.members)};
}

bool RowEmitter::computesIn(scf::ForOp loop) const {
  return loop->walk([&](linalg::LinalgOp op) { return computes(op) ? WalkResult::interrupt() : WalkResult::advance(); })
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

/// The thread's points, by parallel loop; of a vector, its rows.
SmallVector<RowEmitter::Elements> RowEmitter::pointsOf(linalg::LinalgOp op, const RowOp &row) {
  Location loc = op.getLoc();
  const RowLayout &layout = plan_.layout;
  Place place = placeOf(loc);
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<Elements> points;
  int64_t block = layout.columnsOfBlock();
  for (int64_t first = 0; first < std::max<int64_t>(row.columns, block); first += block)
    for (int64_t number = 0; number < layout.rows; ++number)
      for (int64_t next = 0; next < (row.columns == 0 ? 1 : layout.together); ++next) {
        Elements &point = points.emplace_back();
        for (unsigned loop : parallel)
          point.push_back(loop == row.row ? plus(loc, place.row, rowOffset(number))
                                          : plus(loc, place.column, first + next));
      }
  return points;
}

void RowEmitter::define(linalg::LinalgOp op, Elements values) {
  Value buffer = op.getDpsInits().front();
  elements_[buffer] = std::move(values);
  writers_[buffer] = op;
}

void RowEmitter::fill(linalg::LinalgOp op, const RowOp &row) {
  define(op, Elements(elementsOf(row), op.getDpsInputs().front()));
}

/// What an op updates. Where it reads nothing of that, any value will do.
RowEmitter::Elements RowEmitter::initialOf(linalg::LinalgOp op, ArrayRef<Elements> points) {
  OpOperand &init = *op.getDpsInitOperand(0);
  if (!op.payloadUsesValueFromOperand(&init)) {
    Type element = cast<MemRefType>(init.get().getType()).getElementType();
    return Elements(points.size(), arith::ConstantOp::create(rewriter_, op.getLoc(), rewriter_.getZeroAttr(element)));
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
      emitPoints(rewriter_, op, points, initialOf(op, points), {}, [&](OpOperand &operand, size_t point) -> Value {
        if (!holds(operand.get()))
          return {};
        bool isVector = cast<MemRefType>(operand.get().getType()).getRank() == 1;
        return elements_[operand.get()][isVector && row.column ? rowOf(point) : point];
      });
  if (holds(op.getDpsInits().front()))
    return define(op, values);
  if (row.column && plan_.layout.together == 2)
    storeInPairs(rewriter_, op, points, values, columnNumber(op, row));
  else
    storeOutputs(rewriter_, op, points, values);
}

/// Sums, maxima: of a thread's own elements, then of the threads that share a row, and what was
/// there before comes last.
void RowEmitter::reduce(linalg::LinalgOp op, const RowOp &) {
  Location loc = op.getLoc();
  const Elements &input = elements_[op.getDpsInputs().front()], &before = elements_[op.getDpsInits().front()];
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  auto combine = [&](Value a, Value b) {
    IRMapping mapping;
    mapping.map(combiner->getOperands(), ValueRange{a, b});
    return rewriter_.clone(*combiner, mapping)->getResult(0);
  };
  Elements results;
  for (size_t row = 0; row < size_t(plan_.layout.rows); ++row) {
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
    for (int32_t distance = 1; distance < plan_.layout.members; distance *= 2)
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
    Value bits = isa<IntegerType>(type) ? value : Value(arith::BitcastOp::create(rewriter_, loc, narrow, value));
    value = arith::ExtUIOp::create(rewriter_, loc, word, bits);
  }
  Value other = gpu::ShuffleOp::create(rewriter_, loc, value, distance, 32, gpu::ShuffleMode::XOR).getShuffleResult();
  if (!isNarrow)
    return other;
  other = arith::TruncIOp::create(rewriter_, loc, narrow, other);
  return isa<IntegerType>(type) ? other : Value(arith::BitcastOp::create(rewriter_, loc, type, other));
}

void RowEmitter::multiply(linalg::LinalgOp op, const RowOp &row) {
  if (row.tile)
    return multiplyByInstructions(op, row);
  Elements sums = elements_[op->getOperand(row.product.result)];
  bool isHeld = holds(op->getOperand(row.product.left));
  define(op, isHeld ? addProductsOfHeld(op, row, std::move(sums)) : addProducts(op, row, std::move(sums)));
}

void RowEmitter::multiplyByInstructions(linalg::LinalgOp op, const RowOp &row) {
  MatrixEmitter emitter(rewriter_, op, *row.tile, thread_);
  Value left = op->getOperand(row.product.left), result = op->getOperand(row.product.result);
  SmallVector<Value> accumulators = emitter.pack(elements_[result]);
  accumulators = emitter.multiply(accumulators, holds(left) ? ArrayRef<Value>(elements_[left]) : ArrayRef<Value>());
  define(op, emitter.unpack(accumulators, 0, emitter.points().size()));
}

/// An element of a factor, at a row or a column and a place along K.
Value RowEmitter::load(linalg::LinalgOp op, const RowOp &row, unsigned operand, Value outer, Value k) {
  SmallVector<Value> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(&op->getOpOperand(operand)).getResults())
    indices.push_back(cast<AffineDimExpr>(expr).getPosition() == row.k ? k : outer);
  return memref::LoadOp::create(rewriter_, op.getLoc(), op->getOperand(operand), indices);
}

Value RowEmitter::addProduct(linalg::LinalgOp op, const RowOp &row, Value left, Value right, Value sum) {
  Block *body = op.getBlock();
  IRMapping mapping;
  mapping.map(body->getArgument(row.product.left), left);
  mapping.map(body->getArgument(row.product.right), right);
  mapping.map(body->getArgument(row.product.result), sum);
  for (Operation &inner : body->without_terminator())
    rewriter_.clone(inner, mapping);
  return mapping.lookup(body->getTerminator()->getOperand(0));
}

/// Both factors come from memory: four steps along K for one column after the other, so
/// that what it reads is in registers only for that long; what the rows read stays.
RowEmitter::Elements RowEmitter::addProducts(linalg::LinalgOp op, const RowOp &row, Elements sums) {
  Location loc = op.getLoc();
  const RowLayout &layout = plan_.layout;
  constexpr int64_t steps = 4;
  Place place = placeOf(loc);
  auto loop = scf::ForOp::create(rewriter_, loc, constant(loc, 0), constant(loc, op.getStaticLoopRanges()[row.k]),
                                 constant(loc, steps), sums);
  OpBuilder::InsertionGuard guard(rewriter_);
  rewriter_.setInsertionPointToStart(loop.getBody());
  sums = Elements(loop.getRegionIterArgs());
  SmallVector<Value, steps> kIndices;
  for (int64_t step = 0; step < steps; ++step)
    kIndices.push_back(plus(loc, loop.getInductionVar(), step));
  SmallVector<Elements> left(layout.rows);
  for (auto [number, elements] : llvm::enumerate(left))
    for (Value k : kIndices)
      elements.push_back(load(op, row, row.product.left, plus(loc, place.row, rowOffset(number)), k));
  for (int64_t column = 0; column < layout.columnsOfThread(row.columns); ++column) {
    int64_t block = column / layout.together, next = column % layout.together;
    Value at = plus(loc, place.column, block * layout.columnsOfBlock() + next);
    Elements right;
    for (Value k : kIndices)
      right.push_back(load(op, row, row.product.right, at, k));
    for (int64_t step = 0; step < steps; ++step)
      for (int64_t number = 0; number < layout.rows; ++number) {
        Value &sum = sums[(block * layout.rows + number) * layout.together + next];
        sum = addProduct(op, row, left[number][step], right[step], sum);
      }
  }
  scf::YieldOp::create(rewriter_, loc, sums);
  return Elements(loop.getResults());
}

/// The threads of a row have the left factor, neighbours along K each: one after the other
/// hands its own to all.
RowEmitter::Elements RowEmitter::addProductsOfHeld(linalg::LinalgOp op, const RowOp &row, Elements sums) {
  Location loc = op.getLoc();
  const RowLayout &layout = plan_.layout;
  const Elements &left = elements_[op->getOperand(row.product.left)];
  Place place = placeOf(loc);
  Type word = rewriter_.getI32Type();
  Value width = arith::ConstantIntOp::create(rewriter_, loc, word, RowLayout::subgroup);
  auto loop =
      scf::ForOp::create(rewriter_, loc, constant(loc, 0), constant(loc, layout.members), constant(loc, 1), sums);
  OpBuilder::InsertionGuard guard(rewriter_);
  rewriter_.setInsertionPointToStart(loop.getBody());
  sums = Elements(loop.getRegionIterArgs());
  Value member = loop.getInductionVar();
  Value lane = arith::AddIOp::create(rewriter_, loc, place.firstLane, member);
  lane = arith::IndexCastUIOp::create(rewriter_, loc, word, lane);
  Value k = arith::MulIOp::create(rewriter_, loc, member, constant(loc, layout.together));
  for (int64_t held = 0; held < int64_t(left.size()); held += layout.rows * layout.together)
    for (int64_t next = 0; next < layout.together; ++next) {
      int64_t step = held / (layout.rows * layout.together) * layout.columnsOfBlock() + next;
      Elements shared;
      for (int64_t number = 0; number < layout.rows; ++number)
        shared.push_back(gpu::ShuffleOp::create(rewriter_, loc, left[held + number * layout.together + next], lane,
                                                width, gpu::ShuffleMode::IDX)
                             .getShuffleResult());
      for (size_t point = 0; point < sums.size(); ++point) {
        int64_t block = point / (layout.rows * layout.together);
        Value column = plus(loc, place.column, block * layout.columnsOfBlock() + point % layout.together);
        Value right = load(op, row, row.product.right, column, plus(loc, k, step));
        sums[point] = addProduct(op, row, shared[rowOf(point)], right, sums[point]);
      }
    }
  scf::YieldOp::create(rewriter_, loc, sums);
  return Elements(loop.getResults());
}

void RowEmitter::store(const RowOp &row) {
  memref::SubViewOp from = row.store->from;
  auto writer = cast<linalg::LinalgOp>(writers_[from.getSource()]);
  const RowOp &written = plan_.ops.find(writer)->second;
  SmallVector<Elements> points = pointsOf(writer, written);
  Value view = viewUnderTile(rewriter_, *row.store);
  storePartly(rewriter_, *row.store, view, writer, points, elements_[from.getSource()],
              neighboursAlong(writer, columnNumber(writer, written), plan_.layout.together));
}

LogicalResult RowEmitter::emitLoop(scf::ForOp loop, llvm::function_ref<LogicalResult(scf::ForOp)> distribute) {
  SmallVector<Value> carried = plan_.carriedThrough(loop, [&](Value buffer) { return elements_.contains(buffer); });
  Elements initial;
  for (Value buffer : carried)
    llvm::append_range(initial, elements_[buffer]);
  FailureOr<LoopLikeOpInterface> widened =
      loop.replaceWithAdditionalYields(rewriter_, initial, /*replaceInitOperandUsesInLoop=*/false,
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
  rewriter_.modifyOpInPlace(
      yield, [&] { yield->setOperands(yield.getNumOperands() - yielded.size(), yielded.size(), yielded); });
  elements_ = std::move(before);
  take(loop.getResults().take_back(initial.size()));
  return success();
}

} // namespace fuselage
