#include "core/run/FunctionBench.h"
#include "core/codegen/Codegen.h"
#include "core/codegen/host/Isolate.h"
#include "core/codegen/host/kernels/HostCpu.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/module/Diagnostics.h"
#include "core/run/DispatchRunner.h"
#include "core/run/Specialize.h"
#include "core/run/Timing.h"
#include "core/run/UnmappedFunction.h"
#include "core/run/Yardsticks.h"
#include "core/run/reference/Reference.h"
#include "core/run/values/Compare.h"
#include "core/run/values/InputValue.h"
#include "core/run/values/RoundingErrors.h"
#include "core/runtime/device/Device.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <cmath>

using namespace mlir;

namespace fuselage {

class FunctionBench::Candidate {
public:
  RunReport report;
  CompiledDispatch compiled;                          ///< on a GPU
  std::vector<std::unique_ptr<DeviceKernel>> kernels; ///< the same
  std::vector<std::unique_ptr<DeviceBuffer>> buffers; ///< arguments, results, scratch, as CompiledDispatch counts
  std::unique_ptr<HostProgram> program;               ///< on the host
  bool isWarm = false;                                ///< it was launched before, and its driver has compiled it
  uint64_t code = 0;                                  ///< on the host, a hash of LLVM's IR as it is optimized
  std::vector<std::vector<double>> samples;           ///< of each kernel
  std::vector<HostTensor> results;                    ///< of the last launch
};

/// Of what is printed: modules of the same text become the same code.
static uint64_t hashOf(const llvm::Module &code) {
  std::string text;
  llvm::raw_string_ostream(text) << code;
  return llvm::xxh3_64bits(text);
}

struct FunctionBench::State {
  using Candidate = FunctionBench::Candidate;
  using Kernels = FunctionBench::Kernels;

  State(const RunOptions &options, Kernels kernels) : options(options), kernels(kernels) {}

  bool cancelled() const { return options.cancelled && options.cancelled->load(); }
  double lap() {
    auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(lapStart, now)).count();
  }

  llvm::Error open(ModuleOp module) {
    auto picked = pickFunction(module, options.function);
    if (!picked)
      return picked.takeError();
    name = picked->getName().str();
    loc = formatPosition(positionOf(picked->getLoc()));
    auto sized = specialize(*picked, options.sizes);
    if (!sized)
      return sized.takeError();
    before = std::move(*sized);
    function = before->lookupSymbol<func::FuncOp>(name);
    return makeArguments();
  }

  llvm::Error makeArguments() {
    std::map<std::string, std::string> how = options.inputs;
    auto given = readInputFiles(function, options.files);
    if (!given)
      return given.takeError();
    auto takesAny = [](const InputDomain &domain) {
      return std::isinf(domain.least) && std::isinf(domain.most) && !domain.awayFromZero && !domain.bounded;
    };
    for (auto [index, domain] : llvm::enumerate(inputDomainsOf(function)))
      if (kernels == Kernels::OfSchedule && takesAny(domain) && (index >= given->size() || !(*given)[index]))
        how.try_emplace("arg" + std::to_string(index), "integers");
    auto made = makeInputs(function, options.seed, how, std::move(*given));
    if (!made)
      return made.takeError();
    for (auto [index, input] : llvm::enumerate(*made)) {
      inputs.push_back({.name = "arg" + std::to_string(index),
                        .parameter = "",
                        .type = textOf(input.tensor.type()),
                        .source = input.source,
                        .note = input.note});
      arguments.push_back(std::move(input.tensor));
    }
    shares.inputsMs = lap();
    return llvm::Error::success();
  }

  llvm::Error computeReference() {
    pieces = std::make_unique<HostPieces>(
        *before->getContext(),
        HostProgramOptions{.jit = {.cancelled = options.cancelled}, .limits = options.host, .checks = false});
    auto planned = Reference::plan(function, *pieces, options.host);
    if (!planned)
      return planned.takeError();
    plain = std::move(*planned);
    pieces->compile();
    shares.uniquePieces = pieces->unique();
    shares.pieces = pieces->total();
    auto results = plain->run(arguments, options.cancelled);
    if (!results)
      return results.takeError();
    reference = std::move(*results);
    shares.checkMs += lap();
    return llvm::Error::success();
  }

