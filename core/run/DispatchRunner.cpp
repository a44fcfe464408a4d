#include "core/run/DispatchRunner.h"
#include "core/codegen/host/Isolate.h"
#include "core/dialects/flow/Flow.h"
#include "core/run/Baselines.h"
#include "core/run/DispatchCompiler.h"
#include "core/run/DispatchTuning.h"
#include "core/run/Timing.h"
#include "core/runtime/device/HostDevice.h"
#include "core/trace/TraceLog.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <atomic>
#include <chrono>

using namespace mlir;

namespace fuselage {

/// A dispatch made ready, on the run's device or, where that cannot take it, on the host.
struct DispatchRunner::Prepared {
  func::FuncOp dispatch;
  int number = -1; ///< among those that differ
  bool isCompiled = false, isTuned = false;
  Device *device = nullptr; ///< that it is compiled for
  CompiledDispatch compiled;
  std::unique_ptr<Executable> executable;        ///< once it is loaded
  std::vector<Diagnostic> said;                  ///< by passes
  std::optional<Failure> whyNotOnDevice, whyNot; ///< it is on the device, or on the host, or on none of both
};

DispatchRunner::DispatchRunner(Device &device, const RunOptions &options, std::vector<Diagnostic> &remarks)
    : device_(device), host_(openHostDevice()), compiler_(DispatchCompiler::of(device, options)),
      hostCompiler_(DispatchCompiler::of(*host_, options)), options_(options), remarks_(remarks),
      counts_(options.counts()) {}
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

int DispatchRunner::numberOf(func::FuncOp dispatch) const {
  auto prepared = preparedOf_.find(dispatch);
  return prepared == preparedOf_.end() ? -1 : prepared->second->number;
}

unsigned DispatchRunner::tuned() const {
  return llvm::count_if(preparedOf_, [](const auto &each) { return each.second->isTuned; });
}

/// For the device, if it takes it; else for the host. Touches nothing but `prepared`.
void DispatchRunner::compileOne(func::FuncOp dispatch, Prepared &prepared) const {
  prepared.isCompiled = true;
  TraceScope scope("compile", dispatch.getName());
  OwningOpRef<ModuleOp> asked; // a copy, as the dispatch itself is what its key is of
  if (options_.tuning) {
    asked = isolateFunction(dispatch);
    auto copy = asked->lookupSymbol<func::FuncOp>(dispatch.getName());
    prepared.isTuned = options_.tuning->apply(copy, device_.info());
    dispatch = prepared.isTuned ? copy : dispatch;
  }
  if (cancelled()) {
    prepared.whyNot = Failure("cancelled");
    return;
  }
  auto compileFor = [&](Device &device, const DispatchCompiler &compiler) -> std::optional<Failure> {
    auto compiled = compiler.compile(dispatch);
    if (!compiled)
      return takeFailure(compiled.takeError());
    prepared.device = &device;
    prepared.compiled = std::move(compiled->dispatch);
    llvm::append_range(prepared.said, compiled->remarks);
    return std::nullopt;
  };
  if (!prepared.whyNotOnDevice) {
    std::optional<Failure> why = compileFor(device_, *compiler_);
    if (!why)
      return;
    if (device_.takesHostMemory()) { // it is the host, and there is no other way
      prepared.whyNot = std::move(why);
      return;
    }
    prepared.whyNotOnDevice = std::move(why);
  }
  prepared.whyNot = compileFor(*host_, *hostCompiler_);
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
    equal->number = static_cast<int>(prepared_.size()) - 1;
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
    OwningOpRef<ModuleOp> module = cancelled() ? nullptr : unpackModule(bytes, *context);
    auto copy = module ? module->lookupSymbol<func::FuncOp>(prepared->dispatch.getName()) : func::FuncOp();
    if (copy)
      compileOne(copy, *prepared);
    progress(++done, waiting_.size());
  });
  waiting_.clear();
}

llvm::Error DispatchRunner::load(Prepared &prepared) {
  auto loaded = prepared.device->prepare(prepared.compiled);
  if (!loaded)
    return loaded.takeError();
  prepared.executable = std::move(*loaded);
  return llvm::Error::success();
}

llvm::Expected<DispatchRunner::Prepared *> DispatchRunner::prepare(func::FuncOp dispatch) {
  Prepared &prepared = entryOf(dispatch);
  if (prepared.executable)
    return &prepared;
  auto start = std::chrono::steady_clock::now();
  if (!prepared.isCompiled)
    compileOne(prepared.dispatch, prepared);
  llvm::append_range(remarks_, std::exchange(prepared.said, {}));
  llvm::Error error = prepared.whyNot ? llvm::Error::success() : load(prepared);
  if (error && prepared.device == &device_ && !device_.takesHostMemory()) {
    prepared.whyNotOnDevice = takeFailure(std::move(error));
    compileOne(prepared.dispatch, prepared);
    error = prepared.whyNot ? llvm::Error::success() : load(prepared);
  }
  if (error)
    prepared.whyNot = takeFailure(std::move(error));
  if (prepared.whyNotOnDevice)
    remarks_.push_back(warningAt(dispatch,
                                 "@" + dispatch.getName().str() + " runs on the host, since " + device_.info().id +
                                     " cannot take it: " + prepared.whyNotOnDevice->message,
                                 prepared.whyNotOnDevice->diagnostics));
  if (prepared.whyNot)
    return fail(prepared.whyNot->message, prepared.whyNot->diagnostics);
  compileUs_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return &prepared;
}

