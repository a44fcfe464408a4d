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

/// Functions that both targets compute in any float type.
bool isBasic(Operation *op) {
  return isa<math::AbsFOp, math::SqrtOp, math::RsqrtOp, math::FloorOp, math::CeilOp, math::TruncOp,
             math::RoundOp, math::RoundEvenOp, math::FmaOp, math::CopySignOp, math::IsNaNOp,
             math::IsInfOp, math::IsFiniteOp, math::IsNormalOp, math::ClampFOp>(op);
}

/// Computes functions of f16 and f64 numbers in f32, the only type they have everywhere.
void computeInF32(Operation *op) {
  if (isBasic(op) || op->getNumResults() == 0)
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
                             "copysign", "ctpop"};
    for (StringRef name : {"exp", "log", "sin", "cos", "tanh", "rsqrt", "round"})
      if (spirv)
        native.insert(name);
    SmallVector<StringRef> expanded{"sinh",  "cosh", "tan",  "asinh", "acosh", "atanh", "powf",
                                    "fpowi", "ipowi", "exp2", "clampf", "sincos"};
    if (!spirv)
      llvm::append_range(expanded, ArrayRef<StringRef>{"rsqrt", "round"});
    if (spirv)
      llvm::append_range(expanded, ArrayRef<StringRef>{"ctlz"});

    RewritePatternSet patterns(&getContext());
    math::populateExpansionPatterns(patterns, expanded);
    populateMathPolynomialApproximationPatterns(patterns, [&](StringRef name) {
      name.consume_front("math.");
      return !native.contains(name);
    });
    FrozenRewritePatternSet frozen(std::move(patterns));
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](Operation *op) {
        if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
          computeInF32(op);
      });
      return failed(applyPatternsGreedily(kernel, frozen)) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
