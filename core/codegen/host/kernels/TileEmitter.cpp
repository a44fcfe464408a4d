#include "core/codegen/host/kernels/TileEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

using Along = LoopKernel::Along;

/// Memory of integers of less than a byte as memory of bytes: each has one of its own, and LLVM's vectors of them would
/// lie closer. Both are the same to LLVM's dialect, where the cast goes.
static Value asBytes(OpBuilder &builder, Location loc, Value memory) {
  auto type = llvm::dyn_cast<MemRefType>(memory.getType());
  auto integer = type ? llvm::dyn_cast<IntegerType>(type.getElementType()) : IntegerType();
  if (!integer || integer.getWidth() >= 8)
    return memory;
  auto bytes = MemRefType::get(type.getShape(), builder.getI8Type(), type.getLayout(), type.getMemorySpace());
  return UnrealizedConversionCastOp::create(builder, loc, bytes, memory).getResult(0);
}

TileEmitter::TileEmitter(const LoopKernel &kernel, const LoopPlan &plan, OpBuilder &builder, const IRMapping &around)
    : kernel_(kernel), plan_(plan), builder_(builder), around_(around), bodies_(kernel, plan.lanes, plan.fusesHalves),
      loc_(kernel.loc) {
  for (Value operand : kernel.operands)
    memories_.push_back(asBytes(builder, loc_, around.lookup(operand)));
}

/// The value as the body has it.
Value TileEmitter::narrow(Value value, unsigned operand) {
  Type element = getElementTypeOrSelf(kernel_.operands[operand].getType());
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  auto vector = llvm::dyn_cast<VectorType>(value.getType());
  return arith::TruncIOp::create(builder_, loc_, vector ? Type(vector.clone(element)) : element, value);
}

/// The value as memory has it.
Value TileEmitter::widen(Value value, unsigned operand) {
  Type element = getElementTypeOrSelf(memoryOf(operand).getType());
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  auto vector = llvm::dyn_cast<VectorType>(value.getType());
  return arith::ExtUIOp::create(builder_, loc_, vector ? Type(vector.clone(element)) : element, value);
}

Value TileEmitter::index(int64_t value) { return arith::ConstantIndexOp::create(builder_, loc_, value); }

/// Where an operand's element, or the first of a vector, lies.
TileEmitter::Values TileEmitter::placeOf(unsigned operand, Point point) {
  MLIRContext *context = builder_.getContext();
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop < kernel_.ranges.size(); ++loop) {
    AffineExpr at = getAffineDimExpr(loop, context);
    if (loop == plan_.rowLoop)
      at = at + point.row;
    if (loop == plan_.vectorLoop)
      at = at + point.vector * plan_.lanes;
    loops.push_back(at);
  }
  Values place;
  for (AffineExpr result : kernel_.maps[operand].getResults()) {
    auto map = AffineMap::get(loops.size(), 0, result.replaceDims(loops));
    SmallVector<OpFoldResult> dims(at_.begin(), at_.end());
    OpFoldResult where = affine::makeComposedFoldedAffineApply(builder_, loc_, map, dims);
    auto constant = getConstantIntValue(where);
    place.push_back(constant ? index(*constant) : llvm::cast<Value>(where));
  }
  return place;
}

/// Elements of a vector that are inside of the tile.
int64_t TileEmitter::lanesAt(Point point) const { return std::min(plan_.lanes, width_ - point.vector * plan_.lanes); }

Value TileEmitter::maskOf(int64_t lanes) {
  SmallVector<bool> bits(plan_.lanes, false);
  std::fill_n(bits.begin(), lanes, true);
  auto type = VectorType::get({plan_.lanes}, builder_.getI1Type());
  return arith::ConstantOp::create(builder_, loc_, type, DenseElementsAttr::get(type, ArrayRef(bits)));
}

/// One element after the other, for what lies apart or has no vectors in memory.
Value TileEmitter::loadLanes(unsigned operand, Point point) {
  Value memory = memoryOf(operand), saved = at_[plan_.vectorLoop];
  Values elements;
  for (int64_t lane = 0; lane < plan_.lanes; ++lane) {
    if (lane < lanesAt(point)) {
      at_[plan_.vectorLoop] = lane == 0 ? saved : Value(arith::AddIOp::create(builder_, loc_, saved, index(lane)));
      elements.push_back(memref::LoadOp::create(builder_, loc_, memory, placeOf(operand, point)));
    } else {
      elements.push_back(elements.front());
    }
  }
  at_[plan_.vectorLoop] = saved;
  auto type = VectorType::get({plan_.lanes}, elements.front().getType());
  return vector::FromElementsOp::create(builder_, loc_, type, elements);
}

