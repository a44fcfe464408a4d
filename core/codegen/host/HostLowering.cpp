#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/HostMath.h"
#include "core/codegen/host/NarrowFloats.h"
#include "core/codegen/host/kernels/HostCpu.h"
#include "core/codegen/host/tensors/LoopOrder.h"
#include "core/codegen/host/tensors/RowBlocks.h"
#include "core/codegen/host/tensors/SplitSums.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/attention/WideAttention.h"
#include "core/transforms/bufferize/Passes.h"
#include "core/transforms/composites/UpstreamComposites.h"
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/workgroups/BroadcastFolding.h"
#include "core/transforms/workgroups/sums/WideSums.h"
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
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace fuselage {

void inlineDispatchRegions(Operation *root) {
  SmallVector<Operation *> regions;
  root->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "flow.dispatch.region")
      regions.push_back(op);
  });
  for (Operation *op : regions) {
    if (op->getNumRegions() == 0 || !op->getRegion(0).hasOneBlock())
      continue;
    Block &body = op->getRegion(0).front();
    if (body.empty() || body.getNumArguments() != 0)
      continue;
    Operation *terminator = &body.back();
    if (terminator->getNumOperands() != op->getNumResults())
      continue;
    op->replaceAllUsesWith(terminator->getOperands());
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations(), body.begin(),
                                           terminator->getIterator());
    op->erase();
  }
}

static llvm::Error runHostPasses(PassManager &passes, ModuleOp module, StringRef what) {
  return runPasses(passes, module, "the host cannot run this: " + what + " failed");
}

/// A Failure about the first op for which `refuse` has a reason; success if there is none.
static llvm::Error refuseFirst(ModuleOp module, llvm::function_ref<std::string(Operation *)> refuse) {
  Operation *found = nullptr;
  std::string why;
  module.walk([&](Operation *op) {
    why = refuse(op);
    if (why.empty())
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  if (!found)
    return llvm::Error::success();
  SourcePosition position = positionOf(found);
  std::string name = displayName(found);
  if (auto cast = llvm::dyn_cast<UnrealizedConversionCastOp>(found); cast && cast.getNumOperands())
    if (Operation *source = cast.getOperand(0).getDefiningOp())
      name = displayName(source) + "' or a user of it, '" + name;
  return fail("the host cannot run '" + name + "': " + why, {{.message = "'" + name + "' cannot run: " + why,
                                                              .file = position.file,
                                                              .line = position.line,
                                                              .column = position.column,
                                                              .notes = {}}});
}

constexpr llvm::StringLiteral kNoLowering = "no lowering to LLVM is known for it";

/// Ops that no dialect defines cannot run, and some stock passes crash on them.
static llvm::Error refuseUnregistered(ModuleOp module) {
  return refuseFirst(module, [](Operation *op) { return op->isRegistered() ? "" : kNoLowering.str(); });
}

/// Composite ops that are not written out by now have a reason, which bufferization does not know.
static llvm::Error refuseComposites(ModuleOp module) {
  return refuseFirst(module, [](Operation *op) {
    std::string why = whyNotDecomposed(op);
    return why.empty() ? why : "it " + why;
  });
}

/// LLVM ends the process on vectors whose length the processor chooses, where it has none.
static llvm::Error refuseScalableVectors(ModuleOp module) {
  if (llvm::Triple(llvm::sys::getProcessTriple()).isAArch64())
    return llvm::Error::success();
  auto isScalable = [](Type type) {
    auto vector = llvm::dyn_cast<VectorType>(type);
    return vector && vector.isScalable();
  };
  return refuseFirst(module, [&](Operation *op) -> std::string {
    bool refused = llvm::is_contained({"vector.vscale", "llvm.intr.vscale"}, op->getName().getStringRef()) ||
                   llvm::any_of(op->getResultTypes(), isScalable) || llvm::any_of(op->getOperandTypes(), isScalable);
    return refused ? "this processor has no vectors of scalable length" : "";
  });
}

/// Mathematics has functions of f32 and f64: what is wider would be cast to f32, which is no cast at all to MLIR.
static llvm::Error refuseWideMath(ModuleOp module) {
  auto isWide = [](Type type) {
    auto element = llvm::dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() > 64;
  };
  return refuseFirst(module, [&](Operation *op) -> std::string {
    if (!llvm::isa_and_nonnull<math::MathDialect>(op->getDialect()) || llvm::isa<math::FmaOp>(op))
      return "";
    auto wide = llvm::find_if(op->getOperandTypes(), isWide);
    return wide == op->operand_type_end() ? ""
                                          : "no function of " + debugString(getElementTypeOrSelf(*wide)) + " is known";
  });
}

/// Constants whose data is not in the file, or not all of it: LLVM's code would read what lies where it should be.
static llvm::Error refuseMissingData(ModuleOp module) {
  return refuseFirst(module, [](Operation *op) -> std::string {
    std::string why;
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr resource) {
      const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
      auto type = llvm::cast<ShapedType>(resource.getType());
      Type element = type.getElementType();
      uint64_t bytes =
          element.isIntOrFloat() ? type.getNumElements() * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) : 0;
      if (!blob || blob->getData().size() < bytes)
        why = "the file has no data for '" + resource.getRawHandle().getKey().str() + "'";
    });
    return why;
  });
}

