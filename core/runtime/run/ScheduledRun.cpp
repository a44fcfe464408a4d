#include "core/runtime/run/ScheduledRun.h"
#include "core/codegen/Codegen.h"
#include "core/runtime/device/Device.h"
#include "core/runtime/host/Isolate.h"
#include "core/runtime/run/DispatchRunner.h"
#include "core/runtime/run/Reference.h"
#include "core/runtime/run/Specialize.h"
#include "core/runtime/run/Timing.h"
#include "core/runtime/run/Yardsticks.h"
#include "core/runtime/values/Compare.h"
#include "core/runtime/values/InputValue.h"
#include "core/runtime/values/RoundingErrors.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <chrono>
#include <cmath>

using namespace mlir;

namespace fuselage {
namespace {

class ScheduledRunner {
public:
  explicit ScheduledRunner(const RunOptions &options) : options_(options) {}

  llvm::Expected<RunReport> run(ModuleOp before, ModuleOp after) {
    if (llvm::Error error = prepare(before, after))
      return error;
    progress(1, "computing what it was");
    if (llvm::Error error = computeReference())
      return error;
    progress(2, "running what the schedule made");
    if (llvm::Error error = options_.device == "host" ? runOnHost() : runOnDevice())
      return error;
    if (llvm::Error error = compare())
      return error;
    progress(3, "done");
    return std::move(report_);
  }

private:
  void progress(unsigned done, llvm::StringRef what) {
    if (options_.progress)
      options_.progress(done, 3, what);
  }
  bool cancelled() const { return options_.cancelled && options_.cancelled->load(); }
  double lap() {
    auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(lapStart_, now)).count();
  }

  llvm::Error prepare(ModuleOp before, ModuleOp after) {
    auto picked = pickFunction(before, options_.function);
    if (!picked)
      return picked.takeError();
    report_.function = picked->getName().str();
    report_.device = options_.device;
    loc_ = formatPosition(positionOf(picked->getLoc()));
    scheduled_ = after.lookupSymbol<func::FuncOp>(report_.function);
    if (!scheduled_)
      return fail("the schedule leaves no function @" + report_.function);
    auto sized = specialize(*picked, options_.sizes);
    if (!sized)
      return sized.takeError();
    before_ = std::move(*sized);
    function_ = before_->lookupSymbol<func::FuncOp>(report_.function);
    if (llvm::Error error = checkSignature())
      return error;
    return makeArguments();
  }

  /// The schedule may have turned tensors into buffers, and nothing else.
  llvm::Error checkSignature() {
    auto isSame = [](Type was, Type is) {
      auto tensor = dyn_cast<RankedTensorType>(was);
      auto buffer = dyn_cast<MemRefType>(is);
      return was == is || (tensor && buffer && tensor.getShape() == buffer.getShape() &&
                           tensor.getElementType() == buffer.getElementType());
    };
    FunctionType was = function_.getFunctionType(), is = scheduled_.getFunctionType();
    bool fits = was.getNumInputs() == is.getNumInputs() && was.getNumResults() == is.getNumResults();
    for (auto [a, b] : llvm::zip(was.getInputs(), is.getInputs()))
      fits &= isSame(a, b);
    for (auto [a, b] : llvm::zip(was.getResults(), is.getResults()))
      fits &= isSame(a, b);
    return fits ? llvm::Error::success()
                : fail("@" + report_.function + " is of type " + textOf(is) + " behind the schedule, and was " + textOf(was) +
                       "; only tensors that became buffers can be compared");
  }

  llvm::Error makeArguments() {
    std::map<std::string, std::string> how = options_.inputs;
    auto given = readInputFiles(function_, options_.files);
    if (!given)
      return given.takeError();
    auto takesAny = [](const InputDomain &domain) {
      return std::isinf(domain.least) && std::isinf(domain.most) && !domain.awayFromZero && !domain.bounded;
    };
    for (auto [index, domain] : llvm::enumerate(inputDomainsOf(function_)))
      if (takesAny(domain) && (index >= given->size() || !(*given)[index]))
        how.try_emplace("arg" + std::to_string(index), "integers");
    auto inputs = makeInputs(function_, options_.seed, how, std::move(*given));
    if (!inputs)
      return inputs.takeError();
    for (auto [index, input] : llvm::enumerate(*inputs)) {
      report_.inputs.push_back({.name = "arg" + std::to_string(index),
                                .parameter = "",
                                .type = textOf(input.tensor.type()),
                                .source = input.source,
                                .note = input.note});
      arguments_.push_back(std::move(input.tensor));
    }
    report_.shares.inputsMs = lap();
    return llvm::Error::success();
  }

