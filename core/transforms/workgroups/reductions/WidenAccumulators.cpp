// Upstream's arith-emulate-unsupported-floats rounds an accumulator after every term; nothing there makes
// accumulators wider.
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace fuselage {

Type accumulatorTypeOf(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && type.getWidth() <= 16 ? Float32Type::get(type.getContext()) : element;
}

namespace {

/// Returns true for ops whose result is one of their operands, or a comparison of them.
bool roundsNothing(Operation *op) {
  return isa<arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::SelectOp,
             arith::CmpFOp, arith::ExtFOp, math::AbsFOp, math::CopySignOp>(op);
}

/// Computes in wider types what a body does with its accumulators.
class BodyWidener {
public:
  BodyWidener(OpBuilder &builder, Block &body, unsigned firstOutput, TypeRange wide, bool wideProducts)
      : builder_(builder), body_(body), firstOutput_(firstOutput), wide_(wide), wideProducts_(wideProducts) {}

  /// Collects the ops that the accumulators go through. Returns false if none of them rounds, or one cannot compute in
  /// another type.
  bool plan() {
    llvm::SmallPtrSet<Value, 16> reached;
    for (BlockArgument argument : accumulators())
      if (isWidened(argument))
        reached.insert(argument);
    bool rounds = false;
    for (Operation &op : body_.without_terminator()) {
      if (llvm::none_of(op.getOperands(), [&](Value operand) { return reached.contains(operand); }))
        continue;
      bool isKnown = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
                     op.getNumRegions() == 0 && op.getNumResults() == 1 && !isa<arith::BitcastOp>(op);
      if (!isKnown)
        return false;
      rounds |= !roundsNothing(&op);
      chain_.push_back(&op);
      reached.insert(op.getResult(0));
    }
    return rounds;
  }

  void rewrite() {
    for (BlockArgument argument : accumulators())
      if (isWidened(argument)) {
        argument.setType(wideTypeOf(argument));
        wideValues_.map(argument, argument);
      }
    for (Operation *op : chain_)
      rewrite(op);
    Operation *end = body_.getTerminator();
    builder_.setInsertionPoint(end);
    for (auto [result, operand] : llvm::enumerate(end->getOpOperands())) {
      BlockArgument argument = body_.getArgument(firstOutput_ + result);
      Value value = operand.get();
      if (wideValues_.contains(argument))
        operand.set(widened(value, argument.getType()));
      else if (Value made = wideValues_.lookupOrNull(value))
        operand.set(resized(made, value.getType()));
    }
    for (Operation *op : llvm::reverse(chain_))
      if (op->use_empty())
        op->erase();
    for (Operation *op : replaced_)
      if (op->use_empty())
        op->erase();
  }

private:
  MutableArrayRef<BlockArgument> accumulators() { return body_.getArguments().drop_front(firstOutput_); }
  Type wideTypeOf(BlockArgument argument) const { return wide_[argument.getArgNumber() - firstOutput_]; }
  bool isWidened(BlockArgument argument) const { return argument.getType() != wideTypeOf(argument); }
  /// The type of a value that an accumulator goes through.
  Type wideTypeFor(Type type) const {
    Type wide = accumulatorTypeOf(type);
    return wide == type && type.isF32() && isLong() ? Type(Float64Type::get(type.getContext())) : wide;
  }
  bool isLong() const {
    return llvm::any_of(wide_, [](Type type) { return type.isF64(); }) &&
           llvm::none_of(body_.getTerminator()->getOperandTypes(), [](Type type) { return type.isF64(); });
  }

  Value resized(Value value, Type type) {
    unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
    if (value.getType() == type)
      return value;
    if (from < to)
      return arith::ExtFOp::create(builder_, value.getLoc(), type, value);
    return arith::TruncFOp::create(builder_, value.getLoc(), type, value);
  }

  /// `value` as `type`; a product that nobody else reads is not rounded on the way, if
  /// `wideProducts`.
  Value widened(Value value, Type type) {
    if (Value made = wideValues_.lookupOrNull(value))
      return resized(made, type);
    if (value.getType() == type)
      return value;
    auto product = value.getDefiningOp<arith::MulFOp>();
    if (!wideProducts_ || !product || !product->hasOneUse() || product->getBlock() != &body_)
      return resized(value, type);
    replaced_.push_back(product);
    Value left = resized(product.getLhs(), type);
    Value right = product.getLhs() == product.getRhs() ? left : resized(product.getRhs(), type);
    return arith::MulFOp::create(builder_, product.getLoc(), left, right, product.getFastmathAttr());
  }

  void rewrite(Operation *op) {
    builder_.setInsertionPoint(op);
    Value result = op->getResult(0);
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      Value from = wideValues_.lookup(op->getOperand(0));
      wideValues_.map(result, resized(from, wideTypeFor(result.getType())));
      return;
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<FloatType>(operand.getType()) ? widened(operand, wideTypeFor(operand.getType()))
                                                           : wideValues_.lookupOrDefault(operand));
    Operation *copy = builder_.clone(*op);
    copy->setOperands(operands);
    if (isa<FloatType>(result.getType()))
      copy->getResult(0).setType(wideTypeFor(result.getType()));
    wideValues_.map(result, copy->getResult(0));
  }

  OpBuilder &builder_;
  Block &body_;
  unsigned firstOutput_;
  TypeRange wide_;
  bool wideProducts_;
  SmallVector<Operation *> chain_, replaced_;
  IRMapping wideValues_;
};

} // namespace