std::vector<std::string> partsOf(func::FuncOp dispatch) {
  constexpr size_t most = 64;
  std::vector<std::string> places;
  auto add = [&](Location loc) {
    if (std::string place = formatPosition(positionOf(loc));
        !place.empty() && places.size() < most && !llvm::is_contained(places, place))
      places.push_back(std::move(place));
  };
  dispatch.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto attention = dyn_cast<flow::AttentionOp>(op)) { // its products are in regions
      add(attention.getScoresRegion().front().getTerminator()->getLoc());
      add(op->getLoc());
      add(attention.getContextRegion().front().getTerminator()->getLoc());
    } else if (isa<linalg::LinalgOp>(op)) {
      add(op->getLoc());
    }
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

llvm::Expected<DispatchRun> DispatchRunner::launch(func::FuncOp dispatch, Prepared &prepared,
                                                   ArrayRef<RuntimeValue> arguments) {
  auto start = std::chrono::steady_clock::now();
  std::vector<DeviceValue> values;
  for (const RuntimeValue &argument : arguments) {
    auto value = argument.on(*prepared.device, &device_);
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  if (!prepared.device->takesHostMemory())
    uploadUs_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();

  bool isTimed = mode_ == Mode::Timed;
  RepeatCounts counts = counts_;
  if (!isTimed)
    counts.repeat = 1, counts.warmup = 0;
  WaitLimits limits;
  limits.cancelled = options_.cancelled;
  limits.timeoutSeconds = options_.timeoutSeconds > 0        ? options_.timeoutSeconds
                          : prepared.device->info().software ? 600
                                                             : 30;
  auto results = prepared.executable->run(values, {.counts = counts,
                                                   .coldCaches = isTimed && options_.coldCaches,
                                                   .marksResults = mode_ != Mode::Once,
                                                   .limits = limits});
  if (!results)
    return results.takeError();
  compileUs_ += results->compileUs;
  DispatchRun run;
  run.overheadUs = results->overheadUs;
  run.submitUs = medianOf(results->submitUs);
  for (auto [type, value] : llvm::zip_equal(dispatch.getResultTypes(), results->values))
    run.results.push_back(RuntimeValue::onDevice(sizedType(type, value.shape), std::move(value.buffer)));
  for (auto [kernel, times] : llvm::zip_equal(prepared.executable->kernels(), results->microseconds)) {
    // Equal dispatches share a kernel; one that is called as its dispatch has the name of each.
    std::string name = kernel.entry == prepared.compiled.name ? dispatch.getName().str() : kernel.entry;
    KernelReport report = startReport(dispatch, prepared.device->info().id, name);
    report.grid = kernel.grid;
    report.block = kernel.block;
    report.sharedBytes = kernel.sharedBytes;
    report.clock = prepared.executable->clock();
    report.cold = results->cold;
    report.part = run.reports.size();
    report.isTuned = prepared.isTuned;
    report.form = prepared.number;
    setTimes(report, std::move(times));
    run.reports.push_back(std::move(report));
  }
  return run;
}

/// The times of the kernels that a launch took.
static void traceKernels(ArrayRef<KernelReport> reports, TraceScope &scope) {
  llvm::json::Object medians;
  for (const KernelReport &report : reports)
    medians[llvm::json::fixUTF8(report.kernel)] = report.medianUs;
  scope.arg("median us", std::move(medians));
}

llvm::Expected<DispatchRun> DispatchRunner::run(func::FuncOp dispatch, ArrayRef<RuntimeValue> arguments) {
  if (cancelled())
    return fail("cancelled");
  TraceScope scope("dispatch", dispatch.getName());
  auto prepared = prepare(dispatch);
  if (!prepared)
    return prepared.takeError();
  if (cancelled())
    return fail("cancelled");
  Baselines *baselines = mode_ == Mode::Timed ? options_.baselines : nullptr;
  if (baselines)
    baselines->before(dispatch);
  auto run = launch(dispatch, **prepared, arguments);
  if (run)
    setRates(run->reports, costOfDispatch(dispatch));
  if (run && scope)
    traceKernels(run->reports, scope);
  if (run && baselines)
    baselines->after(dispatch, run->reports);
  return run;
}

} // namespace fuselage
