// Kernels compute in types that every device has: no bf16, no odd integer widths.
//
// Upstream's emulation of bf16 (arith-emulate-unsupported-floats, math-extend-to-supported-types and arith-expand with
// include-bf16) leaves what loops carry, math.fma and conversions from and to f64 as they are, and rounds what needs no
// rounding: a dot product with a relu takes 127 SPIR-V ops instead of 92 and 107 PTX instructions instead of 96. Its
// emulation of narrow integers in SPIR-V (emulate-lt-32-bit-scalar-types) makes a sign extension of a truncation to
// i4, so that sums never wrap, and has nothing for sums of i1.
#include "core/transforms/gpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {
#define GEN_PASS_DEF_LEGALIZEKERNELTYPESPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Whether an integer of this width has no register of its own on a GPU.
bool isOddWidth(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() > 64)
    return false;
  unsigned width = integer.getWidth();
  return width != 1 && width != 8 && width != 16 && width != 32 && width != 64;
}
bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }

Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// The type that takes the place of `type`; `type` itself if it may stay.
Type legalType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<ShapedType>(type) && !isa<VectorType>(type))
    return type;
  if (isBF16(type))
    return withElement(type, Float32Type::get(context));
  if (!isOddWidth(type))
    return type;
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return withElement(type, IntegerType::get(context, std::max<unsigned>(8, llvm::PowerOf2Ceil(width))));
}

/// A value keeps its meaning in the wider type: bf16 as the same number in f32, rounded after every
/// operation; an odd integer zero-extended, with its upper bits cleared after every operation.
class Widener {
public:
  explicit Widener(gpu::GPUFuncOp kernel) : kernel(kernel), builder(kernel.getContext()) {}

  LogicalResult run() {
    legalizeBooleans();
    SmallVector<Operation *> ops;
    // Loops before their bodies: what a body computes with must have its new type by then.
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto changes = [](Type type) { return legalType(type) != type; };
      bool blockArguments = llvm::any_of(
          op->getRegions(), [&](Region &region) { return llvm::any_of(region.getArgumentTypes(), changes); });
      if (llvm::any_of(op->getOperandTypes(), changes) || llvm::any_of(op->getResultTypes(), changes) || blockArguments)
        ops.push_back(op);
    });
    for (Operation *op : ops)
      for (OpOperand &operand : op->getOpOperands())
        remember(operand.get());
    for (Operation *op : ops)
      if (failed(rewrite(op)))
        return failure();
    return success();
  }

