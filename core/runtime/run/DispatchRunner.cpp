#include "core/runtime/run/DispatchRunner.h"
#include "core/codegen/Codegen.h"
#include "core/runtime/host/Isolate.h"
#include "core/runtime/run/Timing.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/IR/OperationSupport.h"
#include <chrono>

using namespace mlir;

namespace fuselage {

/// A dispatch made ready: kernels on the device, or a program on the host.
struct DispatchRunner::Prepared {
  func::FuncOp dispatch;
  CompiledDispatch compiled;
  std::vector<std::unique_ptr<DeviceKernel>> kernels;
  std::unique_ptr<HostProgram> host;
};

DispatchRunner::DispatchRunner(Device *device, const RunOptions &options,
                               std::vector<Diagnostic> &remarks)
    : device_(device), options_(options), remarks_(remarks) {
  if (device)
    eviction_.emplace(*device);
}
DispatchRunner::~DispatchRunner() = default;

bool areEqualDispatches(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

/// A warning at the dispatch's place in the source.
static Diagnostic warningAt(func::FuncOp dispatch, std::string message,
                            std::vector<Diagnostic> notes) {
  SourcePosition position = positionOf(dispatch.getLoc());
  // The run goes on: what was an error of a compiler is a note here.
  for (Diagnostic &note : notes)
    note.severity = Diagnostic::Severity::Note;
  return {.severity = Diagnostic::Severity::Warning,
          .message = std::move(message),
          .file = position.file,
          .line = position.line,
          .column = position.column,
          .notes = std::move(notes)};
}

llvm::Error DispatchRunner::prepareForDevice(func::FuncOp dispatch, Prepared &prepared) {
  for (Type type : dispatch.getResultTypes())
    if (auto tensor = llvm::dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return fail("a result has a shape that is known only when it is computed");
  DiagnosticCapture capture(*dispatch.getContext());
  auto compiled = compileDispatch(dispatch, device_->targetOptions());
  if (!compiled)
    return compiled.takeError();
  for (Diagnostic &said : capture.take())
    remarks_.push_back(std::move(said));
  prepared.compiled = std::move(*compiled);
  for (const CompiledKernel &kernel : prepared.compiled.kernels) {
    auto loaded = device_->load(kernel);
    if (!loaded)
      return loaded.takeError();
    prepared.kernels.push_back(std::move(*loaded));
  }
  return llvm::Error::success();
}

llvm::Expected<DispatchRunner::Prepared *> DispatchRunner::prepare(func::FuncOp dispatch) {
  Prepared *&entry = preparedOf_[dispatch];
  if (!entry)
    entry = findEqualDispatch(prepared_, dispatch);
  if (entry)
    return entry;
  auto prepared = std::make_unique<Prepared>();
  prepared->dispatch = dispatch;
  bool onHost = !device_;
  if (device_) {
    if (llvm::Error error = prepareForDevice(dispatch, *prepared)) {
      Failure why = takeFailure(std::move(error));
      remarks_.push_back(warningAt(dispatch,
                                   "@" + dispatch.getName().str() + " runs on the host, since " +
                                       device_->info().id + " cannot take it: " + why.message,
                                   why.diagnostics));
      prepared->kernels.clear();
      onHost = true;
    }
  }
  if (onHost) {
    auto program = HostProgram::compile(*isolateFunction(dispatch),
                                        {.jit = {.cancelled = options_.cancelled}, .limits = options_.host, .checks = false, .wideSums = false});
    if (!program)
      return program.takeError();
    prepared->host = std::move(*program);
  }
  prepared_.push_back(std::move(prepared));
  return entry = prepared_.back().get();
}

/// A report with what is known before the launches.
static KernelReport startReport(func::FuncOp dispatch, const std::string &device,
                                const std::string &kernel) {
  KernelReport report;
  report.dispatch = dispatch.getName().str();
  report.device = device;
  report.kernel = kernel;
  if (auto index = dispatch->getAttrOfType<IntegerAttr>(kDispatchAttr))
    report.dispatchIndex = index.getInt();
  if (Operation *root = findDispatchRoot(dispatch))
    report.loc = formatPosition(positionOf(root->getLoc()));
  return report;
}

/// Fills fresh memory with bytes that no result consists of by chance (NaN in every float format),
/// so that a kernel that leaves elements out cannot pass.
static llvm::Error poison(Device &device, DeviceBuffer &buffer) {
  std::vector<uint8_t> bytes(buffer.byteCount(), 0xff);
  return device.upload(buffer, bytes);
}

llvm::Expected<DispatchRun> DispatchRunner::runOnDevice(func::FuncOp dispatch, Prepared &prepared,
                                                        ArrayRef<RuntimeValue> arguments) {
  DispatchRun run;
  std::vector<std::shared_ptr<DeviceBuffer>> buffers;
  for (const RuntimeValue &argument : arguments) {
    auto buffer = argument.toDevice(*device_);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(std::move(*buffer));
  }
  auto allocate = [&](uint64_t bytes) -> llvm::Error {
    auto buffer = device_->allocate(bytes);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(std::move(*buffer));
    return mode_ == Mode::Once ? llvm::Error::success() : poison(*device_, *buffers.back());
  };
  for (Type type : dispatch.getResultTypes()) {
    if (llvm::Error error = allocate(deviceByteCount(type, device_->layout())))
      return error;
    run.results.push_back(RuntimeValue::onDevice(type, buffers.back()));
  }
  for (uint64_t bytes : prepared.compiled.scratchBytes)
    if (llvm::Error error = allocate(bytes))
      return error;

  ColdBuffers cold(*device_, *eviction_, std::move(buffers));
  auto samples = launch(prepared, cold, arguments);
  if (!samples)
    return samples.takeError();
  for (auto [loaded, times] : llvm::zip_equal(prepared.kernels, *samples)) {
    KernelReport report = startReport(dispatch, device_->info().id, loaded->entry);
    report.grid = loaded->grid;
    report.block = loaded->block;
    report.sharedBytes = loaded->sharedBytes;
    report.clock = device_->hasTimestamps() ? Clock::Device : Clock::Host;
    report.cold = cold.how();
    setTimes(report, std::move(times));
    run.reports.push_back(std::move(report));
  }
  return run;
}

/// The dispatch's kernels on one set of its buffers.
llvm::Expected<std::vector<Launch>> DispatchRunner::launchesOn(const Prepared &prepared,
                                                               const ColdBuffers::Set &buffers) {
  std::vector<Launch> launches;
  for (auto [kernel, loaded] : llvm::zip_equal(prepared.compiled.kernels, prepared.kernels)) {
    Launch launch{.kernel = loaded.get(), .buffers = {}};
    for (unsigned number : kernel.arguments) {
      if (number >= buffers.size())
        return fail("kernel '" + kernel.entry + "' takes buffer " + std::to_string(number) +
                    " of @" + func::FuncOp(prepared.dispatch).getName().str() + ", which has " +
                    std::to_string(buffers.size()));
      launch.buffers.push_back(buffers[number].get());
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

/// Warms up on the first set of buffers, then times launches on all of them: the times of each kernel.
llvm::Expected<std::vector<std::vector<double>>>
DispatchRunner::launch(const Prepared &prepared, ColdBuffers &cold, ArrayRef<RuntimeValue> arguments) {
  WaitLimits limits;
  limits.cancelled = options_.cancelled;
  limits.timeoutSeconds = options_.timeoutSeconds > 0 ? options_.timeoutSeconds
                          : device_->info().software  ? 600
                                                      : 30;
  std::vector<std::vector<double>> samples(prepared.kernels.size());
  auto once = [&](const ColdBuffers::Set &buffers, bool timed) -> llvm::Error {
    auto launches = launchesOn(prepared, buffers);
    if (!launches)
      return launches.takeError();
    auto times = device_->run(*launches, limits);
    if (!times)
      return times.takeError();
    for (size_t i = 0; timed && i < times->size(); ++i)
      samples[i].push_back((*times)[i]);
    return llvm::Error::success();
  };
  if (mode_ == Mode::Once) {
    if (llvm::Error error = once(cold.original(), true))
      return error;
    return samples;
  }
  RepeatPlan plan(options_.counts());
  bool hasSets = false;
  while (plan.more()) {
    if (cancelled())
      return fail("cancelled");
    bool timed = plan.timed();
    if (timed && !hasSets)
      cold.prepare(arguments, std::max(options_.repeat, 1u));
    hasSets |= timed;
    auto start = std::chrono::steady_clock::now();
    if (llvm::Error error = once(timed ? cold.next() : cold.original(), timed))
      return error;
    plan.ran(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), timed);
  }
  return samples;
}

llvm::Expected<DispatchRun> DispatchRunner::runOnHost(func::FuncOp dispatch, Prepared &prepared,
                                                      ArrayRef<RuntimeValue> arguments) {
  DispatchRun run;
  std::vector<HostTensor> inputs;
  for (const RuntimeValue &argument : arguments) {
    auto tensor = argument.toHost(device_);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  std::string name = prepared.dispatch.getName().str();
  RepeatCounts counts = options_.counts();
  if (mode_ == Mode::Once)
    counts.repeat = 1, counts.warmup = 0;
  auto results = prepared.host->measure(name, inputs, RepeatPlan(counts), {.coldCaches = mode_ != Mode::Once});
  if (!results)
    return results.takeError();
  for (HostTensor &result : results->values)
    run.results.push_back(RuntimeValue::onHost(std::move(result)));
  run.reports.push_back(startReport(dispatch, "host", dispatch.getName().str()));
  if (mode_ != Mode::Once)
    run.reports.back().cold = "flushed";
  setTimes(run.reports.back(), std::move(results->microseconds));
  run.overheadUs = results->overheadUs;
  return run;
}

llvm::Expected<DispatchRun> DispatchRunner::run(func::FuncOp dispatch,
                                                ArrayRef<RuntimeValue> arguments) {
  if (cancelled())
    return fail("cancelled");
  auto prepared = prepare(dispatch);
  if (!prepared)
    return prepared.takeError();
  if (cancelled())
    return fail("cancelled");
  auto run = (*prepared)->host ? runOnHost(dispatch, **prepared, arguments)
                               : runOnDevice(dispatch, **prepared, arguments);
  if (run)
    setRates(run->reports, costOfDispatch(dispatch));
  return run;
}

} // namespace fuselage
