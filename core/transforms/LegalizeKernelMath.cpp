// Math functions in terms of what the target computes by itself, without a device library.
#include "core/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {
#define GEN_PASS_DEF_LEGALIZEKERNELMATHPASS
#include "core/transforms/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Functions that both targets compute in f64 too.
bool isBasic(Operation *op) {
  return isa<math::AbsFOp, math::SqrtOp, math::RsqrtOp, math::FloorOp, math::CeilOp, math::TruncOp,
             math::RoundOp, math::RoundEvenOp, math::FmaOp, math::CopySignOp, math::IsNaNOp,
             math::IsInfOp, math::IsFiniteOp, math::IsNormalOp, math::ClampFOp>(op);
}

/// Computes functions of f16 and f64 numbers in f32, the only type they have everywhere.
void computeInF32(Operation *op) {
  auto isF64 = [](Type type) { return getElementTypeOrSelf(type).isF64(); };
  if (isBasic(op) && llvm::any_of(op->getOperandTypes(), isF64))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto inF32 = [&](Type type) -> Type {
    Type f32 = builder.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(f32);
    return f32;
  };
  auto isOther = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF16() || element.isF64();
  };
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (!isOther(type))
      continue;
    bool widens = getElementTypeOrSelf(type).isF16();
    operand.set(widens ? Value(arith::ExtFOp::create(builder, loc, inF32(type), operand.get()))
                       : Value(arith::TruncFOp::create(builder, loc, inF32(type), operand.get())));
  }
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type type = result.getType();
    if (!isOther(type))
      continue;
    result.setType(inF32(type));
    Operation *back = getElementTypeOrSelf(type).isF16()
                          ? arith::TruncFOp::create(builder, loc, type, result).getOperation()
                          : arith::ExtFOp::create(builder, loc, type, result).getOperation();
    result.replaceAllUsesExcept(back->getResult(0), back);
  }
}

/// Rewrites single functions that no stock pattern knows.
class DirectExpansion {
public:
  explicit DirectExpansion(Operation *op)
      : op(op), builder(op), loc(op->getLoc()),
        type(op->getNumOperands() ? op->getOperand(0).getType() : Type()) {}

  /// The value in place of the op's result; null to leave the op alone.
  Value expand() {
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      return expandFloat(op->getOperand(0));
    if (isa<math::AbsIOp>(op))
      return arith::MaxSIOp::create(builder, loc, op->getOperand(0),
                                    arith::SubIOp::create(builder, loc, number(0), op->getOperand(0)));
    if (!isa<IntegerType>(type))
      return {};
    if (isa<math::CtPopOp>(op))
      return countOnes(op->getOperand(0));
    if (isa<math::CountTrailingZerosOp>(op)) {
      // The ones of ~x & (x - 1) are the zeros below the lowest one of x.
      Value x = op->getOperand(0);
      Value inverted = arith::XOrIOp::create(builder, loc, x, number(-1));
      Value below = arith::SubIOp::create(builder, loc, x, number(1));
      return countOnes(arith::AndIOp::create(builder, loc, inverted, below));
    }
    return {};
  }

private:
  Value expandFloat(Value x) {
    auto infinity = [&] {
      auto element = cast<FloatType>(getElementTypeOrSelf(type));
      return splat(builder.getFloatAttr(element, APFloat::getInf(element.getFloatSemantics())));
    };
    auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) -> Value {
      return arith::CmpFOp::create(builder, loc, predicate, a, b);
    };
    if (isa<math::IsNaNOp>(op))
      return compare(arith::CmpFPredicate::UNO, x, x);
    if (isa<math::IsInfOp>(op))
      return compare(arith::CmpFPredicate::OEQ, math::AbsFOp::create(builder, loc, x), infinity());
    if (isa<math::IsFiniteOp>(op))
      return compare(arith::CmpFPredicate::OLT, math::AbsFOp::create(builder, loc, x), infinity());
    if (isa<math::IsNormalOp>(op)) {
      auto element = cast<FloatType>(getElementTypeOrSelf(type));
      Value least = splat(builder.getFloatAttr(
          element, APFloat::getSmallestNormalized(element.getFloatSemantics())));
      Value magnitude = math::AbsFOp::create(builder, loc, x);
      return arith::AndIOp::create(builder, loc, compare(arith::CmpFPredicate::OGE, magnitude, least),
                                   compare(arith::CmpFPredicate::OLT, magnitude, infinity()));
    }
    if (isa<math::Log10Op>(op)) {
      Value scale = splat(builder.getFloatAttr(getElementTypeOrSelf(type), 0.43429448190325182765));
      return arith::MulFOp::create(builder, loc, math::LogOp::create(builder, loc, x), scale);
    }
    if (isa<math::TruncOp>(op)) {
      Value zero = splat(builder.getFloatAttr(getElementTypeOrSelf(type), 0.0));
      Value negative = compare(arith::CmpFPredicate::OLT, x, zero);
      return arith::SelectOp::create(builder, loc, negative, math::CeilOp::create(builder, loc, x),
                                     math::FloorOp::create(builder, loc, x));
    }
    return {};
  }

  /// Adds up ever wider groups of bits.
  Value countOnes(Value x) {
    unsigned width = type.getIntOrFloatBitWidth();
    for (unsigned group = 1; group < width; group *= 2) {
      APInt pattern = APInt::getSplat(width, APInt::getLowBitsSet(2 * group, group));
      Value mask = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, pattern));
      Value low = arith::AndIOp::create(builder, loc, x, mask);
      Value moved = arith::ShRUIOp::create(builder, loc, x, number(group));
      x = arith::AddIOp::create(builder, loc, low, arith::AndIOp::create(builder, loc, moved, mask));
    }
    return x;
  }

  Value number(int64_t value) {
    Type element = getElementTypeOrSelf(type);
    return splat(builder.getIntegerAttr(element, APInt(element.getIntOrFloatBitWidth(), value, true, true)));
  }
  Value splat(TypedAttr attribute) {
    if (auto vector = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, Attribute(attribute)));
    return arith::ConstantOp::create(builder, loc, attribute);
  }

  Operation *op;
  OpBuilder builder;
  Location loc;
  Type type;
};