/// The first `elements` of a vector in memory; nothing after them is read.
Value TileEmitter::loadVector(unsigned operand, ValueRange place, int64_t elements) {
  Value memory = memoryOf(operand);
  auto vector = VectorType::get({plan_.lanes}, llvm::cast<MemRefType>(memory.getType()).getElementType());
  if (elements == plan_.lanes)
    return vector::LoadOp::create(builder_, loc_, vector, memory, place);
  Value zero = arith::ConstantOp::create(builder_, loc_, vector, builder_.getZeroAttr(vector));
  return vector::MaskedLoadOp::create(builder_, loc_, vector, memory, place, maskOf(elements), zero);
}

/// Every second, third or fourth element: as many whole vectors, of which the last ends with the last element, and
/// shuffles that pick from them.
Value TileEmitter::loadStrided(unsigned operand, Point point) {
  int64_t lanes = plan_.lanes, inside = lanesAt(point), step = *kernel_.step(operand, plan_.vectorLoop);
  int64_t needed = (inside - 1) * step + 1;
  Values place = placeOf(operand, point);
  Value first = place.back(), picked;
  for (int64_t from = 0, taken = 0; taken < inside; from += lanes) {
    int64_t start = needed >= lanes ? std::min(from, needed - lanes) : 0;
    place.back() = start == 0 ? first : Value(arith::AddIOp::create(builder_, loc_, first, index(start)));
    Value loaded = loadVector(operand, place, std::min(lanes, needed - start));
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t at = std::min(lane, inside - 1) * step;
      if (lane < taken)
        order.push_back(lane);
      else
        order.push_back(lanes + std::clamp<int64_t>(at - start, 0, lanes - 1));
    }
    while (taken < inside && taken * step < start + lanes)
      ++taken;
    picked = vector::ShuffleOp::create(builder_, loc_, picked ? picked : loaded, loaded, order);
  }
  return picked;
}

Value TileEmitter::load(unsigned operand, Point point) {
  Value memory = memoryOf(operand);
  auto type = llvm::dyn_cast<MemRefType>(memory.getType());
  if (!type)
    return memory;
  AffineMap map = kernel_.maps[operand];
  Along along = kernel_.along(operand, plan_.vectorLoop);
  bool byRow = plan_.rowLoop && map.isFunctionOfDim(*plan_.rowLoop);
  std::tuple key(operand, byRow ? point.row : 0, along == Along::Still ? 0 : point.vector);
  if (Value known = loaded_.lookup(key))
    return known;
  Value value;
  if (along == Along::Still || plan_.lanes == 1) {
    value = memref::LoadOp::create(builder_, loc_, memory, placeOf(operand, point));
  } else if (hasVectors(type) && kernel_.isStrided(operand, plan_.vectorLoop)) {
    value = loadStrided(operand, point);
  } else if (along == Along::Apart || !hasVectors(type)) {
    value = loadLanes(operand, point);
  } else {
    value = loadVector(operand, placeOf(operand, point), lanesAt(point));
  }
  return loaded_[key] = narrow(value, operand);
}

/// Rows of an input that is dense along them: square blocks are loaded the other way round and turned by interleaving
/// halves, as often as it takes.
void TileEmitter::loadTransposed(unsigned operand) {
  int64_t lanes = plan_.lanes;
  if (height_ != lanes || width_ != lanes)
    return;
  Value memory = memoryOf(operand), saved = at_[plan_.vectorLoop];
  auto type = VectorType::get({lanes}, llvm::cast<MemRefType>(memory.getType()).getElementType());
  Values columns;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    at_[plan_.vectorLoop] = arith::AddIOp::create(builder_, loc_, saved, index(lane));
    columns.push_back(vector::LoadOp::create(builder_, loc_, type, memory, placeOf(operand, {})));
  }
  at_[plan_.vectorLoop] = saved;
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < lanes / 2; ++lane) {
    low.append({lane, lane + lanes});
    high.append({lane + lanes / 2, lane + lanes / 2 + lanes});
  }
  for (int64_t turns = llvm::Log2_64(lanes); turns > 0; --turns) {
    Values next;
    for (int64_t i = 0; i < lanes / 2; ++i)
      for (const auto &order : {low, high})
        next.push_back(vector::ShuffleOp::create(builder_, loc_, columns[i], columns[i + lanes / 2], order));
    columns = std::move(next);
  }
  for (int64_t row = 0; row < lanes; ++row)
    loaded_[{operand, row, 0}] = narrow(columns[row], operand);
}

