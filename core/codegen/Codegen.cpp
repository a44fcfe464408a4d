#include "core/codegen/Codegen.h"
#include "core/codegen/CodegenSteps.h"
#include "core/codegen/KernelExtraction.h"
#include "core/codegen/Targets.h"
#include "core/codegen/WideIndices.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;

namespace fuselage {
namespace {

/// A module with a copy of the dispatch, marked as one, for a device.
OwningOpRef<ModuleOp> isolate(func::FuncOp dispatch, const TargetOptions &options) {
  OpBuilder builder(dispatch.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(dispatch.getLoc());
  builder.setInsertionPointToEnd(module->getBody());
  auto copy = cast<func::FuncOp>(builder.clone(*dispatch));
  copy.setPrivate();
  if (!copy->hasAttr(kDispatchAttr))
    copy->setAttr(kDispatchAttr, builder.getIndexAttr(0));
  setDevice(*module, kernelDevice(options));
  return module;
}

/// Tells a watcher of passes on the whole module.
class WatchedPasses : public PassInstrumentation {
public:
  explicit WatchedPasses(CodegenWatcher &watcher) : watcher(watcher) {}
  void runBeforePass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (module && !pass->getArgument().empty())
      watcher.lowers(*pass, module);
  }

private:
  CodegenWatcher &watcher;
};

/// Runs one textual pipeline. A Failure says what the first diagnostic of all the steps does, and has all of them.
llvm::Error runStep(ModuleOp module, StringRef pipeline, std::vector<Diagnostic> &said,
                    CodegenWatcher *watcher = nullptr) {
  if (pipeline.empty())
    return llvm::Error::success();
  PassManager passes(module.getContext());
  if (llvm::Error error = readPipeline(pipeline, passes))
    return error;
  if (watcher)
    passes.addInstrumentation(std::make_unique<WatchedPasses>(*watcher));
  llvm::Error error = runPasses(passes, module, "a pass failed without a message", &said);
  if (!error)
    return error;
  Failure failure = takeFailure(std::move(error));
  llvm::append_range(said, std::move(failure.diagnostics));
  return fail(said.empty() ? std::move(failure.message) : said.front().message, said);
}

/// Checks what no pass would check, since a violated assumption ends the process.
llvm::Error checkDispatch(func::FuncOp dispatch, const TargetOptions &options) {
  std::string name = dispatch.getName().str();
  if (std::string place = formatPosition(positionOf(dispatch)); !place.empty())
    name += " (" + place + ")";
  if (dispatch.isExternal() || !dispatch.getBody().hasOneBlock())
    return fail("dispatch @" + name + " has no body of a single block");
  auto check = [&](Type type, StringRef what) -> llvm::Error {
    std::string text = debugString(type);
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (isa<TensorType>(type) && (!tensor || !tensor.hasStaticShape()))
      return fail("dispatch @" + name + " has " + what.str() + " of type " + text +
                  ": give sizes for dynamic dimensions before compiling it");
    if (tensor && tensor.getEncoding())
      return fail("dispatch @" + name + " has " + what.str() + " of type " + text +
                  ": a tensor with an encoding has no known form in memory");
    if (tensor && options.target == KernelTarget::Spirv && tensor.getNumElements() > (int64_t(1) << 31))
      return fail("dispatch @" + name + " has " + what.str() + " of type " + text +
                  ": more than 2^31 elements, which 32-bit indices do not reach");
    return llvm::Error::success();
  };
  for (Type type : dispatch.getArgumentTypes())
    if (llvm::Error error = check(type, "an argument"))
      return error;
  for (Type type : dispatch.getResultTypes()) {
    if (!isa<TensorType>(type))
      return fail("dispatch @" + name + " returns a scalar; wrap it into a tensor of rank 0");
    if (llvm::Error error = check(type, "a result"))
      return error;
  }
  return llvm::Error::success();
}

uint64_t workgroupBytesOf(gpu::LaunchOp launch) {
  uint64_t bytes = 0;
  auto add = [&](Type type) {
    auto buffer = cast<MemRefType>(type);
    if (buffer.hasStaticShape() && buffer.getElementType().isIntOrFloat())
      bytes += llvm::divideCeil(uint64_t(buffer.getNumElements()) * buffer.getElementTypeBitWidth(), 8);
    else if (auto vector = dyn_cast<VectorType>(buffer.getElementType()); buffer.hasStaticShape() && vector)
      bytes += uint64_t(buffer.getNumElements()) * vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  };
  for (BlockArgument attribution : launch.getWorkgroupAttributions())
    add(attribution.getType());
  launch.walk([&](memref::AllocOp op) {
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(op.getType()))
      add(op.getType());
  });
  return bytes;
}

/// The launches as kernels without code, of which only their limits are known.
llvm::Expected<CompiledDispatch> mappedKernels(ModuleOp module, func::FuncOp dispatch) {
  CompiledDispatch mapped;
  mapped.name = dispatch.getName().str();
  llvm::Error error = llvm::Error::success();
  module.walk([&](gpu::LaunchOp launch) {
    CompiledKernel kernel;
    kernel.entry = mapped.name;
    kernel.sharedBytes = workgroupBytesOf(launch);
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    const Value sizes[] = {block.x, block.y, block.z};
    for (auto [size, value] : llvm::zip_equal(kernel.block, sizes)) {
      std::optional<int64_t> known = getConstantIntValue(value);
      if (known && *known > 0 && *known <= INT32_MAX)
        size = uint32_t(*known);
      else if (!error)
        error = fail("a launch of dispatch @" + mapped.name + " has a size that is not known");
    }
    mapped.kernels.push_back(std::move(kernel));
  });
  if (error)
    return error;
  return mapped;
}

/// One path from tensors to kernels.
llvm::Expected<CompiledDispatch> compileWith(func::FuncOp dispatch, const TargetOptions &options,
                                             ArrayRef<std::string> pipelines, CodegenWatcher *watcher) {
  OwningOpRef<ModuleOp> module = isolate(dispatch, options);
  std::vector<Diagnostic> said;
  if (watcher)
    watcher->begins(*module);
  for (const std::string &pipeline : pipelines.drop_back())
    if (llvm::Error error = runStep(*module, pipeline, said))
      return error;
  if (watcher) {
    watcher->isMapped(*module);
    if (watcher->endsWhenMapped())
      return mappedKernels(*module, dispatch);
  }
  if (llvm::Error error = runStep(*module, pipelines.back(), said, watcher))
    return error;
  if (watcher)
    watcher->isLowered(*module);
  DiagnosticCapture capture(*dispatch.getContext());
  auto functions = module->getOps<func::FuncOp>();
  auto compiled = extractKernels(*module, *functions.begin());
  if (!compiled) {
    Failure failure = takeFailure(compiled.takeError());
    llvm::append_range(failure.diagnostics, said);
    llvm::append_range(failure.diagnostics, capture.take());
    return llvm::make_error<Failure>(std::move(failure));
  }
  compiled->name = dispatch.getName().str();
  return compiled;
}

/// Limits of a workgroup that no pass may exceed unnoticed.
llvm::Error checkLimits(const CompiledDispatch &compiled, const TargetOptions &options) {
  for (const CompiledKernel &kernel : compiled.kernels) {
    uint64_t threads = uint64_t(kernel.block[0]) * kernel.block[1] * kernel.block[2];
    if (kernel.sharedBytes > options.maxSharedBytes())
      return fail("kernel @" + kernel.entry + " needs " + std::to_string(kernel.sharedBytes) +
                  " bytes of workgroup memory; the device has " + std::to_string(options.maxSharedBytes()));
    if (threads > uint64_t(options.device.maxThreads.value))
      return fail("kernel @" + kernel.entry + " needs " + std::to_string(threads) +
                  " threads a workgroup; the device has " + std::to_string(options.device.maxThreads.value));
  }
  return llvm::Error::success();
}

/// Why the function is none whose kernels can be launched one after the other; empty: it is.
std::string notScheduled(func::FuncOp function) {
  std::string name = "@" + function.getName().str();
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return name + " has no body of a single block";
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes())) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (isa<TensorType>(type))
      return name + " is on tensors";
    if (isa<BaseMemRefType>(type) && (!buffer || !buffer.hasStaticShape() || !buffer.getLayout().isIdentity()))
      return name + " has a parameter or result of type " + debugString(type) +
             "; only static shapes in row-major order can be passed to a device";
  }
  for (Type type : function.getResultTypes())
    if (!isa<MemRefType>(type))
      return name + " returns a " + debugString(type) + ", which no kernel can hand out";
  if (function.getBody().front().getOps<gpu::LaunchOp>().empty())
    return name + " has no gpu.launch: the schedule makes no kernel, as transform.gpu.map_forall_to_blocks does";
  return "";
}

