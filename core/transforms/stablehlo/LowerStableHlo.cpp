#include "core/transforms/stablehlo/LowerStableHlo.h"
#include "core/ir/ops/CollectOps.h"
#include "core/ir/ops/WrittenTypes.h"
#include "core/transforms/stablehlo/CountedLoops.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/Quantized.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

bool hasHloOps(ModuleOp module) {
  return module->walk([](Operation *op) { return HloOp::isHlo(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

namespace {

/// One op of one dialect by the function that lowers it.
class HloPattern : public ConversionPattern {
public:
  HloPattern(const TypeConverter &types, StringRef op, HloLowering lowering, HloReasons &reasons, MLIRContext *context)
      : ConversionPattern(types, op, 1, context), lowering_(lowering), reasons_(reasons) {
    setDebugName(("lower " + op).str());
    setHasBoundedRewriteRecursion();
  }

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (givesNoElements(op))
      return replaceByEmpty(op, rewriter);
    HloCall call(HloOp(op), operands, rewriter, *getTypeConverter(), reasons_);
    HloResults results = lowering_(call);
    if (failed(results))
      return failure();
    // Each result may have become several.
    SmallVector<SmallVector<Value>> replacements;
    ArrayRef<Value> rest(*results);
    for (Type type : op->getResultTypes()) {
      SmallVector<Type> converted;
      if (failed(getTypeConverter()->convertType(type, converted)) || converted.size() > rest.size())
        return call.refuse("its result cannot be converted");
      replacements.emplace_back(rest.take_front(converted.size()));
      if (TypeRange(ValueRange(replacements.back())) != TypeRange(converted))
        return call.refuse("its result has another type than its operands give");
      rest = rest.drop_front(converted.size());
    }
    if (replacements.empty())
      rewriter.eraseOp(op);
    else
      rewriter.replaceOpWithMultiple(op, std::move(replacements));
    return success();
  }

private:
  static bool givesNoElements(Operation *op) {
    return op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), [](Type type) {
             auto tensor = dyn_cast<RankedTensorType>(type);
             return tensor && isWithoutElements(tensor);
           });
  }

  /// There is nothing to compute, and upstream's ops refuse slices of nothing.
  LogicalResult replaceByEmpty(Operation *op, ConversionPatternRewriter &rewriter) const {
    SmallVector<Value> results;
    for (Type type : op->getResultTypes()) {
      auto converted = dyn_cast_or_null<RankedTensorType>(getTypeConverter()->convertType(type));
      if (!converted)
        return failure();
      results.push_back(emptyTensor(rewriter, op->getLoc(), converted));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

  HloLowering lowering_;
  HloReasons &reasons_;
};

RewritePatternSet hloPatterns(const TypeConverter &types, HloReasons &reasons, MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (const auto &entry : hloLowerings())
    for (StringRef dialect : {"stablehlo.", "chlo.", "mhlo."})
      patterns.add(
          std::make_unique<HloPattern>(types, (dialect + entry.first()).str(), entry.second, reasons, context));
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, types);
  populateCallOpTypeConversionPattern(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  return patterns;
}

/// Says of arguments and results that they were unsigned, whose types no longer do.
void keepSigns(func::FuncOp function) {
  auto isUnsigned = [](Type type) {
    auto integer = dyn_cast<IntegerType>(elementOf(type));
    return integer && integer.isUnsigned();
  };
  auto unit = UnitAttr::get(function.getContext());
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isUnsigned(type))
      function.setArgAttr(index, kUnsignedAttr, unit);
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (isUnsigned(type))
      function.setResultAttr(index, kUnsignedAttr, unit);
}

/// Ops that stay say why; ends of their bodies stay with them.
void reportLeft(ModuleOp module, const HloReasons &reasons) {
  module->walk([&](Operation *op) {
    if (!HloOp::isHlo(op) || HloOp(op).name() == "return")
      return;
    auto reason = reasons.find(op);
    bool isKnown = hloLowerings().contains(HloOp(op).name());
    op->emitRemark("stays as it is: ") << (reason != reasons.end() ? reason->second
                                           : isKnown               ? "it could not be converted"
                                                                   : "there is no lowering of this op");
  });
}

/// Elements of tensors that were made of them, and what nothing reads any more.
void cleanUp(ModuleOp module) {
  module->walk([](tensor::ExtractOp extract) {
    auto made = extract.getTensor().getDefiningOp<tensor::FromElementsOp>();
    if (made && made.getElements().size() == 1)
      extract.replaceAllUsesWith(made.getElements().front());
  });
  auto isDead = [](Operation *op) {
    bool isConstant = HloOp::isHlo(op) && HloOp(op).name() == "constant" && op->use_empty();
    return isConstant || isOpTriviallyDead(op);
  };
  // Users come after what they use.
  module->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isDead(op))
      op->erase();
  });
}

} // namespace

void lowerHloOps(ModuleOp module) {
  if (!hasHloOps(module))
    return;
  openQuantizedOps(module);
  MLIRContext *context = module.getContext();
  HloTypeConverter types;
  HloReasons reasons;
  for (auto function : module.getOps<func::FuncOp>())
    keepSigns(function);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([&](Operation *op) -> std::optional<bool> {
    if (HloOp::isHlo(op))
      return std::nullopt; // its pattern is tried; without one that fits it stays
    if (auto function = dyn_cast<func::FuncOp>(op))
      return types.isSignatureLegal(function.getFunctionType()) && types.isLegal(&function.getBody());
    if (isa<func::CallOp, func::ReturnOp>(op))
      return types.isLegal(op);
    return true;
  });
  (void)applyPartialConversion(module, target, hloPatterns(types, reasons, context));
  liftCountedLoops(module);
  cleanUp(module);
  reportLeft(module, reasons);
}

} // namespace fuselage