void TileEmitter::store(unsigned output, Point point, Value value) {
  unsigned operand = kernel_.inputs + output;
  Value memory = memoryOf(operand);
  value = widen(value, operand);
  Along along = plan_.alongReduction ? Along::Still : kernel_.along(operand, plan_.vectorLoop);
  if (plan_.lanes == 1 || along == Along::Still) {
    memref::StoreOp::create(builder_, loc_, value, memory, placeOf(operand, point));
    return;
  }
  value = spread(builder_, loc_, value, plan_.lanes);
  if (along == Along::Dense && hasVectors(memory.getType())) {
    if (lanesAt(point) == plan_.lanes)
      vector::StoreOp::create(builder_, loc_, value, memory, placeOf(operand, point));
    else
      vector::MaskedStoreOp::create(builder_, loc_, memory, placeOf(operand, point), maskOf(lanesAt(point)), value);
    return;
  }
  Value saved = at_[plan_.vectorLoop];
  for (int64_t lane = 0; lane < lanesAt(point); ++lane) {
    at_[plan_.vectorLoop] = lane == 0 ? saved : Value(arith::AddIOp::create(builder_, loc_, saved, index(lane)));
    Value element = vector::ExtractOp::create(builder_, loc_, value, lane);
    memref::StoreOp::create(builder_, loc_, element, memory, placeOf(operand, point));
  }
  at_[plan_.vectorLoop] = saved;
}

Value TileEmitter::loopIndex(unsigned loop, Point point) {
  Value at = at_[loop];
  if (loop == plan_.rowLoop && point.row != 0)
    at = arith::AddIOp::create(builder_, loc_, at, index(point.row));
  if (loop != plan_.vectorLoop)
    return at;
  if (point.vector != 0)
    at = arith::AddIOp::create(builder_, loc_, at, index(point.vector * plan_.lanes));
  if (plan_.lanes == 1)
    return at;
  auto type = VectorType::get({plan_.lanes}, builder_.getIndexType());
  SmallVector<Attribute> steps;
  for (int64_t lane = 0; lane < plan_.lanes; ++lane)
    steps.push_back(builder_.getIndexAttr(lane));
  Value step = arith::ConstantOp::create(builder_, loc_, type, DenseElementsAttr::get(type, steps));
  return arith::AddIOp::create(builder_, loc_, spread(builder_, loc_, at, plan_.lanes), step);
}

/// What the body makes of the operands at a point and of the outputs so far.
TileEmitter::Values TileEmitter::body(Point point, ArrayRef<Value> sums) {
  Values arguments;
  for (unsigned input = 0; input < kernel_.inputs; ++input)
    arguments.push_back(kernel_.argument(input).use_empty() ? Value(around_.lookup(kernel_.operands[input]))
                                                            : load(input, point));
  llvm::append_range(arguments, sums);
  return bodies_.copy(
      builder_, arguments, [&](unsigned loop) { return loopIndex(loop, point); }, around_);
}

/// What the outputs hold before the first term.
TileEmitter::Values TileEmitter::startOf(Point point) {
  Values start;
  for (unsigned output = 0; output < outputs(); ++output) {
    unsigned operand = kernel_.inputs + output;
    Type element = getElementTypeOrSelf(kernel_.operands[operand].getType());
    if (TypedAttr constant = kernel_.starts[output])
      start.push_back(arith::ConstantOp::create(builder_, loc_, element, constant));
    else if (kernel_.argument(operand).use_empty())
      start.push_back(arith::ConstantOp::create(builder_, loc_, element, builder_.getZeroAttr(element)));
    else
      start.push_back(load(operand, point));
  }
  return start;
}

/// One step of all reductions, for the whole tile.
TileEmitter::Values TileEmitter::oneStep(ArrayRef<Value> sums) {
  loaded_.clear();
  Values next;
  for (int64_t row = 0; row < height_; ++row)
    for (int64_t vector = 0; vector < vectors_; ++vector) {
      for (Value value : body({row, vector}, sums.slice((row * vectors_ + vector) * outputs(), outputs())))
        next.push_back(spread(builder_, loc_, value, plan_.lanes));
    }
  return next;
}

TileEmitter::Values TileEmitter::reductionLoop(unsigned loop, int64_t from, int64_t to, int64_t step, Values sums,
                                               llvm::function_ref<Values(Values)> body) {
  if (from >= to)
    return sums;
  auto counted = scf::ForOp::create(builder_, loc_, index(from), index(to), index(step), sums);
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(counted.getBody());
  at_[loop] = counted.getInductionVar();
  Values next = body(Values(counted.getRegionIterArgs()));
  scf::YieldOp::create(builder_, loc_, next);
  return Values(counted.getResults());
}

