// Math functions in terms of what the target computes by itself, without a device library.
#include "core/transforms/gpu/MathExpansion.h"
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/gpu/StrictRounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fuselage {
#define GEN_PASS_DEF_LEGALIZEKERNELMATHPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Functions that both targets compute in f64 too, a power by multiplications among them.
bool isBasic(Operation *op) {
  if (isa<math::FPowIOp>(op))
    return matchPattern(op->getOperand(1), m_Constant());
  return isa<math::AbsFOp, math::SqrtOp, math::RsqrtOp, math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
             math::RoundEvenOp, math::FmaOp, math::CopySignOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp,
             math::IsNormalOp, math::ClampFOp>(op);
}

bool isF64(Type type) { return getElementTypeOrSelf(type).isF64(); }

/// Computes functions of f16 numbers in f32, and rounds each result.
LogicalResult computeInF32(gpu::GPUFuncOp kernel) {
  // Upstream's conversion asks each op for its dialect; what has none is refused by the conversions that follow.
  if (kernel.walk([](Operation *op) { return op->isRegistered() ? WalkResult::advance() : WalkResult::interrupt(); })
          .wasInterrupted())
    return success();
  Builder builder(kernel.getContext());
  SetVector<Type> sufficient;
  sufficient.insert(builder.getF32Type());
  sufficient.insert(builder.getF64Type());
  TypeConverter types;
  math::populateExtendToSupportedTypesTypeConverter(types, sufficient, builder.getF32Type());
  ConversionTarget extended(*kernel.getContext());
  math::populateExtendToSupportedTypesConversionTarget(extended, types);
  RewritePatternSet patterns(kernel.getContext());
  math::populateExtendToSupportedTypesPatterns(patterns, types);
  if (failed(applyPartialConversion(kernel, extended, std::move(patterns))))
    return failure();
  roundStrictly(kernel);
  return success();
}

/// What LLVM computes on an NVIDIA GPU without a device library, by the name of its intrinsic.
StringRef intrinsicOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AbsFOp) { return "llvm.fabs"; })
      .Case([](math::SqrtOp) { return "llvm.sqrt"; })
      .Case([](math::FloorOp) { return "llvm.floor"; })
      .Case([](math::CeilOp) { return "llvm.ceil"; })
      .Case([](math::RoundEvenOp) { return "llvm.roundeven"; })
      .Case([](math::CopySignOp) { return "llvm.copysign"; })
      .Case([](math::FmaOp) { return "llvm.fma"; })
      .Default([](Operation *) { return ""; });
}

/// The conversion to NVVM would call the device library for these.
void useIntrinsic(Operation *op) {
  StringRef name = intrinsicOf(op);
  if (name.empty())
    return;
  OpBuilder builder(op);
  auto call = LLVM::CallIntrinsicOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                            builder.getStringAttr(name), op->getOperands());
  op->getResult(0).replaceAllUsesWith(call->getResult(0));
  op->erase();
}

/// Lets LLVM fuse a multiplication and an addition into one instruction, as GPU compilers do unless
/// told otherwise; SPIR-V consumers may anyway.
void allowContraction(Operation *op) {
  auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!arithmetic || !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    return;
  arith::FastMathFlags flags = arithmetic.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
  op->setAttr(arithmetic.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

/// Lowers one function at a time, named as in the math dialect.
struct LegalizeKernelMath : fuselage::impl::LegalizeKernelMathPassBase<LegalizeKernelMath> {
  using LegalizeKernelMathPassBase::LegalizeKernelMathPassBase;

  void runOnOperation() override {
    bool spirv = target == "spirv";
    if ((!spirv && target != "nvvm") || (spirv && libdevice)) {
      getOperation()->emitError() << "unknown target '" << target
                                  << "'; use spirv or nvvm, and libdevice with nvvm only";
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    addPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.walk([&](Operation *op) { return refuseF64(op); }).wasInterrupted() || failed(computeInF32(kernel)))
        return WalkResult::interrupt();
      kernel.walk([&](Operation *op) { expand(op); });
      if (!spirv)
        kernel.walk(allowContraction);
      if (failed(applyPatternsGreedily(kernel, frozen)))
        return WalkResult::interrupt();
      if (!libdevice)
        kernel.walk([](Operation *op) { replace(op, expandElementary(op)); });
      if (!spirv && !libdevice)
        kernel.walk(useIntrinsic);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// What remains after the first round is expressed in functions of the second.
  void addPatterns(RewritePatternSet &patterns) {
    if (libdevice)
      return math::populateExpansionPatterns(patterns, {"ipowi", "sincos", "ctlz"});
    bool spirv = target == "spirv";
    // SPIR-V's log is good to no more than 2^-21 of the largest result around 1.
    llvm::StringSet<> native{"absf", "absi",      "sqrt",     "floor", "ceil", "trunc",
                             "fma",  "roundeven", "copysign", "exp",   "sin",  "cos"};
    if (spirv)
      native.insert("rsqrt");
    SmallVector<StringRef> expanded{"tan", "ipowi", "exp2", "sincos", "ctlz"};
    if (!spirv)
      expanded.push_back("rsqrt");
    math::populateExpansionPatterns(patterns, expanded);
    populateMathPolynomialApproximationPatterns(patterns, [&](StringRef name) {
      name.consume_front("math.");
      return !native.contains(name);
    });
  }

  /// Fails on a function of f64 numbers that the target does not compute.
  WalkResult refuseF64(Operation *op) {
    if (libdevice || !isa_and_nonnull<math::MathDialect>(op->getDialect()) || isBasic(op) ||
        llvm::none_of(op->getOperandTypes(), isF64))
      return WalkResult::advance();
    // Bodies of named ops have no place of their own.
    Operation *placed = op;
    while (isa<UnknownLoc>(placed->getLoc()) && placed->getParentOp())
      placed = placed->getParentOp();
    auto diagnostic = emitError(placed->getLoc()) << "'" << op->getName() << "' op takes f64 numbers, and ";
    if (target == "spirv")
      diagnostic << "Vulkan has the function for 32 bits only";
    else
      diagnostic << "PTX has the function in CUDA's libdevice only: set CUDA_HOME to a toolkit "
                    "that holds nvvm/libdevice";
    return WalkResult::interrupt();
  }

  /// Expands one op where no pattern would.
  void expand(Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()))
      return;
    // libdevice has the functions of floating-point numbers but for these. Upstream's expansion of fpowi makes -inf of
    // 0 to a negative power.
    if (libdevice && isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) &&
        !isa<math::TruncOp, math::ClampFOp>(op) && !(isa<math::FPowIOp>(op) && isBasic(op)))
      return;
    if (target == "spirv" && isa<math::RoundEvenOp>(op) && isF64(op->getResult(0).getType()))
      return replace(op, expandRoundEven(op));
    replace(op, expandMath(op));
  }

  static void replace(Operation *op, Value value) {
    if (!value)
      return;
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
};

} // namespace