LogicalResult widenBody(OpBuilder &builder, Block &body, unsigned firstOutput, TypeRange wide, bool wideProducts) {
  OpBuilder::InsertionGuard guard(builder);
  BodyWidener widener(builder, body, firstOutput, wide, wideProducts);
  if (!widener.plan())
    return failure();
  widener.rewrite();
  return success();
}

/// Returns how many terms each result has; nullopt if unknown.
static std::optional<uint64_t> termsOf(linalg::LinalgOp op) {
  uint64_t terms = 1;
  for (auto [range, iterator] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return std::nullopt;
    terms = llvm::SaturatingMultiply<uint64_t>(terms, range);
  }
  return terms;
}

/// Returns the type that each result accumulates in: its own type if that is wide enough, or if it is no accumulator.
static SmallVector<Type> wideTypesOf(linalg::LinalgOp op, const WidenOptions &options) {
  constexpr uint64_t longSum = 4096;
  bool isLong = options.longReductions && termsOf(op).value_or(0) >= longSum;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<Type> types;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Type element = getElementTypeOrSelf(init.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&init);
    bool isAccumulator = llvm::none_of(reductions, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    Type wide = accumulatorTypeOf(element);
    if (isLong && element.isF32())
      wide = Float64Type::get(op.getContext());
    types.push_back(isAccumulator ? wide : element);
  }
  return types;
}

/// Emits an elementwise op that converts floats.
static Value converted(RewriterBase &rewriter, Value tensor, Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = tensor.getLoc();
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensor), element, type.getEncoding());
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  bool isWider = element.getIntOrFloatBitWidth() > type.getElementTypeBitWidth();
  return linalg::GenericOp::create(rewriter, loc, empty.getType(), tensor, empty, maps, iterators,
                                   [&](OpBuilder &builder, Location inner, ValueRange elements) {
                                     Value value =
                                         isWider ? Value(arith::ExtFOp::create(builder, inner, element, elements[0]))
                                                 : Value(arith::TruncFOp::create(builder, inner, element, elements[0]));
                                     linalg::YieldOp::create(builder, inner, value);
                                   })
      .getResult(0);
}

