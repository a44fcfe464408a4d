#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/Passes.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/attention/Passes.h"
#include "core/transforms/bufferize/Passes.h"
#include "core/transforms/gpu/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace fuselage {

/// Up to the ops of which blockRows() makes loops over blocks of rows.
static void addPreparation(OpPassManager &passes, const TensorLowering &lowering) {
  passes.addNestedPass<func::FuncOp>(createTileAttentionPass());
  passes.addPass(createHostLegalizeTensorsPass({.wideAccumulators = lowering.wideAccumulators}));
  passes.addPass(createConvertElementwiseToLinalgPass());
  if (lowering.kernels) {
    passes.addPass(createHostFuseOperandsPass());
    passes.addPass(createHostSplitReductionsPass());
  }
}

/// Structured ops as the host wants them, still on tensors.
static void addTensorPasses(OpPassManager &passes, const TensorLowering &lowering) {
  addPreparation(passes, lowering);
  if (lowering.kernels)
    passes.addPass(createHostBlockRowsPass());
  passes.addPass(createHostOrderLoopsPass({.forKernels = lowering.kernels}));
}

static void addBufferization(OpPassManager &passes) {
  passes.addPass(createHostProtectArgumentsPass());
  passes.addNestedPass<func::FuncOp>(createPrepareBufferizationPass());
  passes.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  passes.addPass(bufferization::createOneShotBufferizePass(options));
  // Early frees lower the peak; without them the arena frees after the call.
  passes.addPass(createHostFreeBuffersPass());
}

/// Functions of tasks where several threads share work.
static void addKernelPasses(OpPassManager &passes, HostThreading threads, HostKernels &made) {
  passes.addPass(createHostLegalizeBuffersPass());
  if (threads == HostThreading::None)
    return;
  if (threads == HostThreading::Kernels)
    passes.addPass(math::createMathExtendToSupportedTypes()); // vectors have functions of f32
  passes.addPass(createHostMakeKernelsPass({.onlyLoops = threads == HostThreading::ParallelLoops}, made));
}

static void addLoopPasses(OpPassManager &passes) {
  passes.addPass(createForallToForLoopPass());
  passes.addPass(createConvertBufferizationToMemRefPass());
  passes.addPass(createConvertLinalgToLoopsPass());
  // Nobody lowers these to LLVM's dialect as they stand; masks last, as a sum may stand in one.
  passes.addNestedPass<func::FuncOp>(vector::createLowerVectorMultiReductionPass());
  passes.addNestedPass<func::FuncOp>(vector::createLowerVectorMaskPass());
  passes.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  passes.addPass(createHostInsertPollsPass());
}

/// Adds the conversions of everything that is left to LLVM's dialect.
static void addLlvmConversions(OpPassManager &passes) {
  passes.addPass(createBlockedSummationPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(memref::createExpandOpsPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(math::createMathExtendToSupportedTypes());
  passes.addPass(createHostMathPass());
  passes.addPass(createEmulateNarrowFloatsPass());
  passes.addPass(createStrictRoundingPass());
  passes.addPass(createConvertNarrowFloatsPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  passes.addPass(arith::createArithExpandOpsPass(expand));
  passes.addPass(createConvertComplexToStandardPass());
  passes.addPass(createConvertMathToFuncs());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertComplexToLLVMPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createArithToLLVMConversionPass());
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useAlignedAlloc = true;
  memory.useGenericFunctions = true;
  passes.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createHostExpandTasksPass());
  passes.addPass(createHostCheckLoweredPass());
}

/// What refuseFirst() reports is a sentence about the host.
static llvm::Error runHostPasses(PassManager &passes, ModuleOp module, StringRef what) {
  llvm::Error error = runPasses(passes, module, "the host cannot run this: " + what + " failed");
  if (!error)
    return error;
  Failure failure = takeFailure(std::move(error));
  for (const Diagnostic &said : failure.diagnostics) {
    auto [name, why] = StringRef(said.message).split("' cannot run: ");
    if (said.severity == Diagnostic::Severity::Error && !why.empty())
      return fail("the host cannot run " + name.str() + "': " + why.str(), {said});
  }
  return fail(failure.message, failure.diagnostics);
}

llvm::Error prepareTensors(ModuleOp module, const TensorLowering &lowering) {
  PassManager passes(module.getContext());
  addPreparation(passes, lowering);
  return runHostPasses(passes, module, "the lowering of tensors");
}

llvm::Error lowerTensorsToMemRefs(ModuleOp module, const TensorLowering &lowering) {
  PassManager tensors(module.getContext()), buffers(module.getContext());
  addTensorPasses(tensors, lowering);
  if (llvm::Error error = runHostPasses(tensors, module, "the lowering of tensors"))
    return error;
  addBufferization(buffers);
  return runHostPasses(buffers, module, "bufferization");
}

llvm::Error lowerMemRefsToLlvm(ModuleOp module, HostThreading threads, HostKernels &made) {
  PassManager kernels(module.getContext()), loops(module.getContext()), conversions(module.getContext());
  addKernelPasses(kernels, threads, made);
  if (llvm::Error error = runHostPasses(kernels, module, "making kernels"))
    return error;
  made.onOneThread = workOnOneThread(module, made.calls);
  addLoopPasses(loops);
  if (llvm::Error error = runHostPasses(loops, module, "the lowering to loops"))
    return error;
  addLlvmConversions(conversions);
  return runHostPasses(conversions, module, "the lowering to LLVM");
}

void buildLowerToHost(OpPassManager &passes) {
  passes.addPass(createHostInlineDispatchesPass());
  addTensorPasses(passes, {.kernels = true});
  addBufferization(passes);
  passes.addPass(createHostLegalizeBuffersPass());
  passes.addPass(math::createMathExtendToSupportedTypes());
  passes.addPass(createHostMakeKernelsPass());
  addLoopPasses(passes);
  addLlvmConversions(passes);
}

void registerHostPipelines() {
  PassPipelineRegistration<>(
      "fuselage-lower-to-host",
      "Lower functions on tensors to LLVM's dialect with kernels for the module's device if that is a host, else "
      "for this machine, as a run on the host does with each dispatch",
      buildLowerToHost);
}

} // namespace fuselage
