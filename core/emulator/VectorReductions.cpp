// Sums along vectors, and products of them.
#include "core/emulator/Decoder.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace fuselage::emulator {
namespace {

constexpr int64_t mostSteps = 1 << 16;

LaneOperation combining(vector::CombiningKind kind, const ElementForm &form) {
  using Kind = vector::CombiningKind;
  bool isFloat = form.isFloat();
  auto named = [&](const char *name) { return isFloat ? floatOperation(name, form) : integerOperation(name, form); };
  switch (kind) {
  case Kind::ADD:
    return named(isFloat ? "arith.addf" : "arith.addi");
  case Kind::MUL:
    return named(isFloat ? "arith.mulf" : "arith.muli");
  case Kind::MINUI:
    return named("arith.minui");
  case Kind::MINSI:
    return named("arith.minsi");
  case Kind::MAXUI:
    return named("arith.maxui");
  case Kind::MAXSI:
    return named("arith.maxsi");
  case Kind::MINNUMF:
    return named("arith.minnumf");
  case Kind::MAXNUMF:
    return named("arith.maxnumf");
  case Kind::MINIMUMF:
    return named("arith.minimumf");
  case Kind::MAXIMUMF:
    return named("arith.maximumf");
  case Kind::AND:
    return named("arith.andi");
  case Kind::OR:
    return named("arith.ori");
  case Kind::XOR:
    return named("arith.xori");
  }
  return {};
}

LaneOperation copying(const ElementForm &form) { return selection(form); }

/// Sums into elements, one step an instruction.
class Summation {
public:
  Summation(Decoder &decoder, Operation *op, ElementForm form, LaneOperation combine)
      : decoder_(decoder), op_(op), form_(form), combine_(combine) {}
  void set(ElementId to, ElementId from) {
    ElementId yes = decoder_.constant(1);
    decoder_.emitLanes(op_, copying(form_), {to}, {{yes}, {from}, {from}}, false);
  }
  void add(ElementId to, ElementId value) { decoder_.emitLanes(op_, combine_, {to}, {{to}, {value}}, false); }

private:
  Decoder &decoder_;
  Operation *op_;
  ElementForm form_;
  LaneOperation combine_;
};

llvm::Error decodeReduction(Decoder &decoder, vector::ReductionOp op) {
  auto form = formOf(op.getType());
  LaneOperation combine = form ? combining(op.getKind(), *form) : LaneOperation{};
  if (!combine)
    return Decoder::refuse(op);
  ElementIds source = decoder.lanesOf(op.getVector()), initial;
  if (op.getAcc())
    initial = decoder.lanesOf(op.getAcc());
  auto result = decoder.define(op.getDest());
  if (!result)
    return result.takeError();
  Summation sum(decoder, op, *form, combine);
  sum.set(result->front(), initial.empty() ? source.front() : initial.front());
  for (ElementId element : ArrayRef(source).drop_front(initial.empty() ? 1 : 0))
    sum.add(result->front(), element);
  return llvm::Error::success();
}

llvm::Error decodeMultiReduction(Decoder &decoder, vector::MultiDimReductionOp op) {
  auto form = formOf(op.getType());
  LaneOperation combine = form ? combining(op.getKind(), *form) : LaneOperation{};
  if (!combine)
    return Decoder::refuse(op);
  ElementIds source = decoder.lanesOf(op.getSource()), initial = decoder.lanesOf(op.getAcc());
  auto result = decoder.define(op.getDest());
  if (!result)
    return result.takeError();
  Summation sum(decoder, op, *form, combine);
  for (auto [to, from] : llvm::zip_equal(*result, initial))
    sum.set(to, from);
  ArrayRef<int64_t> shape = op.getSourceVectorType().getShape();
  SmallVector<int64_t> strides = computeStrides(shape);
  for (size_t i = 0; i < source.size(); ++i) {
    int64_t at = 0;
    for (auto [dimension, position] : llvm::enumerate(delinearize(int64_t(i), strides)))
      if (!op.isReducedDim(int64_t(dimension)))
        at = at * shape[dimension] + position;
    sum.add((*result)[at], source[i]);
  }
  return llvm::Error::success();
}

/// Factors as elements of the result's type.
llvm::Expected<ElementIds> widened(Decoder &decoder, Operation *op, Value value, const ElementForm &to) {
  auto from = formOf(value.getType());
  ElementIds elements = decoder.lanesOf(value);
  if (from && from->kind == to.kind && from->bits == to.bits)
    return elements;
  LaneOperation widen = from ? conversion(to.isFloat() ? "arith.extf" : "arith.extsi", *from, to) : LaneOperation{};
  if (!widen)
    return Decoder::refuse(op);
  ElementIds result;
  for (ElementId element : elements) {
    result.push_back(decoder.newElement(to.isWide(), false));
    decoder.emitLanes(op, widen, {result.back()}, {{element}}, false);
  }
  return result;
}

/// Sums of products of elements that maps name, over a space of loops.
llvm::Error emitProducts(Decoder &decoder, Operation *op, Value left, Value right, Value initial, Value result,
                         ArrayRef<int64_t> space, ArrayRef<AffineMap> maps, vector::CombiningKind kind) {
  auto form = formOf(result.getType());
  int64_t steps = 1;
  for (int64_t size : space)
    if (llvm::MulOverflow(steps, size, steps))
      steps = mostSteps + 1;
  LaneOperation combine = form ? combining(kind, *form) : LaneOperation{};
  LaneOperation product = form ? combining(vector::CombiningKind::MUL, *form) : LaneOperation{};
  if (!combine || steps > mostSteps)
    return Decoder::refuse(op);
  auto a = widened(decoder, op, left, *form);
  if (!a)
    return a.takeError();
  auto b = widened(decoder, op, right, *form);
  if (!b)
    return b.takeError();
  ElementIds start = initial ? decoder.lanesOf(initial) : ElementIds();
  auto sums = decoder.define(result);
  if (!sums)
    return sums.takeError();
  Summation sum(decoder, op, *form, combine);
  for (size_t i = 0; i < sums->size(); ++i)
    sum.set((*sums)[i], start.empty() ? decoder.constant(0, form->isWide()) : start[i]);
  ElementId part = decoder.newElement(form->isWide(), false);
  SmallVector<int64_t> strides = computeStrides(space);
  auto at = [&](AffineMap map, Value value, ArrayRef<int64_t> position) {
    int64_t number = 0;
    auto vector = dyn_cast<VectorType>(value.getType());
    for (auto [dimension, index] : llvm::enumerate(map.compose(position)))
      number = number * (vector ? vector.getDimSize(dimension) : 1) + index;
    return number;
  };
  for (int64_t i = 0; i < steps; ++i) {
    SmallVector<int64_t> position = delinearize(i, strides);
    decoder.emitLanes(op, product, {part}, {{(*a)[at(maps[0], left, position)]}, {(*b)[at(maps[1], right, position)]}},
                      false);
    sum.add((*sums)[at(maps[2], result, position)], part);
  }
  return llvm::Error::success();
}

llvm::Error decodeContraction(Decoder &decoder, vector::ContractionOp op) {
  SmallVector<int64_t> space;
  op.getIterationBounds(space);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return emitProducts(decoder, op, op.getLhs(), op.getRhs(), op.getAcc(), op.getResult(), space, maps, op.getKind());
}

llvm::Error decodeOuterProduct(Decoder &decoder, vector::OuterProductOp op) {
  MLIRContext *context = op.getContext();
  auto left = op.getOperandVectorTypeLHS();
  auto right = dyn_cast<VectorType>(op.getOperandTypeRHS());
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  SmallVector<int64_t> space{left.getDimSize(0), right ? right.getDimSize(0) : 1};
  SmallVector<AffineMap> maps{AffineMap::get(2, 0, {i}, context),
                              right ? AffineMap::get(2, 0, {j}, context) : AffineMap::get(2, 0, context),
                              right ? AffineMap::get(2, 0, {i, j}, context) : AffineMap::get(2, 0, {i}, context)};
  return emitProducts(decoder, op, op.getLhs(), op.getRhs(), op.getAcc(), op.getResult(), space, maps, op.getKind());
}

} // namespace

llvm::Expected<bool> decodeVectorReduction(Decoder &decoder, Operation *op) {
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return done(decodeReduction(decoder, reduction));
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    return done(decodeMultiReduction(decoder, reduction));
  if (auto contraction = dyn_cast<vector::ContractionOp>(op))
    return done(decodeContraction(decoder, contraction));
  if (auto product = dyn_cast<vector::OuterProductOp>(op))
    return done(decodeOuterProduct(decoder, product));
  return false;
}

} // namespace fuselage::emulator