namespace {

/// tensor.expand_shape with several sizes of one dimension that are known only when it runs becomes
/// tensor.reshape: upstream's expansion of strided metadata crashes on it.
struct ReshapeDynamically : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op, PatternRewriter &rewriter) const override {
    auto isDynamic = [&](int64_t dim) { return op.getResultType().isDynamicDim(dim); };
    if (llvm::none_of(op.getReassociationIndices(),
                      [&](const ReassociationIndices &group) { return llvm::count_if(group, isDynamic) > 1; }))
      return failure();
    SmallVector<OpFoldResult> sizes = getMixedValues(op.getStaticOutputShape(), op.getOutputShape(), rewriter);
    SmallVector<Value> shape;
    for (OpFoldResult size : sizes)
      shape.push_back(getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    Value shapeTensor = tensor::FromElementsOp::create(rewriter, op.getLoc(), shape);
    rewriter.replaceOpWithNewOp<tensor::ReshapeOp>(op, op.getResultType(), op.getSrc(), shapeTensor);
    return success();
  }
};

} // namespace

/// Tiles of attention that somebody asks for.
static void widenAttentionLoops(IRRewriter &rewriter, Block &block) {
  bool isWider = false;
  for (auto forall : llvm::to_vector(block.getOps<scf::ForallOp>()))
    isWider |= widenAttention(rewriter, forall, {.onlyAsked = true});
  if (isWider)
    cleanUpTiles(block);
}

llvm::Error lowerTensorsToMemRefs(ModuleOp module, const TensorLowering &lowering) {
  MLIRContext *context = module.getContext();
  if (llvm::Error error = refuseUnregistered(module))
    return error;
  decomposeUpstreamComposites(module);
  if (llvm::Error error = refuseComposites(module))
    return error;
  RewritePatternSet patterns(context);
  patterns.add<ReshapeDynamically>(context);
  arith::populateExpandScalingExtTruncPatterns(patterns); // while the types are still those that it takes
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  (void)applyPatternsGreedily(module, std::move(patterns));
  widenSums(module, {.longSums = lowering.wideSums, .wholeProducts = !lowering.wideSums});
  {
    PassManager passes(context);
    passes.addPass(createConvertElementwiseToLinalgPass());
    if (llvm::Error error = runHostPasses(passes, module, "turning elementwise ops into linalg"))
      return error;
  }
  if (lowering.kernels) {
    IRRewriter rewriter(context);
    for (auto function : module.getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        widenAttentionLoops(rewriter, block);
        foldBroadcasts(rewriter, block); // weights that are repeated for each of 197 tokens are 1.4 GB
      }
    fuseReadOnce(module);
    splitSums(module);
    splitLongSums(module);
    blockRows(module);
  }
  layOutLoops(module, lowering.kernels);
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (!function.isPrivate() && llvm::isa<TensorType>(function.getArgumentTypes()[i]))
        function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName, BoolAttr::get(context, false));

  PassManager passes(context);
  passes.addNestedPass<func::FuncOp>(createPrepareBufferizationPass());
  passes.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  passes.addPass(bufferization::createOneShotBufferizePass(options));
  if (llvm::Error error = runHostPasses(passes, module, "bufferization"))
    return error;

  // Early frees lower the peak; without them the arena frees after the call.
  OwningOpRef<ModuleOp> freed(module.clone());
  PassManager deallocation(context);
  bufferization::buildBufferDeallocationPipeline(deallocation);
  if (llvm::Error error = runHostPasses(deallocation, *freed, "buffer deallocation")) {
    llvm::consumeError(std::move(error));
    return llvm::Error::success();
  }
  module.getBodyRegion().takeBody(freed->getBodyRegion());
  return llvm::Error::success();
}

/// Host memory is one space.
static void dropMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  SmallVector<memref::MemorySpaceCastOp> casts;
  module.walk([&](memref::MemorySpaceCastOp op) { casts.push_back(op); });
  for (memref::MemorySpaceCastOp op : casts) {
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  }
}