  /// The schedule may have turned tensors into buffers, and nothing else.
  llvm::Error checkSignature(func::FuncOp scheduled) {
    auto isSame = [](Type was, Type is) {
      auto tensor = dyn_cast<RankedTensorType>(was);
      auto buffer = dyn_cast<MemRefType>(is);
      return was == is || (tensor && buffer && tensor.getShape() == buffer.getShape() &&
                           tensor.getElementType() == buffer.getElementType());
    };
    FunctionType was = function.getFunctionType(), is = scheduled.getFunctionType();
    bool fits = was.getNumInputs() == is.getNumInputs() && was.getNumResults() == is.getNumResults();
    for (auto [a, b] : llvm::zip(was.getInputs(), is.getInputs()))
      fits &= isSame(a, b);
    for (auto [a, b] : llvm::zip(was.getResults(), is.getResults()))
      fits &= isSame(a, b);
    return fits ? llvm::Error::success()
                : fail("@" + name + " is of type " + textOf(is) + " behind the schedule, and was " + textOf(was) +
                       "; only tensors that became buffers can be compared");
  }

  KernelReport row(llvm::StringRef where, llvm::StringRef kernel, unsigned part) const {
    KernelReport row;
    row.dispatch = name;
    row.device = where.str();
    row.kernel = kernel.str();
    row.loc = loc;
    row.part = part;
    if (Operation *root = findDispatchRoot(function))
      row.arithmetic = arithmeticOf(root);
    return row;
  }

  /// What the other threads have no part in, where there are any and a schedule had a say in it.
  void tellOneThread(const HostProgram &program, func::FuncOp scheduled, RunReport &report, KernelReport &row) const {
    constexpr size_t most = 8;
    const std::vector<OneThreadWork> &work = program.kernels().onOneThread;
    if (kernels == Kernels::OfDispatch || hostCpu().threads < 2 || work.empty())
      return;
    row.oneThread = std::string(program.usesThreads() ? "in part " : "") + "on one of " +
                    std::to_string(hostCpu().threads) + " threads: ";
    bool isFirst = true;
    for (const OneThreadWork &each : llvm::ArrayRef(work).take_front(most)) {
      std::string place = formatPosition(each.place);
      row.oneThread +=
          (std::exchange(isFirst, false) ? "" : ", ") + each.op + (place.empty() ? "" : " (" + place + ")");
    }
    if (work.size() > most)
      row.oneThread += " and " + std::to_string(work.size() - most) + " more";
    SourcePosition position = positionOf(scheduled.getLoc());
    report.remarks.push_back({.severity = Diagnostic::Severity::Remark,
                              .message = "@" + name + " runs " + row.oneThread +
                                         "; scf.forall, scf.parallel and dispatches run on all of the host's",
                              .file = position.file,
                              .line = position.line,
                              .column = position.column,
                              .notes = {}});
  }

