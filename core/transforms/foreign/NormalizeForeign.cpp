// fuselage-normalize-foreign: functions, boundaries, weights and ops of other dialects in upstream's words.
#include "core/transforms/foreign/NormalizeForeign.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/module/Splits.h"
#include "core/ir/module/VerifySafely.h"
#include "core/support/Expendable.h"
#include "core/support/TrialRun.h"
#include "core/transforms/composites/DecomposeComposites.h"
#include "core/transforms/composites/UpstreamComposites.h"
#include "core/transforms/dispatch/TensorArithmetic.h"
#include "core/transforms/foreign/AttentionDispatches.h"
#include "core/transforms/foreign/Expectations.h"
#include "core/transforms/foreign/ForeignBoundary.h"
#include "core/transforms/foreign/ForeignFunctions.h"
#include "core/transforms/foreign/ForeignGlobals.h"
#include "core/transforms/foreign/ForeignKernels.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "core/transforms/foreign/ForeignTensorOps.h"
#include "core/transforms/foreign/IndexConditions.h"
#include "core/transforms/foreign/ModernizeOps.h"
#include "core/transforms/foreign/Passes.h"
#include "core/transforms/foreign/PortableDispatches.h"
#include "core/transforms/foreign/QuantOps.h"
#include "core/transforms/foreign/SharedOutputs.h"
#include "core/transforms/foreign/TosaOps.h"
#include "core/transforms/foreign/UnusualForms.h"
#include "core/transforms/stablehlo/HloOp.h"
#include "core/transforms/stablehlo/LowerStableHlo.h"
#include "core/transforms/stablehlo/families/HloForms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Pass/PassManager.h"

