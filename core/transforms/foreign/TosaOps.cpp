#include "core/transforms/foreign/TosaOps.h"
#include "core/ir/ops/CollectOps.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace fuselage {

bool isTosa(Operation *op) { return isa_and_nonnull<tosa::TosaDialect>(op->getDialect()); }

bool hasTosaOps(ModuleOp module) {
  return module->walk([](Operation *op) { return isTosa(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Ops that no pattern below knows by others that they do: a transposed convolution by a convolution of a padded image.
static void decompose(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  tosa::populateTosaDecomposeTransposeConv(function.getContext(), patterns);
  tosa::populateTosaDecomposeDepthwise(function.getContext(), patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
}

/// The zero points of a quantized op.
static SmallVector<Value> zeroPointsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<tosa::AvgPool2dOp, tosa::RescaleOp>([](auto op) -> SmallVector<Value> {
        return {op.getInputZp(), op.getOutputZp()};
      })
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp>(
          [](auto op) -> SmallVector<Value> {
            return {op.getInputZp(), op.getWeightZp()};
          })
      .Case([](tosa::MatMulOp op) -> SmallVector<Value> {
        return {op.getAZp(), op.getBZp()};
      })
      .Case([](tosa::NegateOp op) -> SmallVector<Value> {
        return {op.getInput1Zp(), op.getOutputZp()};
      })
      .Default({});
}

/// Upstream's patterns take the zero points for constants, and some crash on others.
static bool hasUnknownZeroPoint(Operation *op) {
  return llvm::any_of(zeroPointsOf(op), [](Value point) { return !matchPattern(point, m_Constant()); });
}

/// Op by op, in one set: a pattern may make ops of TOSA that the next one replaces.
static void convert(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  TypeConverter types;
  tosa::populateTosaTypeConversion(types);
  RewritePatternSet patterns(context);
  tosa::populateTosaToLinalgNamedConversionPatterns(types, &patterns, {});
  tosa::populateTosaToLinalgConversionPatterns(types, &patterns);
  tosa::populateTosaToTensorConversionPatterns(types, &patterns);
  tosa::populateTosaToSCFConversionPatterns(&patterns);
  tosa::populateTosaToArithConversionPatterns(&patterns);
  tosa::populateTosaRescaleToArithConversionPatterns(&patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                         tensor::TensorDialect>();
  target.addLegalOp<tosa::ConstShapeOp>();
  function.walk([](Operation *op) {
    if (hasUnknownZeroPoint(op))
      op->emitRemark("stays as it is: its zero points are no constants");
  });
  target.markUnknownOpDynamicallyLegal(
      [](Operation *op) { return hasUnknownZeroPoint(op) ? std::optional(true) : std::nullopt; });
  (void)applyPartialConversion(function, target, std::move(patterns));
}

/// Shapes and constants that nothing reads any more.
static void eraseDead(func::FuncOp function) {
  auto isDead = [](Operation *op) { return isTosa(op) && isOpTriviallyDead(op); };
  for (SmallVector<Operation *> dead = collectOps(function, isDead); !dead.empty(); dead = collectOps(function, isDead))
    llvm::for_each(dead, [](Operation *op) { op->erase(); });
}

void lowerTosaOps(ModuleOp module) {
  if (!hasTosaOps(module))
    return;
  for (auto function : module.getOps<func::FuncOp>()) {
    decompose(function);
    convert(function);
    eraseDead(function);
  }
}

} // namespace fuselage
