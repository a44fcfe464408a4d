#include "core/run/DispatchRunner.h"
#include "core/codegen/Codegen.h"
#include "core/codegen/host/Isolate.h"
#include "core/codegen/host/kernels/HostCpu.h"
#include "core/run/DispatchTuning.h"
#include "core/run/Timing.h"
#include "core/run/Yardsticks.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <atomic>
#include <chrono>
#include <numeric>

using namespace mlir;

namespace fuselage {

/// A dispatch made ready: kernels on the device, or a program on the host.
struct DispatchRunner::Prepared {
  func::FuncOp dispatch;
  bool isCompiled = false, isLoaded = false, isTuned = false;
  bool isWarm = false; ///< it was launched before, and its driver has compiled it
  CompiledDispatch compiled;
  std::vector<std::unique_ptr<DeviceKernel>> kernels;
  std::unique_ptr<HostProgram> host;
  std::vector<Diagnostic> said;                  ///< by passes
  std::optional<Failure> whyNotOnDevice, whyNot; ///< it has kernels, or a program, or none of both
};

DispatchRunner::DispatchRunner(Device *device, const RunOptions &options, std::vector<Diagnostic> &remarks)
    : device_(device), options_(options), remarks_(remarks), counts_(options.counts()) {
  if (device)
    eviction_.emplace(*device);
  if (options.tuning)
    info_ = device ? device->info() : hostDevice();
}
DispatchRunner::~DispatchRunner() = default;

/// A warning at the dispatch's place in the source.
static Diagnostic warningAt(func::FuncOp dispatch, std::string message, std::vector<Diagnostic> notes) {
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

static Diagnostic remarkAt(func::FuncOp dispatch, const llvm::Twine &message) {
  Diagnostic remark = warningAt(dispatch, message.str(), {});
  remark.severity = Diagnostic::Severity::Remark;
  return remark;
}

/// A program whose structured ops are kernels, or plain loops.
llvm::Expected<std::unique_ptr<HostProgram>> DispatchRunner::compileForHost(func::FuncOp dispatch, bool kernels) const {
  auto program = HostProgram::compile(
      *isolateFunction(dispatch),
      {.jit = {.cancelled = options_.cancelled, .threads = kernels ? HostThreading::Kernels : HostThreading::None},
       .limits = options_.host,
       .checks = false,
       .wideSums = false});
  if (program)
    if (llvm::Error error = (*program)->prepare(dispatch.getName()))
      return error;
  return program;
}

unsigned DispatchRunner::tuned() const {
  return llvm::count_if(preparedOf_, [](const auto &each) { return each.second->isTuned; });
}

/// Kernels, if the device takes it; else a program for the host. Touches nothing but `prepared`.
void DispatchRunner::compileOne(func::FuncOp dispatch, Prepared &prepared) const {
  prepared.isCompiled = true;
  OwningOpRef<ModuleOp> asked; // a copy, as the dispatch itself is what its key is of
  if (options_.tuning) {
    asked = isolateFunction(dispatch);
    auto copy = asked->lookupSymbol<func::FuncOp>(dispatch.getName());
    prepared.isTuned = options_.tuning->apply(copy, info_);
    dispatch = prepared.isTuned ? copy : dispatch;
  }
  if (cancelled()) {
    prepared.whyNot = Failure("cancelled");
    return;
  }
  if (device_ && !prepared.whyNotOnDevice) {
    bool hasKnownSizes = llvm::all_of(dispatch.getResultTypes(), [](Type type) {
      auto tensor = llvm::dyn_cast<RankedTensorType>(type);
      return tensor && tensor.hasStaticShape();
    });
    DiagnosticCapture capture(*dispatch.getContext());
    TargetOptions target = device_->targetOptions();
    target.tf32 |= options_.tf32;
    auto compiled = hasKnownSizes ? compileDispatch(dispatch, target)
                                  : fail("a result has a shape that is known only when it is computed");
    if (compiled) {
      prepared.compiled = std::move(*compiled);
      prepared.said = capture.take();
      return;
    }
    prepared.whyNotOnDevice = takeFailure(compiled.takeError());
  }
  auto kernels = compileForHost(dispatch, /*kernels=*/true);
  if (kernels) {
    prepared.host = std::move(*kernels);
    if (unsigned plain = prepared.host->kernels().plain)
      prepared.said.push_back(
          remarkAt(dispatch, llvm::Twine(plain) + (plain == 1 ? " op of @" : " ops of @") + dispatch.getName() +
                                 (plain == 1 ? " runs" : " run") +
                                 " in plain loops on one thread of the host: its sizes are known only when it runs, "
                                 "or its body is more than arithmetic"));
    return;
  }
  Failure whyNoKernels = takeFailure(kernels.takeError());
  auto program = compileForHost(dispatch, /*kernels=*/false);
  if (program) {
    prepared.host = std::move(*program);
    prepared.said.push_back(
        remarkAt(dispatch,
                 "@" + dispatch.getName() + " runs in plain loops on one thread of the host: " + whyNoKernels.message));
  } else
    prepared.whyNot = takeFailure(program.takeError());
}

DispatchRunner::Prepared &DispatchRunner::entryOf(func::FuncOp dispatch) {
  Prepared *&entry = preparedOf_[dispatch];
  if (entry)
    return *entry;
  Prepared *&equal = preparedByText_[functionKey(dispatch)];
  if (!equal) {
    prepared_.push_back(std::make_unique<Prepared>());
    equal = prepared_.back().get();
    equal->dispatch = dispatch;
  }
  entry = equal;
  return *entry;
}

void DispatchRunner::add(func::FuncOp dispatch) {
  counts_.seconds = std::min(options_.secondsPerDispatch, options_.secondsForAll / (preparedOf_.size() + 1));
  size_t before = prepared_.size();
  Prepared &prepared = entryOf(dispatch);
  if (prepared_.size() > before)
    waiting_.emplace_back(&prepared, packModule(*isolateFunction(dispatch)));
}

void DispatchRunner::compile(WorkerContexts &contexts, llvm::function_ref<void(unsigned, unsigned)> progress) {
  std::atomic<unsigned> done = 0;
  contexts.forEach(waiting_.size(), [&](size_t index, const std::shared_ptr<MLIRContext> &context) {
    auto &[prepared, bytes] = waiting_[index];
    OwningOpRef<ModuleOp> module = unpackModule(bytes, *context);
    auto copy = module ? module->lookupSymbol<func::FuncOp>(prepared->dispatch.getName()) : func::FuncOp();
    if (copy)
      compileOne(copy, *prepared);
    if (prepared->host)
      prepared->host->adopt(context, prepared->dispatch.getName(), prepared->dispatch.getFunctionType());
    progress(++done, waiting_.size());
  });
  waiting_.clear();
}

llvm::Error DispatchRunner::load(Prepared &prepared) {
  for (const CompiledKernel &kernel : prepared.compiled.kernels) {
    auto loaded = device_->load(kernel);
    if (!loaded)
      return loaded.takeError();
    prepared.kernels.push_back(std::move(*loaded));
  }
  return llvm::Error::success();
}

llvm::Expected<DispatchRunner::Prepared *> DispatchRunner::prepare(func::FuncOp dispatch) {
  Prepared &prepared = entryOf(dispatch);
  if (prepared.isLoaded)
    return &prepared;
  auto start = std::chrono::steady_clock::now();
  if (!prepared.isCompiled)
    compileOne(prepared.dispatch, prepared);
  llvm::append_range(remarks_, std::exchange(prepared.said, {}));
  if (device_ && !prepared.host && !prepared.whyNot)
    if (llvm::Error error = load(prepared)) {
      prepared.kernels.clear();
      prepared.whyNotOnDevice = takeFailure(std::move(error));
      compileOne(prepared.dispatch, prepared);
    }
  if (prepared.whyNotOnDevice)
    remarks_.push_back(warningAt(dispatch,
                                 "@" + dispatch.getName().str() + " runs on the host, since " + device_->info().id +
                                     " cannot take it: " + prepared.whyNotOnDevice->message,
                                 prepared.whyNotOnDevice->diagnostics));
  if (prepared.whyNot)
    return fail(prepared.whyNot->message, prepared.whyNot->diagnostics);
  prepared.isLoaded = true;
  compileUs_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return &prepared;
}

/// Where the structured ops of a dispatch come from, each place once.
static std::vector<std::string> partsOf(func::FuncOp dispatch) {
  constexpr size_t most = 64;
  std::vector<std::string> places;
  dispatch.walk([&](linalg::LinalgOp op) {
    if (std::string place = formatPosition(positionOf(op.getLoc()));
        !place.empty() && places.size() < most && !llvm::is_contained(places, place))
      places.push_back(std::move(place));
  });
  return places;
}

std::string arithmeticOf(Operation *root) {
  Type narrowest;
  for (Type type : root->getOperandTypes()) {
    auto element = llvm::dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (element && (!narrowest || element.getWidth() < narrowest.getIntOrFloatBitWidth()))
      narrowest = element;
  }
  if (!narrowest && root->getNumResults() != 0)
    narrowest = getElementTypeOrSelf(root->getResult(0).getType());
  return narrowest ? textOf(narrowest) : "";
}

/// A report with what is known before the launches.
static KernelReport startReport(func::FuncOp dispatch, const std::string &device, const std::string &kernel) {
  KernelReport report;
  report.dispatch = dispatch.getName().str();
  report.device = device;
  report.kernel = kernel;
  if (auto index = dispatch->getAttrOfType<IntegerAttr>(kDispatchAttr))
    report.dispatchIndex = index.getInt();
  if (Operation *root = findDispatchRoot(dispatch)) {
    report.loc = formatPosition(positionOf(root->getLoc()));
    report.arithmetic = arithmeticOf(root);
  }
  report.parts = partsOf(dispatch);
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
  auto start = std::chrono::steady_clock::now();
  for (const RuntimeValue &argument : arguments) {
    auto buffer = argument.toDevice(*device_);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(std::move(*buffer));
  }
  uploadUs_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  auto allocate = [&](uint64_t bytes) -> llvm::Error {
    auto buffer = device_->allocate(bytes);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(std::move(*buffer));
    return mode_ == Mode::Once ? llvm::Error::success() : poison(*device_, *buffers.back());
  };
  for (Type type : dispatch.getResultTypes()) {
    if (llvm::Error error = allocate(deviceByteCount(type)))
      return error;
    run.results.push_back(RuntimeValue::onDevice(type, buffers.back()));
  }
  for (uint64_t bytes : prepared.compiled.scratchBytes)
    if (llvm::Error error = allocate(bytes))
      return error;

  ColdBuffers cold(*device_, *eviction_, std::move(buffers));
  std::vector<double> submits;
  auto samples = launch(prepared, cold, arguments, submits);
  if (!samples)
    return samples.takeError();
  run.submitUs = medianOf(submits);
  for (auto [loaded, times] : llvm::zip_equal(prepared.kernels, *samples)) {
    KernelReport report = startReport(dispatch, device_->info().id, loaded->entry);
    report.grid = loaded->grid;
    report.block = loaded->block;
    report.sharedBytes = loaded->sharedBytes;
    report.clock = device_->hasTimestamps() ? Clock::Device : Clock::Host;
    report.cold = mode_ == Mode::Timed && options_.coldCaches ? cold.how() : "warm";
    report.part = run.reports.size();
    report.isTuned = prepared.isTuned;
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
        return fail("kernel '" + kernel.entry + "' takes buffer " + std::to_string(number) + " of @" +
                    func::FuncOp(prepared.dispatch).getName().str() + ", which has " + std::to_string(buffers.size()));
      launch.buffers.push_back(buffers[number].get());
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

/// Warms up on the first set of buffers, then times launches on all of them: the times of each kernel.
llvm::Expected<std::vector<std::vector<double>>> DispatchRunner::launch(Prepared &prepared, ColdBuffers &cold,
                                                                        ArrayRef<RuntimeValue> arguments,
                                                                        std::vector<double> &submits) {
  WaitLimits limits;
  limits.cancelled = options_.cancelled;
  limits.timeoutSeconds = options_.timeoutSeconds > 0 ? options_.timeoutSeconds : device_->info().software ? 600 : 30;
  std::vector<std::vector<double>> samples(prepared.kernels.size());
  auto once = [&](const ColdBuffers::Set &buffers, bool timed) -> llvm::Error {
    auto launches = launchesOn(prepared, buffers);
    if (!launches)
      return launches.takeError();
    auto called = std::chrono::steady_clock::now();
    auto times = device_->run(*launches, limits);
    std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - called;
    if (!times)
      return times.takeError();
    if (timed)
      submits.push_back(wall.count() - std::accumulate(times->begin(), times->end(), 0.0));
    for (size_t i = 0; timed && i < times->size(); ++i)
      samples[i].push_back((*times)[i]);
    return llvm::Error::success();
  };
  if (mode_ != Mode::Timed) {
    if (llvm::Error error = once(cold.original(), true))
      return error;
    return samples;
  }
  RepeatCounts counts = counts_;
  if (counts.repeat == 1 && prepared.isWarm)
    counts.warmup = 0; // one is enough for a loop that comes here often
  RepeatPlan plan(counts);
  bool hasSets = false;
  std::optional<double> first,
      least; // seconds of the launch in which the driver compiles, and of one in which it does not
  while (plan.more()) {
    if (cancelled())
      return fail("cancelled");
    bool timed = plan.timed();
    if (timed && !hasSets && options_.coldCaches)
      cold.prepare(arguments, std::max(options_.repeat, 1u));
    hasSets |= timed;
    auto start = std::chrono::steady_clock::now();
    if (llvm::Error error = once(timed && options_.coldCaches ? cold.next() : cold.original(), timed))
      return error;
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    plan.ran(seconds, timed);
    if (!std::exchange(prepared.isWarm, true))
      first = seconds;
    else if (timed)
      least = std::min(seconds, least.value_or(seconds));
  }
  if (first && least)
    compileUs_ += std::max(0.0, *first - *least) * 1e6;
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
  RepeatCounts counts = counts_;
  if (mode_ != Mode::Timed)
    counts.repeat = 1, counts.warmup = 0;
  bool isCold = mode_ == Mode::Timed && options_.coldCaches;
  auto results = prepared.host->measure(name, inputs, RepeatPlan(counts), {.coldCaches = isCold});
  if (!results)
    return results.takeError();
  for (HostTensor &result : results->values)
    run.results.push_back(RuntimeValue::onHost(std::move(result)));
  run.reports.push_back(startReport(dispatch, "host", dispatch.getName().str()));
  run.reports.back().isTuned = prepared.isTuned;
  run.reports.back().block[0] = prepared.host->usesThreads() ? hostCpu().threads : 1;
  if (isCold)
    run.reports.back().cold = "flushed";
  setTimes(run.reports.back(), std::move(results->microseconds));
  run.overheadUs = results->overheadUs;
  return run;
}

llvm::Expected<DispatchRun> DispatchRunner::run(func::FuncOp dispatch, ArrayRef<RuntimeValue> arguments) {
  if (cancelled())
    return fail("cancelled");
  auto prepared = prepare(dispatch);
  if (!prepared)
    return prepared.takeError();
  if (cancelled())
    return fail("cancelled");
  Yardsticks *yardsticks = mode_ == Mode::Timed ? options_.yardsticks : nullptr;
  if (yardsticks)
    yardsticks->before(dispatch);
  auto run =
      (*prepared)->host ? runOnHost(dispatch, **prepared, arguments) : runOnDevice(dispatch, **prepared, arguments);
  if (run)
    setRates(run->reports, costOfDispatch(dispatch));
  if (run && yardsticks)
    yardsticks->after(dispatch, run->reports);
  return run;
}

} // namespace fuselage
