#include "core/codegen/host/safety/HostChecks.h"
#include "core/codegen/host/safety/AccessChecks.h"
#include "core/executable/HostSymbols.h"
#include "core/ir/Session.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"

using namespace mlir;

namespace fuselage {

/// "fuselage: out-of-bounds access in 'tensor.extract' of %row (a.mlir:3:8)"; the name where the file has one.
static std::string messageFor(Operation *op, StringRef what) {
  std::string place = formatPosition(positionOf(op));
  std::string text = (kCheckMark + what + " in '" + op->getName().getStringRef() + "'").str();
  if (auto named = llvm::dyn_cast<NameLoc>(op->getLoc()))
    text += " of %" + named.getName().str();
  return place.empty() ? text : text + " (" + place + ")";
}

static void assertThat(OpBuilder &builder, Operation *op, Value holds, StringRef otherwise) {
  cf::AssertOp::create(builder, op->getLoc(), holds, messageFor(op, otherwise));
}

static Value constantLike(OpBuilder &builder, Location loc, Type type, const APInt &value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

static Value compare(OpBuilder &builder, Location loc, arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

/// Division by zero, and of the least number by -1.
static void checkDivision(OpBuilder &builder, Operation *op) {
  bool isSigned = llvm::isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp, index::DivSOp,
                            index::RemSOp, index::CeilDivSOp, index::FloorDivSOp>(op);
  bool isUnsigned =
      llvm::isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp, index::RemUOp, index::CeilDivUOp>(
          op);
  if (!isSigned && !isUnsigned)
    return;
  Value left = op->getOperand(0), right = op->getOperand(1);
  Type type = right.getType();
  if (!type.isIntOrIndex())
    return;
  APInt known;
  bool isKnown = matchPattern(right, m_ConstantInt(&known));
  if (isKnown && !known.isZero() && !(isSigned && known.isAllOnes()))
    return;
  Location loc = op->getLoc();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value zero = constantLike(builder, loc, type, APInt(width, 0));
  assertThat(builder, op, compare(builder, loc, arith::CmpIPredicate::ne, right, zero), "division by zero");
  if (!isSigned || width == 1)
    return;
  Value least = constantLike(builder, loc, type, APInt::getSignedMinValue(width));
  Value minusOne = constantLike(builder, loc, type, APInt::getAllOnes(width));
  Value fits = arith::OrIOp::create(builder, loc, compare(builder, loc, arith::CmpIPredicate::ne, left, least),
                                    compare(builder, loc, arith::CmpIPredicate::ne, right, minusOne));
  assertThat(builder, op, fits, "a division that overflows");
}

/// A whole power of zero that is less than zero is a division by it.
static void checkPower(OpBuilder &builder, math::IPowIOp op) {
  if (!op.getType().isInteger())
    return;
  Location loc = op.getLoc();
  Value zero = constantLike(builder, loc, op.getType(), APInt(op.getType().getIntOrFloatBitWidth(), 0));
  Value holds = arith::OrIOp::create(builder, loc, compare(builder, loc, arith::CmpIPredicate::ne, op.getLhs(), zero),
                                     compare(builder, loc, arith::CmpIPredicate::sge, op.getRhs(), zero));
  assertThat(builder, op, holds, "division by zero");
}

/// That `count` elements from `first` on lie within a dimension of what is read or written.
static void checkRange(OpBuilder &builder, Operation *op, Value first, int64_t count, Value whole, int64_t dim) {
  Location loc = op->getLoc();
  int64_t size = llvm::cast<ShapedType>(whole.getType()).getDimSize(dim);
  APInt known;
  if (!ShapedType::isDynamic(size) && matchPattern(first, m_ConstantInt(&known)) && !known.isNegative() &&
      known.sle(size - count))
    return;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value end = arith::AddIOp::create(builder, loc, first, arith::ConstantIndexOp::create(builder, loc, count));
  Value limit = llvm::isa<MemRefType>(whole.getType()) ? memref::DimOp::create(builder, loc, whole, dim).getResult()
                                                       : tensor::DimOp::create(builder, loc, whole, dim).getResult();
  Value within = arith::AndIOp::create(builder, loc, compare(builder, loc, arith::CmpIPredicate::sge, first, zero),
                                       compare(builder, loc, arith::CmpIPredicate::sle, end, limit));
  assertThat(builder, op, within, "out-of-bounds access");
}

/// Transfers of vectors, in the dimensions that they promise to stay within, and loads and stores.
static void checkVectors(OpBuilder &builder, Operation *op) {
  if (auto transfer = llvm::dyn_cast<VectorTransferOpInterface>(op)) {
    VectorType type = transfer.getVectorType();
    if (transfer.getMask() || type.isScalable() || llvm::isa<vector::MaskOp>(op->getParentOp()))
      return;
    for (auto [dim, result] : llvm::enumerate(transfer.getPermutationMap().getResults()))
      if (auto position = llvm::dyn_cast<AffineDimExpr>(result); position && transfer.isDimInBounds(dim))
        checkRange(builder, op, transfer.getIndices()[position.getPosition()], type.getDimSize(dim), transfer.getBase(),
                   position.getPosition());
    for (auto [dim, index] : llvm::enumerate(transfer.getIndices()))
      if (llvm::none_of(transfer.getPermutationMap().getResults(),
                        [&, at = dim](AffineExpr result) { return result.isFunctionOfDim(at); }))
        checkRange(builder, op, index, 1, transfer.getBase(), dim);
    return;
  }
  auto check = [&](Value base, ValueRange indices, VectorType type) {
    if (type.isScalable())
      return;
    int64_t outer = int64_t(indices.size()) - type.getRank();
    for (auto [dim, index] : llvm::enumerate(indices))
      checkRange(builder, op, index, int64_t(dim) < outer ? 1 : type.getDimSize(dim - outer), base, dim);
  };
  if (auto load = llvm::dyn_cast<vector::LoadOp>(op))
    check(load.getBase(), load.getIndices(), load.getVectorType());
  else if (auto store = llvm::dyn_cast<vector::StoreOp>(op))
    check(store.getBase(), store.getIndices(), store.getVectorType());
}

static void checkAtLeast(OpBuilder &builder, Operation *op, ValueRange values, int64_t least, StringRef otherwise) {
  for (Value value : values) {
    APInt known;
    if (matchPattern(value, m_ConstantInt(&known)) && known.sge(least))
      continue;
    Value bound = arith::ConstantIndexOp::create(builder, op->getLoc(), least);
    assertThat(builder, op, compare(builder, op->getLoc(), arith::CmpIPredicate::sge, value, bound), otherwise);
  }
}

/// Sizes that are computed, and amounts of padding.
static void checkSizes(OpBuilder &builder, Operation *op) {
  ValueRange sizes;
  if (auto empty = llvm::dyn_cast<tensor::EmptyOp>(op))
    sizes = empty.getDynamicSizes();
  else if (auto generate = llvm::dyn_cast<tensor::GenerateOp>(op))
    sizes = generate.getDynamicExtents();
  else if (auto splat = llvm::dyn_cast<tensor::SplatOp>(op))
    sizes = splat.getDynamicSizes();
  else if (auto alloc = llvm::dyn_cast<memref::AllocOp>(op))
    sizes = alloc.getDynamicSizes();
  else if (auto alloca = llvm::dyn_cast<memref::AllocaOp>(op))
    sizes = alloca.getDynamicSizes();
  else if (auto alloc = llvm::dyn_cast<bufferization::AllocTensorOp>(op))
    sizes = alloc.getDynamicSizes();
  checkAtLeast(builder, op, sizes, 0, "a negative size");
  if (auto pad = llvm::dyn_cast<tensor::PadOp>(op)) {
    checkAtLeast(builder, op, pad.getLow(), 0, "negative padding");
    checkAtLeast(builder, op, pad.getHigh(), 0, "negative padding");
  }
}

/// The sizes that a dimension is cut into must multiply to it.
static void checkExpansion(OpBuilder &builder, tensor::ExpandShapeOp op) {
  Location loc = op.getLoc();
  checkAtLeast(builder, op, op.getOutputShape(), 0, "a negative size");
  SmallVector<OpFoldResult> sizes = getMixedValues(op.getStaticOutputShape(), op.getOutputShape(), builder);
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (llvm::none_of(group, [&](int64_t part) { return ShapedType::isDynamic(op.getStaticOutputShape()[part]); }))
      continue;
    Value product = arith::ConstantIndexOp::create(builder, loc, 1);
    for (int64_t part : group)
      product =
          arith::MulIOp::create(builder, loc, product, getValueOrCreateConstantIndexOp(builder, loc, sizes[part]));
    Value whole = tensor::DimOp::create(builder, loc, op.getSrc(), dim);
    assertThat(builder, op, compare(builder, loc, arith::CmpIPredicate::eq, product, whole),
               "sizes that do not multiply to the dimension that they cut");
  }
}

/// That a slice lies within the tensor that it is written to, and is as large as what is written.
static void checkInsertion(OpBuilder &builder, OffsetSizeAndStrideOpInterface op, Value source, Value destination) {
  Location loc = op.getLoc();
  auto valueOf = [&](OpFoldResult part) { return getValueOrCreateConstantIndexOp(builder, loc, part); };
  auto isKnown = [](OpFoldResult part) { return getConstantIntValue(part).has_value(); };
  auto type = llvm::cast<RankedTensorType>(destination.getType());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    if (!type.isDynamicDim(dim) && isKnown(offset) && isKnown(size) && isKnown(stride))
      continue; // the verifier's
    Value first = valueOf(offset), count = valueOf(size);
    Value steps = arith::MulIOp::create(builder, loc, arith::SubIOp::create(builder, loc, count, one), valueOf(stride));
    Value last = arith::AddIOp::create(builder, loc, first, steps);
    Value end = tensor::DimOp::create(builder, loc, destination, dim);
    auto within = [&](Value at) -> Value {
      return arith::AndIOp::create(builder, loc, compare(builder, loc, arith::CmpIPredicate::sge, at, zero),
                                   compare(builder, loc, arith::CmpIPredicate::slt, at, end));
    };
    Value inside = arith::AndIOp::create(builder, loc, within(first), within(last));
    Value empty = compare(builder, loc, arith::CmpIPredicate::eq, count, zero);
    assertThat(builder, op, arith::OrIOp::create(builder, loc, empty, inside), "a slice out of bounds");
  }
  auto piece = llvm::cast<RankedTensorType>(source.getType());
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    if (piece.getRank() != type.getRank() || (!piece.isDynamicDim(dim) && isKnown(size)))
      continue;
    Value have = tensor::DimOp::create(builder, loc, source, dim);
    assertThat(builder, op, compare(builder, loc, arith::CmpIPredicate::eq, have, valueOf(size)),
               "a slice of another size than what is written");
  }
}