  llvm::Error computeReference() {
    pieces_ = std::make_unique<HostPieces>(
        *before_->getContext(), HostProgramOptions{.jit = {.cancelled = options_.cancelled}, .limits = options_.host, .checks = false});
    auto reference = Reference::plan(function_, *pieces_, options_.host);
    if (!reference)
      return reference.takeError();
    plain_ = std::move(*reference);
    pieces_->compile();
    report_.shares.uniquePieces = pieces_->unique();
    report_.shares.pieces = pieces_->total();
    auto results = plain_->run(arguments_, options_.cancelled);
    if (!results)
      return results.takeError();
    reference_ = std::move(*results);
    report_.shares.checkMs += lap();
    return llvm::Error::success();
  }

  KernelReport row(llvm::StringRef device, llvm::StringRef kernel) const {
    KernelReport row;
    row.dispatch = report_.function;
    row.device = device.str();
    row.kernel = kernel.str();
    row.loc = loc_;
    row.part = report_.kernels.size();
    if (Operation *root = findDispatchRoot(function_))
      row.arithmetic = arithmeticOf(root);
    return row;
  }

  /// Runs between what is measured beside; the function as it was tells what there is to do.
  template <class Run> llvm::Error withYardsticks(Device *device, const Run &run) {
    Yardsticks *yardsticks = options_.yardsticks;
    if (yardsticks) {
      yardsticks->begin(*before_->getContext(), device, options_);
      yardsticks->before(function_);
      lap();
    }
    if (llvm::Error error = run())
      return error;
    setRates(report_.kernels, costOfDispatch(function_));
    if (yardsticks) {
      yardsticks->after(function_, report_.kernels);
      yardsticks->end(report_);
      lap();
    }
    return llvm::Error::success();
  }

