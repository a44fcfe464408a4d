#include "core/run/DispatchCompiler.h"
#include "core/codegen/Codegen.h"
#include "core/codegen/host/HostCompiler.h"
#include "core/codegen/host/Isolate.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/module/Diagnostics.h"
#include "core/run/UnmappedFunction.h"
#include "core/run/values/HostTensor.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Kernels of SPIR-V or PTX.
class KernelCompiler : public DispatchCompiler {
public:
  KernelCompiler(TargetOptions target) : target_(std::move(target)) {}
  llvm::Expected<Compilation> compile(func::FuncOp dispatch) const override;
  llvm::Expected<Compilation> compileScheduled(func::FuncOp function) const override;

private:
  TargetOptions target_;
};

/// Objects of machine code.
class ObjectCompiler : public DispatchCompiler {
public:
  ObjectCompiler(const RunOptions &options) : options_(options) {}
  llvm::Expected<Compilation> compile(func::FuncOp dispatch) const override;
  llvm::Expected<Compilation> compileScheduled(func::FuncOp function) const override;

private:
  llvm::Expected<HostCompilation> compileOn(func::FuncOp function, HostThreading threads) const;
  const RunOptions &options_;
};

} // namespace

std::unique_ptr<DispatchCompiler> DispatchCompiler::of(const Device &device, const RunOptions &options) {
  return of(device.targetOptions(), options);
}

std::unique_ptr<DispatchCompiler> DispatchCompiler::of(TargetOptions target, const RunOptions &options) {
  if (target.target == KernelTarget::Host)
    return std::make_unique<ObjectCompiler>(options);
  target.tf32 |= options.tf32;
  return std::make_unique<KernelCompiler>(std::move(target));
}

/// A dispatch with the forms of its results, which launches need.
static llvm::Expected<Compilation> withResults(llvm::Expected<CompiledDispatch> compiled, func::FuncOp function,
                                               DiagnosticCapture &capture) {
  if (!compiled)
    return compiled.takeError();
  Compilation compilation{.dispatch = std::move(*compiled), .remarks = capture.take()};
  for (Type type : function.getResultTypes()) {
    auto shaped = llvm::dyn_cast<ShapedType>(type);
    compilation.dispatch.results.push_back(
        {.bytes = deviceByteCount(type), .shape = shaped ? shaped.getShape().vec() : std::vector<int64_t>()});
  }
  return compilation;
}

llvm::Expected<Compilation> KernelCompiler::compile(func::FuncOp dispatch) const {
  bool hasKnownSizes = llvm::all_of(dispatch.getResultTypes(), [](Type type) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
  if (!hasKnownSizes)
    return fail("a result has a shape that is known only when it is computed");
  DiagnosticCapture capture(*dispatch.getContext());
  return withResults(compileDispatch(dispatch, target_), dispatch, capture);
}

llvm::Expected<Compilation> KernelCompiler::compileScheduled(func::FuncOp function) const {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  bool isOnTensors =
      llvm::any_of(function.getArgumentTypes(), isTensor) || llvm::any_of(function.getResultTypes(), isTensor);
  DiagnosticCapture capture(*function.getContext());
  return withResults(isOnTensors ? compileUnmapped(function, target_) : fuselage::compileScheduled(function, target_),
                     function, capture);
}

/// A remark at the dispatch's place in the source.
static Diagnostic remarkAt(func::FuncOp dispatch, const llvm::Twine &message) {
  SourcePosition position = positionOf(dispatch.getLoc());
  return {.severity = Diagnostic::Severity::Remark,
          .message = message.str(),
          .file = position.file,
          .line = position.line,
          .column = position.column,
          .notes = {}};
}

llvm::Expected<HostCompilation> ObjectCompiler::compileOn(func::FuncOp function, HostThreading threads) const {
  return compileForHost(*isolateFunction(function),
                        {.threads = threads, .limits = options_.host, .checks = false, .wideAccumulators = false});
}

/// The one kernel that the object is.
static Compilation asDispatch(func::FuncOp function, HostCompilation compiled) {
  CompiledKernel kernel{.entry = function.getName().str(), .binary = std::move(compiled.object), .arguments = {}};
  kernel.block[0] = compiled.form->threads;
  for (unsigned buffer = 0; buffer < function.getNumArguments() + function.getNumResults(); ++buffer)
    kernel.arguments.push_back(buffer);
  kernel.host = std::move(compiled.form);
  Compilation compilation;
  compilation.onOneThread = std::move(compiled.kernels.onOneThread);
  compilation.dispatch.name = kernel.entry;
  compilation.dispatch.kernels.push_back(std::move(kernel));
  return compilation;
}

/// Structured ops become kernels; where that cannot be, all of the dispatch is plain loops.
llvm::Expected<Compilation> ObjectCompiler::compile(func::FuncOp dispatch) const {
  auto kernels = compileOn(dispatch, HostThreading::Kernels);
  if (kernels) {
    unsigned plain = kernels->kernels.plain;
    Compilation compilation = asDispatch(dispatch, std::move(*kernels));
    if (plain != 0)
      compilation.remarks.push_back(
          remarkAt(dispatch, llvm::Twine(plain) + (plain == 1 ? " op of @" : " ops of @") + dispatch.getName() +
                                 (plain == 1 ? " runs" : " run") +
                                 " in plain loops on one thread of the host: its sizes are known only when it runs, "
                                 "or its body is more than arithmetic"));
    return compilation;
  }
  Failure whyNoKernels = takeFailure(kernels.takeError());
  auto loops = compileOn(dispatch, HostThreading::None);
  if (!loops)
    return loops.takeError();
  Compilation compilation = asDispatch(dispatch, std::move(*loops));
  compilation.remarks.push_back(remarkAt(
      dispatch, "@" + dispatch.getName() + " runs in plain loops on one thread of the host: " + whyNoKernels.message));
  return compilation;
}

llvm::Expected<Compilation> ObjectCompiler::compileScheduled(func::FuncOp function) const {
  bool launches = function->walk([](gpu::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (launches)
    return fail("@" + function.getName().str() +
                " has a gpu.launch after the schedule, which the host does not run; give a GPU, such as "
                "--device vulkan:0");
  bool formsDispatches =
      function->walk([](flow::DispatchRegionOp) { return WalkResult::interrupt(); }).wasInterrupted();
  auto compiled = compileOn(function, formsDispatches ? HostThreading::Kernels : HostThreading::ParallelLoops);
  if (!compiled)
    return compiled.takeError();
  return asDispatch(function, std::move(*compiled));
}

} // namespace fuselage