/// Copies become loops: LLVM's lowering calls a library for those with strides.
static void expandCopies(ModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp op) {
    if (llvm::isa<MemRefType>(op.getSource().getType()) && llvm::isa<MemRefType>(op.getTarget().getType()))
      copies.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (memref::CopyOp op : copies) {
    rewriter.setInsertionPoint(op);
    linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(), op.getTarget());
    rewriter.eraseOp(op);
  }
}

/// True if a loop body holds another loop.
static bool holdsLoop(scf::ForOp loop) {
  return loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Calls the poll function in loops that hold loops, from the outermost down to the first that is
/// likely to run often; innermost loops stay as they are, for the vectorizer's sake.
static void insertPolls(ModuleOp module, StringRef pollFunction) {
  SmallVector<scf::ForOp> loops;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!holdsLoop(loop) || isHostKernel(loop->getParentOfType<func::FuncOp>().getName()))
      return WalkResult::skip();
    loops.push_back(loop);
    std::optional<APInt> trips = loop.getStaticTripCount();
    return trips && trips->ult(64) ? WalkResult::advance() : WalkResult::skip();
  });
  if (loops.empty())
    return;
  OpBuilder builder(module.getBodyRegion());
  func::FuncOp::create(builder, module.getLoc(), pollFunction, builder.getFunctionType({}, {})).setPrivate();
  for (scf::ForOp loop : loops) {
    builder.setInsertionPointToStart(loop.getBody());
    func::CallOp::create(builder, loop.getLoc(), pollFunction, TypeRange());
  }
}

/// Adds the conversions of everything that is left to LLVM's dialect.
static void addLlvmConversions(PassManager &passes) {
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(memref::createExpandOpsPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(math::createMathExtendToSupportedTypes());
  passes.addPass(createHostMathPass());
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs = {"bf16"};
  for (const std::string &name : narrowFloatNames(*passes.getContext()))
    floats.sourceTypeStrs.push_back(name);
  passes.addPass(arith::createArithEmulateUnsupportedFloats(floats));
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
}

/// Ops of these modules must all be LLVM's by now; names the first that is not.
static llvm::Error checkAllLowered(ModuleOp module) {
  return refuseFirst(module, [&](Operation *op) {
    bool isLowered = op == module.getOperation() || llvm::isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
    return isLowered ? "" : kNoLowering.str();
  });
}

/// Functions of tasks where several threads share work.
static llvm::Error makeTasks(ModuleOp module, HostThreading threads, HostKernels &made) {
  if (threads == HostThreading::Kernels) {
    // Vectors have functions of f32.
    PassManager math(module.getContext());
    math.addPass(math::createMathExtendToSupportedTypes());
    if (llvm::Error error = runHostPasses(math, module, "computing functions of narrow floats in f32"))
      return error;
    made = makeHostKernels(module);
  } else if (threads == HostThreading::ParallelLoops) {
    made = runLoopsOnThreads(module);
  }
  made.onOneThread = workOnOneThread(module, made.calls);
  return llvm::Error::success();
}

llvm::Error lowerMemRefsToLlvm(ModuleOp module, StringRef pollFunction, HostThreading threads, HostKernels *told) {
  MLIRContext *context = module.getContext();
  if (llvm::Error error = refuseUnregistered(module))
    return error;
  if (llvm::Error error = refuseScalableVectors(module))
    return error;
  if (llvm::Error error = refuseWideMath(module))
    return error;
  if (llvm::Error error = refuseMissingData(module))
    return error;
  dropMemorySpaces(module);
  expandCopies(module);
  HostKernels made;
  if (llvm::Error error = makeTasks(module, threads, made))
    return error;
  PassManager loops(context);
  loops.addPass(createForallToForLoopPass());
  loops.addPass(createConvertBufferizationToMemRefPass());
  loops.addPass(createConvertLinalgToLoopsPass());
  // Nobody lowers these to LLVM's dialect as they stand; masks last, as a sum may stand in one.
  loops.addNestedPass<func::FuncOp>(vector::createLowerVectorMultiReductionPass());
  loops.addNestedPass<func::FuncOp>(vector::createLowerVectorMaskPass());
  loops.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  if (llvm::Error error = runHostPasses(loops, module, "the lowering to loops"))
    return error;
  insertPolls(module, pollFunction);
  PassManager passes(context);
  passes.addPass(createBlockSumsPass());
  addLlvmConversions(passes);
  if (llvm::Error error = runHostPasses(passes, module, "the lowering to LLVM"))
    return error;
  expandParallelCalls(module, made.calls);
  if (told)
    *told = std::move(made);
  return checkAllLowered(module);
}

} // namespace fuselage