private:
  /// Arithmetic on i1 is logic; comparing it by size needs wider integers. True is -1 when signed.
  void legalizeBooleans() {
    SmallVector<Operation *> ops;
    kernel.walk([&](Operation *op) {
      if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && op->getNumOperands() > 0 &&
          getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      if (Value value = booleanForm(op)) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      }
    }
  }

  Value booleanForm(Operation *op) {
    Location loc = op->getLoc();
    auto binary = [&](auto make) { return make(op->getOperand(0), op->getOperand(1)); };
    auto bitAnd = [&](Value a, Value b) -> Value { return arith::AndIOp::create(builder, loc, a, b); };
    auto bitOr = [&](Value a, Value b) -> Value { return arith::OrIOp::create(builder, loc, a, b); };
    if (isa<arith::AddIOp, arith::SubIOp>(op))
      return arith::XOrIOp::create(builder, loc, op->getOperand(0), op->getOperand(1));
    if (isa<arith::MulIOp, arith::MaxSIOp, arith::MinUIOp>(op))
      return binary(bitAnd);
    if (isa<arith::MinSIOp, arith::MaxUIOp>(op))
      return binary(bitOr);
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      if (llvm::is_contained({arith::CmpIPredicate::eq, arith::CmpIPredicate::ne}, compare.getPredicate()))
        return {};
      Type wide = withElement(compare.getLhs().getType(), builder.getI8Type());
      auto widen = [&](Value value) -> Value {
        if (readsSign(op))
          return arith::ExtSIOp::create(builder, loc, wide, value);
        return arith::ExtUIOp::create(builder, loc, wide, value);
      };
      return arith::CmpIOp::create(builder, loc, compare.getPredicate(), widen(compare.getLhs()),
                                   widen(compare.getRhs()));
    }
    if (isa<arith::SIToFPOp>(op)) {
      Type wide = withElement(op->getOperand(0).getType(), builder.getI32Type());
      Value extended = arith::ExtSIOp::create(builder, loc, wide, op->getOperand(0));
      return arith::SIToFPOp::create(builder, loc, op->getResult(0).getType(), extended);
    }
    return {};
  }

  /// Types as they were: rewriting changes them in place, one op after the other.
  void remember(Value value) { originalTypes.try_emplace(value, value.getType()); }
  Type originalType(Value value) {
    auto found = originalTypes.find(value);
    return found == originalTypes.end() ? value.getType() : found->second;
  }

  Value constant(Location loc, Type type, int64_t value) {
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    return createScalarOrSplatConstant(builder, loc, type, APInt(width, value, true, true));
  }

  /// Nearest bf16 number of an f32, ties to even; NaN stays NaN.
  Value roundToBF16(Location loc, Value value) {
    Type i32 = withElement(value.getType(), builder.getI32Type());
    Value bits = arith::BitcastOp::create(builder, loc, i32, value);
    Value low = arith::ShRUIOp::create(builder, loc, bits, constant(loc, i32, 16));
    Value odd = arith::AndIOp::create(builder, loc, low, constant(loc, i32, 1));
    Value bias = arith::AddIOp::create(builder, loc, odd, constant(loc, i32, 0x7fff));
    Value sum = arith::AddIOp::create(builder, loc, bits, bias);
    Value rounded = arith::AndIOp::create(builder, loc, sum, constant(loc, i32, int32_t(0xffff0000)));
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
    Value quiet = constant(loc, i32, 0x7fc00000);
    Value chosen = arith::SelectOp::create(builder, loc, isNaN, quiet, rounded);
    return arith::BitcastOp::create(builder, loc, value.getType(), chosen);
  }

  Value maskTo(Location loc, Value value, unsigned width) {
    int64_t mask = (int64_t(1) << width) - 1;
    return arith::AndIOp::create(builder, loc, value, constant(loc, value.getType(), mask));
  }

  Value signExtend(Location loc, Value value, unsigned width) {
    unsigned wide = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    Value by = constant(loc, value.getType(), wide - width);
    Value high = arith::ShLIOp::create(builder, loc, value, by);
    return arith::ShRSIOp::create(builder, loc, high, by);
  }

  /// Integer of any width to another width of the legal ones.
  Value resize(Location loc, Value value, Type type, bool isSigned) {
    unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (from == to)
      return value;
    if (from > to)
      return arith::TruncIOp::create(builder, loc, type, value);
    if (isSigned)
      return arith::ExtSIOp::create(builder, loc, type, value);
    return arith::ExtUIOp::create(builder, loc, type, value);
  }

  static bool readsSign(Operation *op) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      switch (compare.getPredicate()) {
      case arith::CmpIPredicate::slt:
      case arith::CmpIPredicate::sle:
      case arith::CmpIPredicate::sgt:
      case arith::CmpIPredicate::sge:
        return true;
      default:
        return false;
      }
    return isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::ShRSIOp, arith::MaxSIOp,
               arith::MinSIOp, arith::SIToFPOp, arith::IndexCastOp, math::AbsIOp>(op);
  }

  /// Ops whose result is a number of the narrow type already.
  static bool isExact(Operation *op) {
    return isa<arith::SelectOp, arith::NegFOp, math::AbsFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
               arith::MinNumFOp, math::CopySignOp, math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
               math::RoundEvenOp, arith::AndIOp, arith::OrIOp, arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp,
               arith::MaxUIOp, arith::MinUIOp>(op);
  }

  /// Structured control flow and moves: only types change.
  static bool onlyMoves(Operation *op) {
    return op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() ||
           isa<vector::BroadcastOp, vector::ExtractOp, vector::InsertOp, vector::ShapeCastOp, vector::FromElementsOp,
               vector::ToElementsOp, vector::ShuffleOp, vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp,
               vector::TransposeOp>(op);
  }

  LogicalResult rewrite(Operation *op) {
    builder.setInsertionPoint(op);
    if (auto value = dyn_cast<arith::ConstantOp>(op))
      return rewriteConstant(value);
    if (isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op))
      return rewriteCast(op);
    if (auto cast = dyn_cast<vector::BitCastOp>(op))
      return rewriteVectorCast(cast);
    if (onlyMoves(op)) {
      changeTypes(op);
      return success();
    }
    // Of several results, such as the halves of a product, each has a meaning of its own.
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) || op->getNumResults() > 1)
      return op->emitOpError("cannot run on a GPU with operands of these types");
    Type resultType = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
    if (readsSign(op))
      for (OpOperand &operand : op->getOpOperands())
        if (Type type = originalType(operand.get()); isOddWidth(type))
          operand.set(signExtend(op->getLoc(), operand.get(), getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
    adjustZeroCount(op);
    changeTypes(op);
    if (!resultType || resultType == op->getResult(0).getType() || isExact(op))
      return success();
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    Value fixed = isBF16(resultType)
                      ? roundToBF16(op->getLoc(), result)
                      : maskTo(op->getLoc(), result, getElementTypeOrSelf(resultType).getIntOrFloatBitWidth());
    originalTypes[fixed] = resultType;
    result.replaceUsesWithIf(fixed, [&](OpOperand &use) { return !isPartOf(use.getOwner(), fixed); });
    return success();
  }

  /// The zeros above a narrow integer are no part of it: a one right after its end stops the count.
  void adjustZeroCount(Operation *op) {
    if (!isa<math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op) || !isOddWidth(op->getResult(0).getType()))
      return;
    Location loc = op->getLoc();
    Value input = op->getOperand(0);
    unsigned narrow = getElementTypeOrSelf(op->getResult(0).getType()).getIntOrFloatBitWidth();
    unsigned wide = getElementTypeOrSelf(input.getType()).getIntOrFloatBitWidth();
    if (isa<math::CountLeadingZerosOp>(op)) {
      Value by = constant(loc, input.getType(), wide - narrow);
      input = arith::ShLIOp::create(builder, loc, input, by);
      int64_t below = int64_t(1) << (wide - narrow - 1);
      input = arith::OrIOp::create(builder, loc, input, constant(loc, input.getType(), below));
    } else {
      input = arith::OrIOp::create(builder, loc, input, constant(loc, input.getType(), int64_t(1) << narrow));
    }
    op->setOperand(0, input);
  }

  /// Whether `op` is one of the ops that compute `fixed` from the value it replaces.
  bool isPartOf(Operation *op, Value fixed) {
    Operation *last = fixed.getDefiningOp();
    if (op->getBlock() != last->getBlock())
      return false;
    return op == last || (op->isBeforeInBlock(last));
  }

  void changeTypes(Operation *op) {
    for (OpResult result : op->getResults()) {
      remember(result);
      result.setType(legalType(result.getType()));
    }
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments()) {
        remember(argument);
        argument.setType(legalType(argument.getType()));
      }
  }

  LogicalResult rewriteConstant(arith::ConstantOp op) {
    Type type = legalType(op.getType());
    auto convert = [&](Attribute attribute) -> Attribute {
      Type element = getElementTypeOrSelf(type);
      if (auto number = dyn_cast<FloatAttr>(attribute))
        return builder.getFloatAttr(element, number.getValueAsDouble());
      APInt value = cast<IntegerAttr>(attribute).getValue();
      return builder.getIntegerAttr(element, value.zext(element.getIntOrFloatBitWidth()));
    };
    TypedAttr attribute;
    if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue())) {
      SmallVector<Attribute> values;
      for (Attribute value : dense.getValues<Attribute>())
        values.push_back(convert(value));
      attribute = DenseElementsAttr::get(cast<ShapedType>(type), values);
    } else {
      attribute = cast<TypedAttr>(convert(op.getValue()));
    }
    remember(op.getResult());
    op.setValueAttr(attribute);
    op.getResult().setType(type);
    return success();
  }

  /// The upper halves of f32 as i16, and back.
  Value bitsOfBF16(Location loc, Value value) {
    Type i16 = withElement(value.getType(), builder.getI16Type()),
         i32 = withElement(value.getType(), builder.getI32Type());
    Value bits = arith::BitcastOp::create(builder, loc, i32, value);
    Value high = arith::ShRUIOp::create(builder, loc, bits, constant(loc, i32, 16));
    return arith::TruncIOp::create(builder, loc, i16, high);
  }
  Value fromBitsOfBF16(Location loc, Value bits) {
    Type i32 = withElement(bits.getType(), builder.getI32Type()),
         f32 = withElement(bits.getType(), builder.getF32Type());
    Value wide = arith::ExtUIOp::create(builder, loc, i32, bits);
    Value high = arith::ShLIOp::create(builder, loc, wide, constant(loc, i32, 16));
    return arith::BitcastOp::create(builder, loc, f32, high);
  }

  /// What lies in memory as words of another width: elements of bf16 are its halves.
  LogicalResult rewriteVectorCast(vector::BitCastOp op) {
    Value input = op.getSource();
    Type from = originalType(input);
    VectorType to = op.getResultVectorType();
    if (isOddWidth(from) || isOddWidth(to))
      return op->emitOpError("reinterprets an integer of odd width; widen it first");
    Location loc = op.getLoc();
    Value value = isBF16(from) ? bitsOfBF16(loc, input) : input;
    Type stored = isBF16(to) ? withElement(to, builder.getI16Type()) : Type(to);
    if (value.getType() != stored)
      value = vector::BitCastOp::create(builder, loc, stored, value);
    if (isBF16(to))
      value = fromBitsOfBF16(loc, value);
    originalTypes[value] = to;
    op.getResult().replaceAllUsesWith(value);
    op->erase();
    return success();
  }

  LogicalResult rewriteCast(Operation *op) {
    Location loc = op->getLoc();
    Value input = op->getOperand(0);
    Type from = originalType(input), to = op->getResult(0).getType(), legal = legalType(to);
    unsigned fromWidth = getElementTypeOrSelf(from).getIntOrFloatBitWidth();
    Value value = input;
    if (isa<arith::ExtFOp>(op)) {
      if (value.getType() != legal)
        value = arith::ExtFOp::create(builder, loc, legal, value);
    } else if (isa<arith::TruncFOp>(op)) {
      if (getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() >
          getElementTypeOrSelf(legal).getIntOrFloatBitWidth())
        value = arith::TruncFOp::create(builder, loc, legal, value);
      if (isBF16(to))
        value = roundToBF16(loc, value);
    } else if (isa<arith::BitcastOp>(op)) {
      if (isOddWidth(from) || isOddWidth(to))
        return op->emitOpError("reinterprets an integer of odd width; widen it first");
      Type i16 = withElement(to, builder.getI16Type());
      if (isBF16(from))
        value = bitsOfBF16(loc, value);
      else if (value.getType() != i16)
        value = arith::BitcastOp::create(builder, loc, i16, value);
      if (isBF16(to)) {
        value = fromBitsOfBF16(loc, value);
      } else if (value.getType() != to) {
        value = arith::BitcastOp::create(builder, loc, to, value);
      }
    } else {
      bool isSigned = isa<arith::ExtSIOp>(op);
      if (isSigned && isOddWidth(from))
        value = signExtend(loc, value, fromWidth);
      value = resize(loc, value, legal, isSigned);
      if (isOddWidth(to))
        value = maskTo(loc, value, getElementTypeOrSelf(to).getIntOrFloatBitWidth());
    }
    if (value != input)
      originalTypes[value] = to;
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  }

  gpu::GPUFuncOp kernel;
  OpBuilder builder;
  llvm::DenseMap<Value, Type> originalTypes;
};

struct LegalizeKernelTypes : fuselage::impl::LegalizeKernelTypesPassBase<LegalizeKernelTypes> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      return failed(Widener(kernel).run()) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