/// Returns the initial accumulator in a wider type: fills and broadcasts get that type, other values are converted.
static Value widenedStart(RewriterBase &rewriter, Value init, Type element) {
  auto type = cast<RankedTensorType>(init.getType());
  Location loc = init.getLoc();
  auto emptyOne = [&] {
    return tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), element,
                                   type.getEncoding())
        .getResult();
  };
  if (init.getDefiningOp<tensor::EmptyOp>())
    return emptyOne();
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    FloatAttr constant;
    Value start = fill.getInputs().front();
    if (!isa<FloatType>(start.getType()))
      return converted(rewriter, init, element);
    if (matchPattern(start, m_Constant(&constant))) {
      bool lost = false;
      llvm::APFloat value = constant.getValue();
      value.convert(cast<FloatType>(element).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
      start = arith::ConstantOp::create(rewriter, loc, rewriter.getFloatAttr(element, value));
    } else if (start.getType() != element) {
      start = arith::ExtFOp::create(rewriter, loc, element, start);
    }
    return linalg::FillOp::create(rewriter, loc, start, emptyOne()).getResult(0);
  }
  if (auto broadcast = init.getDefiningOp<linalg::BroadcastOp>())
    return linalg::BroadcastOp::create(rewriter, loc, widenedStart(rewriter, broadcast.getInput(), element), emptyOne(),
                                       broadcast.getDimensions())
        ->getResult(0);
  return converted(rewriter, init, element);
}

/// Returns true if the user can round each element itself, once.
static bool roundsItself(OpOperand &use) {
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  return reader && reader.getNumReductionLoops() == 0 && reader.isDpsInput(&use) &&
         reader.getMatchingIndexingMap(&use).isPermutation();
}

/// Rounds `wide` to elements of type `narrow` for all of its users.
static void roundForUsers(RewriterBase &rewriter, OpResult wide, Type narrow) {
  if (!llvm::all_of(wide.getUses(), roundsItself)) {
    rewriter.setInsertionPointAfter(wide.getOwner());
    Value rounded = converted(rewriter, wide, narrow);
    return rewriter.replaceAllUsesExcept(wide, rounded, rounded.getDefiningOp());
  }
  for (OpOperand &use : wide.getUses()) {
    auto reader = cast<linalg::GenericOp>(use.getOwner());
    BlockArgument element = reader.getMatchingBlockArgument(&use);
    element.setType(getElementTypeOrSelf(wide.getType()));
    rewriter.setInsertionPointToStart(reader.getBody());
    Value rounded = arith::TruncFOp::create(rewriter, reader.getLoc(), narrow, element);
    rewriter.replaceAllUsesExcept(element, rounded, rounded.getDefiningOp());
  }
}

void widenAccumulators(RewriterBase &rewriter, linalg::LinalgOp op, const WidenOptions &options) {
  OpBuilder::InsertionGuard guard(rewriter);
  bool isSum =
      op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics() && op->getNumResults() == op.getNumDpsInits();
  SmallVector<Type> wide = isSum ? wideTypesOf(op, options) : SmallVector<Type>();
  if (!isSum || termsOf(op) == 1 ||
      llvm::equal(wide, llvm::map_range(op->getResultTypes(), [](Type type) { return getElementTypeOrSelf(type); })))
    return;
  // The body of a named op with a wider result multiplies in that type.
  if (!options.wideProducts && !isa<linalg::GenericOp, linalg::ReduceOp>(op)) {
    rewriter.setInsertionPoint(op);
    TilingConfig requested = readTilingConfig(op); // for the op that replaces this one, with the same loops
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    writeTilingConfig(*generic, requested);
    op = *generic;
  }
  if (failed(widenBody(rewriter, *op.getBlock(), op.getNumDpsInputs(), wide, options.wideProducts)))
    return;
  for (auto [index, element] : llvm::enumerate(wide)) {
    OpOperand &init = *op.getDpsInitOperand(index);
    auto narrow = cast<RankedTensorType>(init.get().getType());
    if (narrow.getElementType() == element)
      continue;
    rewriter.setInsertionPoint(op);
    init.set(widenedStart(rewriter, init.get(), element));
    OpResult result = op->getResult(index);
    result.setType(RankedTensorType::get(narrow.getShape(), element, narrow.getEncoding()));
    roundForUsers(rewriter, result, narrow.getElementType());
  }
}

void widenAccumulators(Operation *root, const WidenOptions &options) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : ops)
    widenAccumulators(rewriter, op, options);
}

} // namespace fuselage