  llvm::Error prepareOnHost(Candidate &candidate, func::FuncOp scheduled) {
    bool launches = scheduled->walk([](gpu::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (launches)
      return fail("@" + name +
                  " has a gpu.launch behind the schedule, which the host does not run; give a GPU, such as "
                  "--device vulkan:0");
    bool formsDispatches =
        scheduled->walk([](flow::DispatchRegionOp) { return WalkResult::interrupt(); }).wasInterrupted();
    bool makesKernels = kernels == Kernels::OfDispatch || formsDispatches;
    auto program =
        HostProgram::compile(*isolateFunction(scheduled),
                             {.jit = {.cancelled = options.cancelled,
                                      .threads = makesKernels ? HostThreading::Kernels : HostThreading::ParallelLoops,
                                      .optimized = [&](llvm::Module &code) { candidate.code = hashOf(code); }},
                              .limits = options.host,
                              .checks = false,
                              .wideSums = false});
    if (!program)
      return program.takeError();
    candidate.program = std::move(*program);
    candidate.report.device = options.device;
    candidate.samples.resize(1);
    KernelReport report = row("host", name, 0);
    report.kind = KernelReport::Kind::Dispatch;
    report.cold = "flushed";
    report.block[0] = candidate.program->usesThreads() ? hostCpu().threads : 1;
    tellOneThread(*candidate.program, scheduled, candidate.report, report);
    candidate.report.kernels.push_back(std::move(report));
    llvm::Error error = candidate.program->prepare(name);
    candidate.report.shares.compileMs = lap();
    return error;
  }

  llvm::Error prepareOnDevice(Candidate &candidate, func::FuncOp scheduled) {
    if (!device) {
      auto opened = openDevice(options.device);
      if (!opened)
        return opened.takeError();
      device = std::move(*opened);
    }
    candidate.report.device = device->info().id;
    DiagnosticCapture capture(*scheduled.getContext()); // what passes say of it is for whoever looks at one kernel
    TargetOptions target = device->targetOptions();
    target.tf32 |= options.tf32;
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    bool isOnTensors =
        llvm::any_of(scheduled.getArgumentTypes(), isTensor) || llvm::any_of(scheduled.getResultTypes(), isTensor);
    auto compiled = kernels == Kernels::OfDispatch ? compileDispatch(scheduled, target)
                    : isOnTensors                  ? compileUnmapped(scheduled, target)
                                                   : compileScheduled(scheduled, target);
    if (!compiled)
      return compiled.takeError();
    candidate.compiled = std::move(*compiled);
    for (const CompiledKernel &kernel : candidate.compiled.kernels) {
      auto loaded = device->load(kernel);
      if (!loaded)
        return loaded.takeError();
      KernelReport report = row(candidate.report.device, kernel.entry, candidate.report.kernels.size());
      report.grid = kernel.grid;
      report.block = kernel.block;
      report.sharedBytes = kernel.sharedBytes;
      report.clock = device->hasTimestamps() ? Clock::Device : Clock::Host;
      candidate.report.kernels.push_back(std::move(report));
      candidate.kernels.push_back(std::move(*loaded));
    }
    candidate.samples.resize(candidate.kernels.size());
    candidate.report.shares.compileMs = lap();
    return allocate(candidate);
  }

  llvm::Error allocate(Candidate &candidate) {
    auto add = [&](uint64_t bytes) -> llvm::Error {
      auto buffer = device->allocate(std::max<uint64_t>(bytes, 4));
      if (!buffer)
        return buffer.takeError();
      candidate.buffers.push_back(std::move(*buffer));
      return llvm::Error::success();
    };
    for (const HostTensor &argument : arguments)
      if (llvm::Error error = add(deviceByteCount(argument.type())))
        return error;
    for (Type type : function.getResultTypes())
      if (llvm::Error error = add(deviceByteCount(type)))
        return error;
    for (uint64_t bytes : candidate.compiled.scratchBytes)
      if (llvm::Error error = add(bytes))
        return error;
    return llvm::Error::success();
  }

  /// Arguments as they were, and bytes that no result consists of by chance in all else.
  llvm::Error fill(Candidate &candidate) {
    for (auto [index, buffer] : llvm::enumerate(candidate.buffers)) {
      std::vector<uint8_t> bytes(buffer->byteCount(), 0xff);
      if (index < arguments.size())
        packForDevice(arguments[index], bytes.data());
      if (llvm::Error error = device->upload(*buffer, bytes))
        return error;
    }
    return llvm::Error::success();
  }

  llvm::Error launchOnHost(Candidate &candidate, const RepeatCounts &counts) {
    auto results = candidate.program->measure(name, arguments, RepeatPlan(counts), {.coldCaches = options.coldCaches});
    if (!results)
      return results.takeError();
    candidate.results = std::move(results->values);
    llvm::append_range(candidate.samples.front(), results->microseconds);
    candidate.report.shares.runMs += lap();
    return llvm::Error::success();
  }

  llvm::Error launchOnDevice(Candidate &candidate, const RepeatCounts &counts) {
    std::vector<Launch> launches;
    for (auto [loaded, kernel] : llvm::zip_equal(candidate.kernels, candidate.compiled.kernels)) {
      Launch launch{.kernel = loaded.get(), .buffers = {}};
      for (unsigned number : kernel.arguments)
        launch.buffers.push_back(candidate.buffers[number].get());
      launches.push_back(std::move(launch));
    }
    WaitLimits limits;
    limits.cancelled = options.cancelled;
    limits.timeoutSeconds = options.timeoutSeconds > 0 ? options.timeoutSeconds : device->info().software ? 600 : 30;
    std::optional<double> first, least; // see DispatchRunner
    for (RepeatPlan plan(counts); plan.more();) {
      if (cancelled())
        return fail("cancelled");
      bool timed = plan.timed();
      if (llvm::Error error = fill(candidate))
        return error;
      candidate.report.shares.uploadMs += lap();
      auto times = device->run(launches, limits);
      if (!times)
        return times.takeError();
      for (size_t i = 0; timed && i < candidate.samples.size(); ++i)
        candidate.samples[i].push_back((*times)[i]);
      double ms = lap();
      candidate.report.shares.runMs += ms;
      plan.ran(ms * 1e-3, timed);
      if (!std::exchange(candidate.isWarm, true))
        first = ms;
      else if (timed)
        least = std::min(ms, least.value_or(ms));
    }
    if (first && least && *first > *least) {
      candidate.report.shares.runMs -= *first - *least;
      candidate.report.shares.compileMs += *first - *least;
    }
    return fetch(candidate);
  }

  llvm::Error fetch(Candidate &candidate) {
    candidate.results.clear();
    for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
      DeviceBuffer &buffer = *candidate.buffers[arguments.size() + index];
      std::vector<uint8_t> bytes(buffer.byteCount());
      if (llvm::Error error = device->download(buffer, bytes))
        return error;
      auto tensor = HostTensor::create(type);
      if (!tensor)
        return tensor.takeError();
      unpackFromDevice(bytes.data(), *tensor);
      candidate.results.push_back(std::move(*tensor));
    }
    return llvm::Error::success();
  }

  llvm::Error compare(const Candidate &candidate, RunReport &report) {
    std::vector<ErrorBound> bounds = errorBoundsOf(function);
    if (candidate.results.size() != reference.outputs.size() || bounds.size() != candidate.results.size())
      return fail("@" + name + " has another number of results than before");
    report.verdict = candidate.results.empty() ? CheckVerdict::NothingToRun : CheckVerdict::Ok;
    if (candidate.results.empty())
      report.why = "@" + name + " has no result that could be compared";
    std::vector<Comparison> checks = compareResults(candidate.results, reference.outputs, bounds, [&] {
      return plain->chain().computeOtherwise(arguments, reference.outputs, options.cancelled);
    });
    Comparison worst;
    for (auto [index, result] : llvm::enumerate(candidate.results)) {
      OutputReport output;
      output.type = textOf(result.type());
      output.check = checks[index];
      if (output.check.verdict == CheckVerdict::Wrong && !reference.meaningless.empty()) {
        output.check.verdict = CheckVerdict::NotComparable;
        output.check.why = reference.meaningless;
      }
      output.view = viewResult(result, reference.outputs[index], output.check);
      output.value = result;
      worst = index == 0 ? output.check : worseOf(worst, output.check);
      if (output.check.verdict > report.verdict) {
        report.verdict = output.check.verdict;
        report.why = "result " + std::to_string(index) + " of @" + name + ": " + output.check.why;
      }
      report.outputs.push_back(std::move(output));
    }
    for (KernelReport &row : report.kernels)
      row.check = worst;
    report.shares.uniqueDispatches = report.shares.dispatches = report.kernels.size();
    return llvm::Error::success();
  }

  const RunOptions options;
  const Kernels kernels;
  std::string name, loc;
  OwningOpRef<ModuleOp> before;
  func::FuncOp function;
  std::vector<HostTensor> arguments;
  std::vector<InputReport> inputs;
  std::unique_ptr<HostPieces> pieces;
  std::optional<Reference> plain; ///< what the reference's results are computed by
  ReferenceResults reference;
  std::unique_ptr<Device> device; ///< opened for the first candidate
  RunShares shares{};             ///< of what is done once for all
  std::chrono::steady_clock::time_point lapStart = std::chrono::steady_clock::now();
};

FunctionBench::FunctionBench() = default;
FunctionBench::~FunctionBench() = default;

llvm::Expected<std::unique_ptr<FunctionBench>> FunctionBench::create(ModuleOp before, const RunOptions &options,
                                                                     Kernels kernels) {
  std::unique_ptr<FunctionBench> bench(new FunctionBench());
  bench->state_ = std::make_unique<State>(options, kernels);
  if (llvm::Error error = bench->state_->open(before))
    return error;
  if (llvm::Error error = bench->state_->computeReference())
    return error;
  return bench;
}

llvm::Expected<std::shared_ptr<FunctionBench::Candidate>> FunctionBench::prepare(ModuleOp after) {
  auto scheduled = after.lookupSymbol<func::FuncOp>(state_->name);
  if (!scheduled)
    return fail("there is no function @" + state_->name + " any more");
  if (llvm::Error error = state_->checkSignature(scheduled))
    return error;
  auto candidate = std::make_shared<Candidate>();
  candidate->report.function = state_->name;
  candidate->report.inputs = state_->inputs;
  state_->lap();
  llvm::Error error = state_->options.device == "host" ? state_->prepareOnHost(*candidate, scheduled)
                                                       : state_->prepareOnDevice(*candidate, scheduled);
  if (error)
    return error;
  return candidate;
}

llvm::Error FunctionBench::launch(Candidate &candidate, const RepeatCounts &counts) {
  state_->lap();
  return candidate.program ? state_->launchOnHost(candidate, counts) : state_->launchOnDevice(candidate, counts);
}

llvm::Error FunctionBench::sample(Candidate &candidate) {
  if (!candidate.program)
    return launch(candidate, {.repeat = 1, .warmup = 0, .seconds = 1e9});
  std::vector<double> earlier = std::exchange(candidate.samples.front(), {});
  llvm::Error error = launch(candidate, {.repeat = 5, .warmup = 2, .seconds = 0.05});
  if (!error)
    earlier.push_back(medianOf(candidate.samples.front()));
  candidate.samples.front() = std::move(earlier);
  return error;
}

llvm::Expected<RunReport> FunctionBench::report(Candidate &candidate) {
  state_->lap();
  RunReport report = candidate.report;
  for (auto [row, samples] : llvm::zip_equal(report.kernels, candidate.samples))
    setTimes(row, samples);
  setRates(report.kernels, costOfDispatch(state_->function)); // the function as it was tells what there is to do
  if (llvm::Error error = state_->compare(candidate, report))
    return error;
  report.shares.inputsMs = state_->shares.inputsMs;
  report.shares.uniquePieces = state_->shares.uniquePieces;
  report.shares.pieces = state_->shares.pieces;
  report.shares.checkMs = state_->shares.checkMs + state_->lap();
  return report;
}

llvm::Expected<RunReport> FunctionBench::measure(Candidate &candidate, const RepeatCounts &counts) {
  Yardsticks *yardsticks = state_->options.yardsticks;
  if (yardsticks) {
    yardsticks->begin(*state_->before->getContext(), state_->device.get(), state_->options);
    yardsticks->before(state_->function);
  }
  if (llvm::Error error = launch(candidate, counts))
    return error;
  auto report = this->report(candidate);
  if (report && yardsticks) {
    yardsticks->after(state_->function, report->kernels);
    yardsticks->end(*report);
  }
  return report;
}

std::vector<double> FunctionBench::samplesOf(const Candidate &candidate) {
  std::vector<double> sums;
  for (const std::vector<double> &kernel : candidate.samples) {
    sums.resize(std::max(sums.size(), kernel.size()));
    for (auto [sum, sample] : llvm::zip(sums, kernel))
      sum += sample;
  }
  return sums;
}

std::string FunctionBench::fingerprintOf(const Candidate &candidate) {
  uint64_t hash = candidate.code;
  auto add = [&](llvm::StringRef bytes) { hash = hash * 0x9e3779b97f4a7c15 + llvm::xxh3_64bits(bytes); };
  for (const CompiledKernel &kernel : candidate.compiled.kernels) {
    add(kernel.binary);
    std::string shape;
    for (uint64_t number :
         {uint64_t(kernel.grid[0]), uint64_t(kernel.grid[1]), uint64_t(kernel.grid[2]), uint64_t(kernel.block[0]),
          uint64_t(kernel.block[1]), uint64_t(kernel.block[2]), kernel.sharedBytes})
      shape += std::to_string(number) + " ";
    for (unsigned argument : kernel.arguments)
      shape += std::to_string(argument) + ",";
    add(shape);
  }
  return llvm::utohexstr(hash, /*LowerCase=*/true, 16);
}

const std::string &FunctionBench::function() const { return state_->name; }

} // namespace fuselage
