#include "core/run/FunctionBench.h"
#include "core/ir/module/Diagnostics.h"
#include "core/run/Baselines.h"
#include "core/run/DispatchCompiler.h"
#include "core/run/DispatchRunner.h"
#include "core/run/Specialize.h"
#include "core/run/Timing.h"
#include "core/run/reference/Reference.h"
#include "core/run/values/Compare.h"
#include "core/run/values/InputValue.h"
#include "core/run/values/RoundingErrors.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <cmath>

using namespace mlir;

namespace fuselage {

class FunctionBench::Candidate {
public:
  RunReport report;
  CompiledDispatch compiled;
  std::unique_ptr<Executable> executable;
  std::vector<std::vector<double>> samples; ///< of each kernel
  std::vector<HostTensor> results;          ///< of the last launch
};

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
    auto made = makeInputs(function, options.seed, how, std::move(*given), options.cancelled);
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
        HostProgramOptions{.compile = {.limits = options.host, .checks = false}, .cancelled = options.cancelled});
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
                : fail("@" + name + " is of type " + textOf(is) + " after the schedule, and was " + textOf(was) +
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
  void tellOneThread(llvm::ArrayRef<OneThreadWork> work, func::FuncOp scheduled, RunReport &report,
                     KernelReport &row) const {
    constexpr size_t most = 8;
    unsigned threads = device->info().maxThreads;
    if (kernels == Kernels::OfDispatch || threads < 2 || work.empty())
      return;
    row.oneThread =
        std::string(row.block[0] > 1 ? "in part " : "") + "on one of " + std::to_string(threads) + " threads: ";
    bool isFirst = true;
    for (const OneThreadWork &each : work.take_front(most)) {
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

  /// Opens the device and puts the arguments there, for the first candidate.
  llvm::Error openDevice() {
    if (device)
      return llvm::Error::success();
    auto opened = fuselage::openDevice(options.device);
    if (!opened)
      return opened.takeError();
    for (const HostTensor &argument : arguments) {
      auto value = putOn(**opened, argument.type(), argument);
      if (!value)
        return value.takeError();
      values.push_back(std::move(*value));
    }
    device = std::move(*opened);
    return llvm::Error::success();
  }

  llvm::Error prepare(Candidate &candidate, func::FuncOp scheduled) {
    if (llvm::Error error = openDevice())
      return error;
    candidate.report.device = device->info().id;
    std::unique_ptr<DispatchCompiler> compiler = DispatchCompiler::of(*device, options);
    // What compilers say of it is for whoever looks at one kernel.
    auto compiled =
        kernels == Kernels::OfDispatch ? compiler->compile(scheduled) : compiler->compileScheduled(scheduled);
    if (!compiled)
      return compiled.takeError();
    candidate.compiled = std::move(compiled->dispatch);
    auto loaded = device->prepare(candidate.compiled);
    if (!loaded)
      return loaded.takeError();
    candidate.executable = std::move(*loaded);
    for (const Executable::Kernel &kernel : candidate.executable->kernels()) {
      KernelReport report = row(candidate.report.device, kernel.entry, candidate.report.kernels.size());
      report.grid = kernel.grid;
      report.block = kernel.block;
      report.sharedBytes = kernel.sharedBytes;
      report.clock = candidate.executable->clock();
      tellOneThread(compiled->onOneThread, scheduled, candidate.report, report);
      candidate.report.kernels.push_back(std::move(report));
    }
    candidate.samples.resize(candidate.report.kernels.size());
    candidate.report.shares.compileMs = lap();
    return llvm::Error::success();
  }

  /// Keeps the samples, and what the last launch gave.
  llvm::Error launch(Candidate &candidate, const RepeatCounts &counts, std::vector<std::vector<double>> &samples) {
    WaitLimits limits;
    limits.cancelled = options.cancelled;
    limits.timeoutSeconds = options.timeoutSeconds > 0 ? options.timeoutSeconds : device->info().software ? 600 : 30;
    auto results = candidate.executable->run(
        values, {.counts = counts, .coldCaches = options.coldCaches, .restoresArguments = true, .limits = limits});
    if (!results)
      return results.takeError();
    for (KernelReport &row : candidate.report.kernels)
      row.cold = results->cold;
    for (auto [all, more] : llvm::zip_equal(samples, results->microseconds))
      llvm::append_range(all, more);
    RunShares &shares = candidate.report.shares;
    double uploadMs = results->uploadUs * 1e-3, compileMs = results->compileUs * 1e-3;
    shares.uploadMs += uploadMs;
    shares.compileMs += compileMs;
    candidate.results.clear();
    for (auto [type, value] : llvm::zip_equal(function.getResultTypes(), results->values)) {
      auto tensor = fetchFrom(*device, type, value);
      if (!tensor)
        return tensor.takeError();
      candidate.results.push_back(std::move(*tensor));
    }
    shares.runMs += std::max(0.0, lap() - uploadMs - compileMs);
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
  std::vector<DeviceValue> values; ///< the arguments on the device
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
  if (llvm::Error error = state_->prepare(*candidate, scheduled))
    return error;
  return candidate;
}

llvm::Error FunctionBench::launch(Candidate &candidate, const RepeatCounts &counts) {
  state_->lap();
  return state_->launch(candidate, counts, candidate.samples);
}

llvm::Error FunctionBench::sample(Candidate &candidate) {
  state_->lap();
  std::vector<std::vector<double>> few(candidate.samples.size());
  if (llvm::Error error = state_->launch(candidate, candidate.executable->countsOfSample(), few))
    return error;
  for (auto [samples, launches] : llvm::zip_equal(candidate.samples, few))
    samples.push_back(medianOf(launches));
  return llvm::Error::success();
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
  Baselines *baselines = state_->options.baselines;
  if (baselines) {
    baselines->begin(*state_->before->getContext(), *state_->device, state_->options);
    baselines->before(state_->function);
  }
  if (llvm::Error error = launch(candidate, counts))
    return error;
  auto report = this->report(candidate);
  if (report && baselines) {
    baselines->after(state_->function, report->kernels);
    baselines->end(*report);
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
  uint64_t hash = 0;
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