TileEmitter::Values TileEmitter::reduce(ArrayRef<unsigned> loops, Values sums) {
  if (!loops.empty())
    return reductionLoop(loops[0], 0, kernel_.ranges[loops[0]], 1, std::move(sums),
                         [&](Values inside) { return reduce(loops.drop_front(), std::move(inside)); });
  if (plan_.alongReduction)
    return reduceLanes(std::move(sums));
  return oneStep(sums);
}

/// Along the lanes: whole vectors of the tile, then what is left, of which lanes beyond the end keep what they had.
TileEmitter::Values TileEmitter::reduceLanes(Values sums) {
  unsigned loop = plan_.vectorLoop;
  int64_t range = kernel_.ranges[loop], step = vectors_ * plan_.lanes, whole = range / step * step;
  width_ = step;
  sums = reductionLoop(loop, 0, whole, step, std::move(sums), [&](Values inside) { return oneStep(inside); });
  if (whole == range)
    return sums;
  width_ = range - whole;
  at_[loop] = index(whole);
  loaded_.clear();
  for (int64_t row = 0; row < height_; ++row)
    for (int64_t vector = 0; vector < vectors_ && lanesAt({row, vector}) > 0; ++vector) {
      MutableArrayRef<Value> before = MutableArrayRef(sums).slice((row * vectors_ + vector) * outputs(), outputs());
      Values after = body({row, vector}, before);
      bool partly = lanesAt({row, vector}) < plan_.lanes;
      for (auto [old, value] : llvm::zip_equal(before, after)) {
        value = spread(builder_, loc_, value, plan_.lanes);
        old =
            partly ? Value(arith::SelectOp::create(builder_, loc_, maskOf(lanesAt({row, vector})), value, old)) : value;
      }
    }
  return sums;
}

/// Folds the partial sums of each row into what its outputs held.
void TileEmitter::storeCombined(Values sums) {
  for (int64_t row = 0; row < height_; ++row) {
    loaded_.clear();
    Values start = startOf({row, 0});
    for (unsigned output = 0; output < outputs(); ++output) {
      Operation *combiner = kernel_.combiner(output);
      Values parts;
      for (int64_t vector = 0; vector < vectors_; ++vector)
        parts.push_back(sums[(row * vectors_ + vector) * outputs() + output]);
      for (size_t count = parts.size(); count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < count / 2; ++i)
          parts[i] = bodies_.combine(builder_, combiner, parts[i], parts[count - 1 - i]);
      Value all = parts.front();
      if (plan_.lanes > 1) {
        auto kind = *linalg::getCombinerOpKind(combiner);
        all = vector::ReductionOp::create(builder_, loc_, kind, all, arith::FastMathFlags::reassoc);
      }
      store(output, {row, 0}, bodies_.combine(builder_, combiner, all, start[output]));
    }
  }
}

void TileEmitter::emit(ArrayRef<Value> at, int64_t height, int64_t width) {
  at_.assign(at.begin(), at.end());
  height_ = height;
  width_ = plan_.alongReduction ? plan_.vectors * plan_.lanes : width;
  vectors_ = llvm::divideCeil(width_, plan_.lanes);
  loaded_.clear();
  Values sums;
  if (plan_.alongReduction) {
    for (int64_t i = 0; i < height_ * vectors_; ++i)
      for (unsigned output = 0; output < outputs(); ++output) {
        Value neutral = arith::ConstantOp::create(builder_, loc_, *arith::getNeutralElement(kernel_.combiner(output)));
        sums.push_back(spread(builder_, loc_, neutral, plan_.lanes));
      }
    return storeCombined(reduce(plan_.reductions, std::move(sums)));
  }
  if (!kernel_.reduces() && plan_.transposed)
    loadTransposed(*plan_.transposed);
  for (int64_t row = 0; row < height_; ++row)
    for (int64_t vector = 0; vector < vectors_; ++vector)
      for (Value value : startOf({row, vector}))
        sums.push_back(kernel_.reduces() ? spread(builder_, loc_, value, plan_.lanes) : value);
  if (kernel_.reduces()) {
    sums = reduce(plan_.reductions, std::move(sums));
  } else {
    Values results;
    for (int64_t row = 0; row < height_; ++row)
      for (int64_t vector = 0; vector < vectors_; ++vector)
        llvm::append_range(results,
                           body({row, vector}, ArrayRef(sums).slice((row * vectors_ + vector) * outputs(), outputs())));
    sums = std::move(results);
  }
  for (int64_t row = 0; row < height_; ++row)
    for (int64_t vector = 0; vector < vectors_; ++vector)
      for (unsigned output = 0; output < outputs(); ++output)
        store(output, {row, vector}, sums[(row * vectors_ + vector) * outputs() + output]);
}

} // namespace fuselage