/// Brings one op into f32 where needed and expands it where no pattern would.
void legalizeOp(Operation *op) {
  if (!isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return;
  computeInF32(op);
  if (Value value = DirectExpansion(op).expand()) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}

/// Lets LLVM fuse a multiplication and an addition into one instruction, as GPU compilers do unless
/// told otherwise; SPIR-V consumers may anyway.
void allowContraction(Operation *op) {
  auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!arithmetic || !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    return;
  arith::FastMathFlags flags =
      arithmetic.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
  op->setAttr(arithmetic.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

/// Lowers one function at a time, named as in the math dialect.
struct LegalizeKernelMath : fuselage::impl::LegalizeKernelMathPassBase<LegalizeKernelMath> {
  using LegalizeKernelMathPassBase::LegalizeKernelMathPassBase;

  void runOnOperation() override {
    bool spirv = target == "spirv";
    if (!spirv && target != "nvvm") {
      getOperation()->emitError() << "unknown target '" << target << "'; use spirv or nvvm";
      return signalPassFailure();
    }
    // What remains after the first round is expressed in functions of the second.
    llvm::StringSet<> native{"absf", "absi", "sqrt", "floor", "ceil", "trunc", "fma", "roundeven",
                             "copysign"};
    for (StringRef name : {"exp", "log", "sin", "cos", "tanh", "rsqrt", "round"})
      if (spirv)
        native.insert(name);
    SmallVector<StringRef> expanded{"sinh",  "cosh", "tan",  "asinh", "acosh", "atanh", "powf",
                                    "fpowi", "ipowi", "exp2", "clampf", "sincos", "ctlz"};
    if (!spirv)
      llvm::append_range(expanded, ArrayRef<StringRef>{"rsqrt", "round"});

    RewritePatternSet patterns(&getContext());
    math::populateExpansionPatterns(patterns, expanded);
    populateMathPolynomialApproximationPatterns(patterns, [&](StringRef name) {
      name.consume_front("math.");
      return !native.contains(name);
    });
    FrozenRewritePatternSet frozen(std::move(patterns));
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](Operation *op) { legalizeOp(op); });
      if (!spirv)
        kernel.walk(allowContraction);
      return failed(applyPatternsGreedily(kernel, frozen)) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
