#include "core/bisect/DeviceRun.h"
#include "core/bisect/BufferEntry.h"
#include "core/codegen/KernelExtraction.h"
#include "core/ir/module/RunPipeline.h"
#include "core/run/values/RuntimeValue.h"
#include "core/support/ForkedCopy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include <unistd.h>

using namespace mlir;

namespace fuselage {
namespace {

/// What the copy of the process tells: that results follow, byte by byte, or a message.
constexpr char kResults = 'R', kMessage = 'M';

llvm::Error notRun(bool isPtx, const std::string &why) {
  return fail(std::string(isPtx ? "PTX" : "SPIR-V") + " is not run: " + why);
}

bool hasPtx(ModuleOp module) { return !module.getOps<gpu::BinaryOp>().empty(); }

bool isDense(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getLayout().isIdentity();
}

/// Makes views of whole buffers casts, through which extractKernels() looks.
void makeViewsCasts(func::FuncOp entry) {
  for (Operation &op : llvm::make_early_inc_range(entry.getBody().front())) {
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(op) ||
        !isDense(op.getOperand(0).getType()) || !isDense(op.getResult(0).getType()))
      continue;
    OpBuilder builder(&op);
    auto cast = UnrealizedConversionCastOp::create(builder, op.getLoc(), op.getResult(0).getType(), op.getOperand(0));
    op.getResult(0).replaceAllUsesWith(cast.getResult(0));
    op.erase();
  }
}

/// The buffer that a value views.
Value bufferOf(Value value) {
  while (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
    value = cast.getInputs().front();
  return value;
}

/// Makes buffers that are only copied into the caller's memory at the end that memory. Failure: something is copied
/// that is no buffer of the function.
llvm::Error writeResultsInPlace(func::FuncOp entry) {
  for (auto copy : llvm::make_early_inc_range(entry.getOps<memref::CopyOp>())) {
    auto target = dyn_cast<BlockArgument>(copy.getTarget());
    auto buffer = bufferOf(copy.getSource()).getDefiningOp<memref::AllocOp>();
    if (!target || !target.hasOneUse() || !buffer || !isDense(buffer.getType()) || !isDense(target.getType()) ||
        buffer.getType().getNumElements() != cast<MemRefType>(target.getType()).getNumElements())
      return fail("it copies buffers beside the kernels");
    copy.erase();
    OpBuilder builder(buffer);
    auto view = UnrealizedConversionCastOp::create(builder, buffer.getLoc(), buffer.getType(), ValueRange(target));
    buffer.getResult().replaceAllUsesWith(view.getResult(0));
    buffer.erase();
  }
  return llvm::Error::success();
}

llvm::Error checkIsLaunchesAlone(func::FuncOp entry) {
  for (Operation &op : entry.getBody().front())
    if (!isa<gpu::LaunchFuncOp, memref::AllocOp, memref::DeallocOp, UnrealizedConversionCastOp, arith::ConstantOp,
             func::ReturnOp>(op))
      return fail("it also does " + op.getName().getStringRef().str() + " beside the kernels");
  return llvm::Error::success();
}

llvm::Expected<CompiledDispatch> extract(ModuleOp module, const HostReference &reference) {
  auto entry =
      buildBufferEntry(module, reference.options().function, signatureOf(reference), EntryResults::InLastArguments);
  if (!entry)
    return entry.takeError();
  if (llvm::Error error = runPipeline(**entry, "builtin.module(inline,func.func(canonicalize,cse))"))
    return error;
  auto function = (*entry)->lookupSymbol<func::FuncOp>(kBufferEntry);
  if (!llvm::hasSingleElement(function.getBody()))
    return fail("it has control flow around the kernels");
  makeViewsCasts(function);
  if (llvm::Error error = writeResultsInPlace(function))
    return error;
  if (llvm::Error error = checkIsLaunchesAlone(function))
    return error;
  auto dispatch = extractKernels(**entry, function);
  if (!dispatch)
    return dispatch.takeError();
  for (const HostTensor &output : reference.expected())
    dispatch->results.push_back({.bytes = deviceByteCount(output.type()), .shape = output.shape().vec()});
  return dispatch;
}

/// Launches, and writes what the results are.
llvm::Error launch(const DeviceProgram &program, const HostReference &reference, llvm::raw_ostream &out) {
  llvm::Expected<std::unique_ptr<Device>> device = openDevice(program.isPtx ? "cuda" : "vulkan");
  if (!device)
    return device.takeError();
  constexpr int64_t manyForSoftware = 20'000'000'000; // half a minute
  if ((*device)->info().software && program.flops > manyForSoftware)
    return fail("it takes too long on " + (*device)->info().name + ", which is software");
  std::vector<DeviceValue> arguments;
  for (const HostTensor &argument : reference.arguments()) {
    auto value = putOn(**device, argument.type(), argument);
    if (!value)
      return value.takeError();
    arguments.push_back(std::move(*value));
  }
  llvm::Expected<std::unique_ptr<Executable>> executable = (*device)->prepare(program.dispatch);
  if (!executable)
    return executable.takeError();
  ExecutionOptions options{.counts = {.repeat = 1, .warmup = 0}};
  options.limits.timeoutSeconds = 60;
  llvm::Expected<ExecutionResults> results = (*executable)->run(arguments, options);
  if (!results)
    return results.takeError();
  out << kResults;
  for (auto [expected, value] : llvm::zip_equal(reference.expected(), results->values)) {
    auto tensor = fetchFrom(**device, expected.type(), value);
    if (!tensor)
      return tensor.takeError();
    out << StringRef(reinterpret_cast<const char *>(tensor->data()), tensor->byteCount());
  }
  return llvm::Error::success();
}

llvm::Expected<LevelRun> readResults(StringRef bytes, const HostReference &reference) {
  LevelRun run;
  for (const HostTensor &expected : reference.expected()) {
    auto tensor = HostTensor::create(expected.type());
    if (!tensor)
      return tensor.takeError();
    if (bytes.size() < tensor->byteCount())
      return fail("the device did not give all results");
    std::memcpy(tensor->data(), bytes.data(), tensor->byteCount());
    bytes = bytes.drop_front(tensor->byteCount());
    run.outputs.push_back(std::move(*tensor));
  }
  return run;
}

} // namespace

bool hasDeviceKernels(ModuleOp module) { return !module.getOps<spirv::ModuleOp>().empty() || hasPtx(module); }

llvm::Expected<DeviceProgram> compileForDevice(ModuleOp module, const HostReference &reference) {
  DeviceProgram program{.dispatch = {}, .isPtx = hasPtx(module)};
  auto dispatch = extract(module, reference);
  if (!dispatch)
    return notRun(program.isPtx, takeFailure(dispatch.takeError()).message);
  program.dispatch = std::move(*dispatch);
  return program;
}

llvm::Expected<LevelRun> runOnDevice(const DeviceProgram &program, const HostReference &reference) {
  TrialLimits limits{.seconds = 120, .bytes = uint64_t(8) << 30, .cancelled = reference.options().cancelled};
  auto copy = runForked(limits, [&](int pipe) {
    llvm::raw_fd_ostream out(pipe, /*shouldClose=*/false);
    if (llvm::Error error = launch(program, reference, out))
      out << kMessage << takeFailure(std::move(error)).message;
  });
  if (!copy)
    return notRun(program.isPtx, "the system gives no process for it");
  if (copy->death)
    return notRun(program.isPtx, "the process with the driver " + *copy->death);
  StringRef told = copy->output;
  if (told.consume_front(StringRef(&kResults, 1)))
    return readResults(told, reference);
  (void)told.consume_front(StringRef(&kMessage, 1));
  return notRun(program.isPtx, told.str());
}

} // namespace fuselage