/// An op between the launches that would be left out; null: there is none.
Operation *leftOut(func::FuncOp function) {
  for (Operation &op : function.getBody().front())
    if (!isa<gpu::LaunchOp, memref::AllocOp, memref::DeallocOp>(op) && !op.hasTrait<OpTrait::IsTerminator>() &&
        !isMemoryEffectFree(&op))
      return &op;
  return nullptr;
}

} // namespace

llvm::Expected<CompiledDispatch> compileScheduled(func::FuncOp function, const TargetOptions &given) {
  if (std::string why = notScheduled(function); !why.empty())
    return fail(why);
  const TargetOptions options = withNeededIndices(given, function);
  OwningOpRef<ModuleOp> module = isolate(function, options);
  std::vector<Diagnostic> said;
  std::string toKernels =
      "builtin.module(func.func(fuselage-scalarize-vectors),"
      "buffer-results-to-out-params{hoist-static-allocs=true hoist-dynamic-allocs=true},canonicalize,cse,"
      "func.func(fuselage-launch-plain-kernels{index-bitwidth=" +
      std::to_string(options.indexWidth()) + "}),canonicalize,cse)";
  if (llvm::Error error = runStep(*module, toKernels, said))
    return error;
  func::FuncOp copy = *module->getOps<func::FuncOp>().begin();
  if (Operation *op = leftOut(copy))
    return fail("'" + op->getName().getStringRef().str() + "' stands outside of the kernels of @" +
                function.getName().str() + ", and nobody would run it");
  if (llvm::Error error = runStep(*module, codegenPipelines(options).lower, said))
    return error;
  DiagnosticCapture capture(*function.getContext());
  auto compiled = extractKernels(*module, *module->getOps<func::FuncOp>().begin());
  if (!compiled)
    return compiled;
  compiled->name = function.getName().str();
  if (llvm::Error error = checkLimits(*compiled, options))
    return error;
  return compiled;
}

llvm::Expected<CompiledDispatch> compileDispatch(func::FuncOp dispatch, const TargetOptions &given,
                                                 CodegenWatcher *watcher) {
  const TargetOptions options = withNeededIndices(given, dispatch);
  if (llvm::Error error = checkDispatch(dispatch, options))
    return error;
  CodegenPipelines pipelines = codegenPipelines(options);
  auto tuned = compileWith(dispatch, options,
                           {pipelines.tileToWorkgroups, pipelines.fuseProducers, pipelines.tileReductions,
                            pipelines.promote, pipelines.bufferize, pipelines.mapToGpu, pipelines.lower},
                           watcher);
  llvm::Error error = tuned ? checkLimits(*tuned, options) : tuned.takeError();
  if (!error)
    return tuned;
  std::string whyNotTuned = takeFailure(std::move(error)).message;
  auto plain = compileWith(dispatch, options, {pipelines.bufferize, pipelines.mapToGpu, pipelines.lower}, watcher);
  if (!plain)
    return plain;
  if (llvm::Error error = checkLimits(*plain, options))
    return error;
  dispatch.emitRemark() << "compiled to one plain kernel an op, since " << whyNotTuned;
  return plain;
}

} // namespace fuselage