  llvm::Error runOnHost() {
    bool launches = scheduled_->walk([](gpu::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (launches)
      return fail("@" + report_.function + " has a gpu.launch behind the schedule, which the host does not run; give a GPU, such as "
                  "--device vulkan:0");
    auto program = HostProgram::compile(*isolateFunction(scheduled_), {.jit = {.cancelled = options_.cancelled},
                                                                       .limits = options_.host,
                                                                       .checks = false,
                                                                       .wideSums = false});
    if (!program)
      return program.takeError();
    if (llvm::Error error = (*program)->prepare(report_.function))
      return error;
    report_.shares.compileMs = lap();
    return withYardsticks(nullptr, [&] { return measureOnHost(**program); });
  }

  llvm::Error measureOnHost(HostProgram &program) {
    auto results = program.measure(report_.function, arguments_, RepeatPlan(options_.counts()), {.coldCaches = options_.coldCaches});
    if (!results)
      return results.takeError();
    results_ = std::move(results->values);
    report_.kernels.push_back(row("host", report_.function));
    report_.kernels.back().kind = KernelReport::Kind::Dispatch;
    report_.kernels.back().cold = "flushed";
    setTimes(report_.kernels.back(), std::move(results->microseconds));
    report_.shares.runMs = lap();
    return llvm::Error::success();
  }

  llvm::Error allocate(Device &device) {
    auto add = [&](uint64_t bytes) -> llvm::Error {
      auto buffer = device.allocate(std::max<uint64_t>(bytes, 4));
      if (!buffer)
        return buffer.takeError();
      buffers_.push_back(std::move(*buffer));
      return llvm::Error::success();
    };
    for (const HostTensor &argument : arguments_)
      if (llvm::Error error = add(deviceByteCount(argument.type(), device.layout())))
        return error;
    for (Type type : function_.getResultTypes())
      if (llvm::Error error = add(deviceByteCount(type, device.layout())))
        return error;
    for (uint64_t bytes : compiled_.scratchBytes)
      if (llvm::Error error = add(bytes))
        return error;
    return llvm::Error::success();
  }

  /// Arguments as they were, and bytes that no result consists of by chance in all else.
  llvm::Error fill(Device &device) {
    for (auto [index, buffer] : llvm::enumerate(buffers_)) {
      std::vector<uint8_t> bytes(buffer->byteCount(), 0xff);
      if (index < arguments_.size())
        packForDevice(arguments_[index], device.layout(), bytes.data());
      if (llvm::Error error = device.upload(*buffer, bytes))
        return error;
    }
    return llvm::Error::success();
  }

  llvm::Error runOnDevice() {
    auto opened = openDevice(options_.device);
    if (!opened)
      return opened.takeError();
    device_ = std::move(*opened);
    report_.device = device_->info().id;
    auto compiled = compileScheduled(scheduled_, device_->targetOptions());
    if (!compiled)
      return compiled.takeError();
    compiled_ = std::move(*compiled);
    std::vector<std::unique_ptr<DeviceKernel>> kernels;
    for (const CompiledKernel &kernel : compiled_.kernels) {
      auto loaded = device_->load(kernel);
      if (!loaded)
        return loaded.takeError();
      kernels.push_back(std::move(*loaded));
    }
    report_.shares.compileMs = lap();
    if (llvm::Error error = allocate(*device_))
      return error;
    return withYardsticks(device_.get(), [&] { return launch(*device_, kernels); });
  }

  llvm::Error launch(Device &device, llvm::ArrayRef<std::unique_ptr<DeviceKernel>> kernels) {
    std::vector<Launch> launches;
    for (auto [loaded, kernel] : llvm::zip_equal(kernels, compiled_.kernels)) {
      Launch launch{.kernel = loaded.get(), .buffers = {}};
      for (unsigned number : kernel.arguments)
        launch.buffers.push_back(buffers_[number].get());
      launches.push_back(std::move(launch));
    }
    WaitLimits limits;
    limits.cancelled = options_.cancelled;
    limits.timeoutSeconds = options_.timeoutSeconds > 0 ? options_.timeoutSeconds : device.info().software ? 600 : 30;
    std::vector<std::vector<double>> samples(kernels.size());
    for (RepeatPlan plan(options_.counts()); plan.more();) {
      if (cancelled())
        return fail("cancelled");
      bool timed = plan.timed();
      if (llvm::Error error = fill(device))
        return error;
      report_.shares.uploadMs += lap();
      auto times = device.run(launches, limits);
      if (!times)
        return times.takeError();
      for (size_t i = 0; timed && i < samples.size(); ++i)
        samples[i].push_back((*times)[i]);
      double ms = lap();
      report_.shares.runMs += ms;
      plan.ran(ms * 1e-3, timed);
    }
    for (auto [kernel, times] : llvm::zip_equal(kernels, samples)) {
      KernelReport report = row(report_.device, kernel->entry);
      report.grid = kernel->grid;
      report.block = kernel->block;
      report.sharedBytes = kernel->sharedBytes;
      report.clock = device.hasTimestamps() ? Clock::Device : Clock::Host;
      setTimes(report, std::move(times));
      report_.kernels.push_back(std::move(report));
    }
    return fetch(device);
  }

  llvm::Error fetch(Device &device) {
    for (auto [index, type] : llvm::enumerate(function_.getResultTypes())) {
      DeviceBuffer &buffer = *buffers_[arguments_.size() + index];
      std::vector<uint8_t> bytes(buffer.byteCount());
      if (llvm::Error error = device.download(buffer, bytes))
        return error;
      auto tensor = HostTensor::create(type);
      if (!tensor)
        return tensor.takeError();
      unpackFromDevice(bytes.data(), device.layout(), *tensor);
      results_.push_back(std::move(*tensor));
    }
    return llvm::Error::success();
  }

  llvm::Error compare() {
    std::vector<ErrorBound> bounds = errorBoundsOf(function_);
    if (results_.size() != reference_.outputs.size() || bounds.size() != results_.size())
      return fail("@" + report_.function + " has another number of results than before");
    report_.verdict = results_.empty() ? CheckVerdict::NothingToRun : CheckVerdict::Ok;
    if (results_.empty())
      report_.why = "@" + report_.function + " has no result that could be compared";
    std::vector<Comparison> checks = compareResults(results_, reference_.outputs, bounds, [&] {
      return plain_->chain().sizesOfTerms(arguments_, reference_.outputs, options_.cancelled);
    });
    Comparison worst;
    for (auto [index, result] : llvm::enumerate(results_)) {
      OutputReport output;
      output.type = textOf(result.type());
      output.check = checks[index];
      if (output.check.verdict == CheckVerdict::Wrong && !reference_.uninitialised.empty()) {
        output.check.verdict = CheckVerdict::NotComparable;
        output.check.why = reference_.uninitialised;
      }
      output.view = viewResult(result, reference_.outputs[index], output.check);
      output.value = result;
      worst = index == 0 ? output.check : worseOf(worst, output.check);
      if (output.check.verdict > report_.verdict) {
        report_.verdict = output.check.verdict;
        report_.why = "result " + std::to_string(index) + " of @" + report_.function + ": " + output.check.why;
      }
      report_.outputs.push_back(std::move(output));
    }
    for (KernelReport &row : report_.kernels)
      row.check = worst;
    report_.shares.uniqueDispatches = report_.shares.dispatches = report_.kernels.size();
    report_.shares.checkMs += lap();
    return llvm::Error::success();
  }

  const RunOptions &options_;
  RunReport report_;
  std::string loc_;
  OwningOpRef<ModuleOp> before_;
  func::FuncOp function_, scheduled_; ///< as it was, and what became of it
  std::vector<HostTensor> arguments_, results_;
  std::unique_ptr<HostPieces> pieces_;
  std::optional<Reference> plain_; ///< what the reference's results are computed by
  ReferenceResults reference_;
  CompiledDispatch compiled_;
  std::unique_ptr<Device> device_; ///< the host has none
  std::vector<std::unique_ptr<DeviceBuffer>> buffers_; ///< arguments, results, scratch, as CompiledDispatch counts
  std::chrono::steady_clock::time_point lapStart_ = std::chrono::steady_clock::now();
};

} // namespace

llvm::Expected<RunReport> runScheduled(ModuleOp before, ModuleOp after, const RunOptions &options) {
  return ScheduledRunner(options).run(before, after);
}

} // namespace fuselage
