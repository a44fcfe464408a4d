#include "core/codegen/host/kernels/VectorBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace fuselage {

/// Types that vectors can have, bits and bytes alike.
static bool fitsVector(Type type) {
  if (auto integer = llvm::dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  return type.isIndex() || type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

bool hasVectors(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto integer = llvm::dyn_cast<IntegerType>(element))
    return integer.getWidth() <= 8 || llvm::is_contained({16u, 32u, 64u}, integer.getWidth());
  return fitsVector(element);
}

/// Ops that would call a function lane by lane, or stop at what a lane beyond the end holds.
static bool isForScalars(Operation &op) {
  if (llvm::isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
                arith::FloorDivSIOp>(op))
    return true;
  if (llvm::isa_and_nonnull<math::MathDialect>(op.getDialect()))
    return !op.getResult(0).getType().isF32() && !llvm::isa<math::AbsFOp, math::SqrtOp, math::FmaOp>(op);
  return false;
}

/// Of math, what has a lowering for vectors that is as good as the scalar one.
static bool hasVectorMath(Operation &op) {
  return !llvm::isa_and_nonnull<math::MathDialect>(op.getDialect()) ||
         llvm::isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::RsqrtOp, math::FmaOp, math::ExpOp, math::ErfOp,
                   math::TanhOp, math::FloorOp, math::CeilOp, math::LogOp>(op);
}

static bool isVectorizable(Operation &op) {
  if (llvm::isa<linalg::IndexOp>(op) || matchPattern(&op, m_Constant()))
    return true;
  if (op.getNumResults() != 1 || !OpTrait::hasElementwiseMappableTraits(&op) || isForScalars(op) || !hasVectorMath(op))
    return false;
  return fitsVector(op.getResult(0).getType()) && llvm::all_of(op.getOperandTypes(), fitsVector);
}

int64_t lanesOf(const LoopKernel &kernel, const HostTarget &target) {
  unsigned widest = 1;
  for (Value operand : kernel.operands) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (!fitsVector(element))
      return 1;
    widest = std::max(widest, element.isIndex() ? 8u : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u));
  }
  for (Operation &op : kernel.body->front().without_terminator()) {
    if (!isVectorizable(op))
      return 1;
    Type type = op.getResult(0).getType();
    if (type.isIntOrFloat())
      widest = std::max(widest, llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u));
  }
  int64_t lanes = std::max<int64_t>(1, llvm::bit_floor(target.vectorBytes / widest));
  // A vector lies within a block of what is packed.
  while (kernel.packedWidth % lanes != 0)
    lanes /= 2;
  return lanes;
}

Value spread(OpBuilder &builder, Location loc, Value value, int64_t lanes) {
  if (lanes == 1 || llvm::isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(builder, loc, VectorType::get({lanes}, value.getType()), value);
}

/// Whether processors multiply and add numbers of a type in one.
static bool hasFused(Type type, bool fusesHalves) { return type.isF32() || (type.isF16() && fusesHalves); }

/// a * b + c in one, where the product is for the sum alone; null elsewhere.
Value VectorBody::fuseMultiplyAdd(OpBuilder &builder, Operation &op, IRMapping &values) const {
  if (!llvm::isa<arith::AddFOp>(op) || !kernel_.reduces())
    return nullptr;
  for (unsigned side : {0u, 1u}) {
    auto product = op.getOperand(side).getDefiningOp<arith::MulFOp>();
    auto sum = llvm::dyn_cast<BlockArgument>(op.getOperand(1 - side));
    if (!product || !product->hasOneUse() || !sum || sum.getArgNumber() < kernel_.inputs ||
        !hasFused(op.getResult(0).getType(), fusesHalves_))
      continue;
    auto whole = [&](Value value) { return spread(builder, op.getLoc(), values.lookup(value), lanes_); };
    return math::FmaOp::create(builder, op.getLoc(), whole(product.getLhs()), whole(product.getRhs()), whole(sum));
  }
  return nullptr;
}

SmallVector<Value> VectorBody::copy(OpBuilder &builder, ArrayRef<Value> arguments, Place place,
                                    const IRMapping &outside) const {
  IRMapping values(outside);
  values.map(kernel_.body->getArguments(), arguments);
  for (Operation &op : kernel_.body->front().without_terminator()) {
    if (auto index = llvm::dyn_cast<linalg::IndexOp>(op)) {
      values.map(index.getResult(), place(index.getDim()));
      continue;
    }
    if (Value fused = fuseMultiplyAdd(builder, op, values)) {
      values.map(op.getResult(0), fused);
      continue;
    }
    bool uniform = llvm::none_of(
        op.getOperands(), [&](Value operand) { return llvm::isa<VectorType>(values.lookup(operand).getType()); });
    if (uniform) {
      builder.clone(op, values);
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(spread(builder, op.getLoc(), values.lookup(operand), lanes_));
    OperationState state(op.getLoc(), op.getName(), operands, VectorType::get({lanes_}, op.getResult(0).getType()),
                         op.getAttrs());
    state.propertiesAttr = op.getPropertiesAsAttribute();
    values.map(op.getResult(0), builder.create(state)->getResult(0));
  }
  SmallVector<Value> yielded;
  for (Value value : kernel_.terminator()->getOperands())
    yielded.push_back(values.lookup(value));
  return yielded;
}

Value VectorBody::combine(OpBuilder &builder, Operation *combiner, Value left, Value right) const {
  OperationState state(combiner->getLoc(), combiner->getName(), ValueRange{left, right}, left.getType(),
                       combiner->getAttrs());
  state.propertiesAttr = combiner->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

} // namespace fuselage