/// Whether a slice of known shape lies in what it is cut from.
static bool isInside(tensor::ExtractSliceOp slice) {
  auto isKnown = [](ArrayRef<int64_t> numbers) { return llvm::none_of(numbers, ShapedType::isDynamic); };
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  return isKnown(shape) && isKnown(slice.getStaticOffsets()) && isKnown(slice.getStaticSizes()) &&
         isKnown(slice.getStaticStrides()) &&
         verifyInBoundsSlice(shape, slice.getStaticOffsets(), slice.getStaticSizes(), slice.getStaticStrides()).isValid;
}

/// Structured ops of known shapes have been verified already. Checks that always hold would be programs of their own
/// (HostChain.h).
static bool mayFail(Operation *op) {
  if (auto slice = llvm::dyn_cast<tensor::ExtractSliceOp>(op))
    return !isInside(slice);
  if (!llvm::isa<linalg::LinalgOp>(op))
    return true;
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto shaped = llvm::dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  });
}

static void checkOp(OpBuilder &builder, Operation *op) {
  builder.setInsertionPoint(op);
  if (auto verifiable = llvm::dyn_cast<RuntimeVerifiableOpInterface>(op); verifiable && mayFail(op))
    verifiable.generateRuntimeVerification(builder, op->getLoc(), messageFor);
  builder.setInsertionPoint(op);
  checkAccess(builder, op, [&](Value holds, StringRef otherwise) { assertThat(builder, op, holds, otherwise); });
  builder.setInsertionPoint(op);
  checkDivision(builder, op);
  checkVectors(builder, op);
  if (auto power = llvm::dyn_cast<math::IPowIOp>(op))
    checkPower(builder, power);
  checkSizes(builder, op);
  if (auto expand = llvm::dyn_cast<tensor::ExpandShapeOp>(op))
    checkExpansion(builder, expand);
  if (auto insert = llvm::dyn_cast<tensor::InsertSliceOp>(op))
    checkInsertion(builder, insert, insert.getSource(), insert.getDest());
  if (auto loop = llvm::dyn_cast<scf::ForOp>(op); loop && loop.getStep().getType().isIndex())
    checkAtLeast(builder, op, loop.getStep(), 1, "a step that does not go forward");
}

void insertAssertions(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  OpBuilder builder(module.getContext());
  for (Operation *op : ops)
    checkOp(builder, op);
}

} // namespace fuselage