namespace fuselage {
#define GEN_PASS_DEF_NORMALIZEFOREIGNPASS
#include "core/transforms/foreign/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

/// Arithmetic on whole tensors in functions that are no kernels.
static SmallVector<Operation *> tensorArithmetic(ModuleOp module) {
  SmallVector<Operation *> ops;
  for (auto function : module.getOps<func::FuncOp>())
    if (!isKernel(function))
      llvm::append_range(ops, collectOps(function, isTensorArithmetic));
  return ops;
}

static bool hasOp(Operation *root, llvm::function_ref<bool(Operation *)> wanted) {
  return root->walk([&](Operation *op) { return wanted(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

static bool hasTensorArithmetic(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(),
                      [](func::FuncOp function) { return !isKernel(function) && hasOp(function, isTensorArithmetic); });
}

static bool isForeignForm(Operation *op) {
  return isLegacyOp(op) || isPortableLoop(op) || isForeign(op, "util.func") || isBoundary(op) || isTensorTwin(op) ||
         isForeignComposite(op);
}

/// Of a dialect that is lowered, or of tests that check themselves.
static bool isOfDialectToLower(Operation *op) { return isTosa(op) || HloOp::isHlo(op) || isExpectation(op); }

/// Most modules have none of what is looked for, so that all ops are looked at: in as few walks as can be, which two
/// threads share.
bool fuselage::needsNormalization(ModuleOp module) {
  bool hasForeign = false, hasOthers = false;
  auto findForeign = [&] {
    SymbolTableCollection symbols;
    hasForeign = hasOp(module, [&](Operation *op) {
      return isForeignForm(op) || isGlobalLoad(op) || isPrivateCall(op, symbols) || isPayloadAssertion(op) ||
             isOfDialectToLower(op);
    });
  };
  auto findOthers = [&] {
    hasOthers = hasOp(module,
                      [](Operation *op) {
                        return hasSharedOutputs(op) || isQuantCast(op) || isUnusualForm(op) || isUnfusableComposite(op);
                      }) ||
                hasTensorArithmetic(module) || hasOnlyKernels(module);
  };
  if (isWorthTwoThreads(module)) {
    runBoth(*module.getContext(), findForeign, findOthers);
  } else {
    findForeign();
    if (!hasForeign)
      findOthers();
  }
  return hasForeign || hasOthers;
}

bool fuselage::hasForeignForms(ModuleOp module) { return hasOp(module, isForeignForm); }

llvm::Expected<OwningOpRef<ModuleOp>> fuselage::normalized(ModuleOp module, std::vector<Diagnostic> *said,
                                                           bool portable) {
  if (llvm::none_of(splitModules(module), needsNormalization))
    return OwningOpRef<ModuleOp>();
  OwningOpRef<ModuleOp> copy = module.clone();
  for (ModuleOp split : splitModules(*copy)) {
    PassManager passes(module.getContext());
    passes.addPass(createNormalizeForeignPass({.portable = portable}));
    if (llvm::Error error = runPasses(passes, split, "the module's functions cannot be normalized", said))
      return error;
  }
  return copy;
}

namespace {

/// Casts of the quant dialect in the storage type.
LogicalResult lowerQuantization(ModuleOp module) {
  if (!hasQuantCasts(module))
    return success();
  PassManager passes(module.getContext());
  addQuantLowering(passes);
  if (failed(passes.run(module)))
    return failure();
  foldStorageCasts(module);
  return success();
}

/// Everything the pass does, in order. `atPart` is told what comes next.
LogicalResult normalize(ModuleOp module, bool portable, llvm::function_ref<void(StringRef)> atPart) {
  atPart("ops of other versions");
  modernizeOps(module);
  liftKernels(module);
  atPart("functions");
  convertFunctions(module);
  dropBarriers(module);
  dropWrappers(module);
  atPart("ops on tensors");
  replaceTensorTwins(module, portable);
  atPart("calls");
  convertCalls(module);
  unifyHloForms(module);
  inlinePrivateCalls(module);
  atPart("arguments and results");
  SmallVector<func::FuncOp> entries = entriesOf(module);
  for (func::FuncOp entry : entries)
    normalizeBoundary(entry);
  convertCalls(module);
  castBoundaries(module);
  modernizeOps(module); // what read results of barriers, too
  atPart("globals");
  liftGlobals(module, entries);
  openExpectations(module);
  atPart("ops of StableHLO");
  lowerHloOps(module);
  atPart("ops of TOSA");
  lowerTosaOps(module);
  atPart("ops of quant and arithmetic on tensors");
  if (failed(lowerQuantization(module)))
    return failure();
  writeAsStructured(tensorArithmetic(module));
  atPart("conditions and composite ops");
  liftPayloadAssertions(module);
  reopenAttentionDispatches(module);
  decomposeForeignComposites(module, portable);
  if (!portable)
    decomposeUpstreamComposites(module, /*keepFusable=*/true);
  restoreParallelLoops(module);
  replaceUnusualForms(module);
  reduceSharedOutputs(module);
  eraseDeadForeignOps(module);
  return success();
}

/// What normalizing a module may use up: linear in its ops, with a margin.
TrialLimits normalizationLimits(ModuleOp module) {
  unsigned ops = 0;
  module->walk([&](Operation *) { ++ops; });
  return {.seconds = 10 + ops / 1000, .bytes = uint64_t(4) << 30, .fillsMemory = true};
}

/// Patterns of upstream die of some modules that verify, and any pattern may go on for ever: a copy of the process
/// normalizes first. "of TOSA: crashes with signal 11 (Segmentation fault)"; nullopt: it comes to its end.
std::optional<std::string> whyNotNormalized(ModuleOp module, bool portable) {
  auto copy = runInCopy(normalizationLimits(module), [&](llvm::raw_ostream &out) {
    DiagnosticCapture quiet(*module.getContext());
    (void)normalize(module, portable, [&](StringRef part) {
      out << part << '\n';
      out.flush();
    });
    out << "the result\n";
    out.flush();
    (void)verifySafely(module);
  });
  if (!copy || !copy->death)
    return std::nullopt;
  StringRef parts = StringRef(copy->output).rtrim('\n');
  return "normalizing " + parts.substr(parts.rfind('\n') + 1).str() + " " + *copy->death;
}

struct NormalizeForeignPass : fuselage::impl::NormalizeForeignPassBase<NormalizeForeignPass> {
  using NormalizeForeignPassBase::NormalizeForeignPassBase;

  void runOnOperation() override {
    if (!isExpendable()) {
      if (std::optional<std::string> why = whyNotNormalized(getOperation(), portable)) {
        getOperation()->emitError() << *why;
        return signalPassFailure();
      }
    }
    ExpendableLimits limits(normalizationLimits(getOperation()));
    if (failed(normalize(getOperation(), portable, [](StringRef) {})))
      signalPassFailure();
  }
};

} // namespace
