#include "core/run/Run.h"
#include "core/ir/ops/Parameters.h"
#include "core/ir/ops/WrittenTypes.h"
#include "core/run/Baselines.h"
#include "core/run/DefaultSizes.h"
#include "core/run/DispatchChecker.h"
#include "core/run/DispatchTuning.h"
#include "core/run/ProgramRunner.h"
#include "core/run/RunProgram.h"
#include "core/run/SingleDispatch.h"
#include "core/run/Specialize.h"
#include "core/run/Timing.h"
#include "core/run/progress/RunMonitor.h"
#include "core/run/reference/Reference.h"
#include "core/run/values/ExpectationCheck.h"
#include "core/run/values/InputValue.h"
#include "core/run/values/RoundingErrors.h"
#include "core/trace/TraceLog.h"
#include "core/transforms/bufferize/BuffersAsTensors.h"
#include "core/transforms/workgroups/BroadcastFolding.h"
#include <chrono>
#include <thread>

using namespace mlir;

namespace fuselage {

static llvm::Expected<std::vector<HostTensor>> toHost(ArrayRef<RuntimeValue> values, Device *device) {
  std::vector<HostTensor> tensors;
  for (const RuntimeValue &value : values) {
    auto tensor = value.toHost(device);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// Names the function's place where nothing else names one.
static llvm::Error withPlace(llvm::Error error, const SourcePosition &position, const std::string &function) {
  Failure failure = takeFailure(std::move(error));
  if (failure.diagnostics.empty() && position.line != 0)
    failure.diagnostics.push_back({.message = "@" + function + " cannot be run",
                                   .file = position.file,
                                   .line = position.line,
                                   .column = position.column,
                                   .notes = {}});
  return fail(failure.message, failure.diagnostics);
}

/// Whether some result is not just an argument.
static bool hasResultsOfOps(func::FuncOp function) {
  return llvm::any_of(function.getBody().back().getTerminator()->getOperands(),
                      [](Value result) { return !isa<BlockArgument>(result); });
}

/// "cancelled" wherever a cancel was noticed.
static llvm::Error asCancel(llvm::Error error, const RunOptions &options) {
  if (!options.cancelled || !options.cancelled->load())
    return error;
  llvm::consumeError(std::move(error));
  return fail("cancelled");
}

namespace {

/// One run from the module to the report.
class Runner {
public:
  Runner(const RunOptions &options) : options_(options), monitor_(options.progress) {}
  llvm::Expected<RunReport> run(ModuleOp input);

private:
  llvm::Error runAll(ModuleOp input);
  llvm::Error open();
  /// Everything up to programs and arguments.
  llvm::Error prepare(ModuleOp input);
  llvm::Error prepareDispatch();
  llvm::Error makeArguments(func::FuncOp function);
  /// Compiles all there is to compile; computes the reference meanwhile.
  llvm::Error compileAndComputeReference();
  void noteTuning();
  llvm::Error runProgram();
  /// Takes in what a dispatch gave: its rows, and what there is to check.
  llvm::Error finish(RowPlace place, func::FuncOp dispatch, ArrayRef<RuntimeValue> taken, DispatchRun &run);
  void finishOnHost(RowPlace place, KernelReport row);
  /// Checks what was collected, and tells its rows again.
  llvm::Error check();
  /// How the time went, as far as the run came.
  void noteShares();
  bool isCancelled() const { return options_.cancelled && options_.cancelled->load(); }
  /// Of each call of a dispatch, which of them are equal.
  std::vector<int> formsOfCalls();
  /// The outputs against the reference's.
  llvm::Error compareOutputs(ArrayRef<RuntimeValue> outputs);
  bool wantsPass() const;
  std::vector<RuntimeValue> freshArguments() const;

  /// Milliseconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> time = now - std::exchange(lapStart_, now);
    return time.count();
  }

  const RunOptions &options_;
  RunReport report_;
  RunMonitor monitor_;
  std::chrono::steady_clock::time_point lapStart_ = std::chrono::steady_clock::now();
  SourcePosition position_; // of the function
  std::unique_ptr<Device> device_;
  OwningOpRef<ModuleOp> onTensors_; // what is run of a module on buffers
  OwningOpRef<ModuleOp> unfused_;
  RunProgram program_;
  std::vector<RuntimeValue> arguments_;
  bool inputsGiven_ = false;
  std::vector<ErrorBound> bounds_; // of the function's results
  std::unique_ptr<HostPieces> pieces_;
  std::unique_ptr<DispatchChecker> checker_;
  std::unique_ptr<ProgramRunner> runner_;
  std::optional<Reference> plain_; // what the reference's results are computed by
  ReferenceResults reference_;
  llvm::DenseMap<Operation *, size_t> rows_; // the first of each place
  size_t checkedRows_ = 0;                   // so many were told with their checks
  unsigned compiled_ = 0, ran_ = 0;          // units of work: what was compiled, and launches
  double compareMs_ = 0;
};

} // namespace

llvm::Error Runner::open() {
  TraceScope scope("run", "open the device");
  auto opened = openDevice(options_.device);
  if (!opened)
    return opened.takeError();
  device_ = std::move(*opened);
  report_.device = device_->info().id;
  if (options_.tf32) {
    if (device_->targetOptions().target != KernelTarget::Ptx)
      return fail("tf32 is of NVIDIA's devices, and not of " + report_.device);
    report_.remarks.push_back(
        {.severity = Diagnostic::Severity::Remark,
         .message =
             "f32 factors are multiplied as tf32, which keeps 10 bits of their 23, where instructions take matrices: "
             "tolerances allow for up to 2^-10 of each factor",
         .file = "",
         .line = 0,
         .column = 0,
         .notes = {}});
  }
  return llvm::Error::success();
}

llvm::Error Runner::makeArguments(func::FuncOp function) {
  monitor_.tell(0, "making the inputs");
  auto given = readInputFiles(function, options_.files);
  if (!given)
    return given.takeError();
  auto inputs = makeInputs(function, options_.seed, options_.inputs, std::move(*given), options_.cancelled);
  if (!inputs)
    return inputs.takeError();
  inputsGiven_ = llvm::all_of(*inputs, [](const InputValue &input) { return input.isGiven(); });
  std::vector<HostTensor> tensors;
  for (auto [index, input] : llvm::enumerate(*inputs)) {
    report_.inputs.push_back({.name = "arg" + std::to_string(index),
                              .parameter = parameterAddress(function.getArgument(index)),
                              .type = textOf(writtenType(function.getArgument(index))),
                              .source = input.source,
                              .note = input.note});
    tensors.push_back(input.tensor);
    arguments_.push_back(RuntimeValue::onHost(std::move(input.tensor)));
  }
  bounds_ = errorBoundsOf(function, holdInfinities(tensors, options_.cancelled), options_.tf32);
  fitBounds(bounds_, inputsGiven_, device_->takesHostMemory());
  return isCancelled() ? fail("cancelled") : llvm::Error::success();
}

/// Whether a whole pass is to be timed: weights stay on the device for it, which takes the memory for all of them.
bool Runner::wantsPass() const {
  constexpr uint64_t many = uint64_t(256) << 20;
  uint64_t bytes = 0;
  for (const RuntimeValue &argument : arguments_)
    bytes += deviceByteCount(argument.type());
  return options_.repeat > 1 || bytes < many;
}

/// Weights stay on the device if they are used again; what a user gives anew goes there with each pass.
std::vector<RuntimeValue> Runner::freshArguments() const {
  std::vector<RuntimeValue> values;
  auto function = func::FuncOp(program_.function);
  bool keepsWeights = wantsPass();
  for (auto [argument, value] : llvm::zip_equal(function.getArguments(), arguments_))
    values.push_back(
        keepsWeights && isParameter(argument) ? value : RuntimeValue::onHost(llvm::cantFail(value.toHost(nullptr))));
  return values;
}

/// What becomes of the arguments of a function on buffers.
static Diagnostic describeBuffers(func::FuncOp function, const FunctionOnTensors &raised) {
  SourcePosition place = positionOf(function.getLoc());
  std::string text = "the arguments are buffers, which go in and out";
  for (auto [result, argument] : llvm::enumerate(raised.written))
    text += (result == 0 ? ": result " : ", result ") + std::to_string(result) + " is what arg" +
            std::to_string(argument) + " holds in the end";
  if (!raised.isRaised)
    text += "; the function is more than linalg ops and copies of whole buffers, and runs as it is on the host";
  return {.severity = Diagnostic::Severity::Remark,
          .message = std::move(text),
          .file = place.file,
          .line = place.line,
          .column = place.column};
}

llvm::Error Runner::prepare(ModuleOp input) {
  TraceScope scope("run", "make inputs and dispatches");
  auto picked = pickFunction(input, options_.function);
  if (!picked)
    return picked.takeError();
  report_.function = picked->getName().str();
  position_ = positionOf(picked->getLoc());
  if (isOnBuffers(*picked)) {
    auto raised = onTensors(*picked);
    if (!raised)
      return raised.takeError();
    report_.remarks.push_back(describeBuffers(*picked, *raised));
    onTensors_ = std::move(raised->module);
    picked = onTensors_->lookupSymbol<func::FuncOp>(report_.function);
  }
  ArgumentSizes sizes = options_.sizes;
  sizes.merge(sizesInFiles(*picked, options_.inputs, options_.files));
  auto sized = specializeWithDefaults(*picked, sizes, report_.remarks, options_.inputs);
  if (!sized)
    return sized.takeError();
  auto function = (*sized)->lookupSymbol<func::FuncOp>(report_.function);
  report_.computes = hasResultsOfOps(function);
  report_.shares.formMs += lap();
  if (options_.dispatch.empty())
    if (llvm::Error error = makeArguments(function))
      return error;
  report_.shares.inputsMs = lap();
  monitor_.tell(0, "forming dispatches");
  unfused_ = OwningOpRef<ModuleOp>(sized->get().clone());
  IRRewriter rewriter(unfused_->getContext());
  unfused_->walk([&](func::FuncOp each) {
    for (Block &block : each.getBody())
      foldBroadcasts(rewriter, block); // a repeated weight is a large thing to make, and none to check
  });
  auto program = formRunProgram(std::move(*sized), report_.function, report_.remarks, options_.cancelled);
  if (!program)
    return program.takeError();
  program_ = std::move(*program);
  report_.shares.formMs += lap();
  return options_.dispatch.empty() ? llvm::Error::success() : prepareDispatch();
}

/// Leaves one dispatch of the program, with inputs of its own.
llvm::Error Runner::prepareDispatch() {
  auto plain = keepDispatch(program_, options_.dispatch);
  if (!plain)
    return plain.takeError();
  report_.function = plain->getName().str();
  if (llvm::Error error = makeArguments(*plain))
    return error;
  unfused_ = OwningOpRef<ModuleOp>((*plain)->getParentOfType<ModuleOp>().clone());
  report_.shares.inputsMs += lap();
  return llvm::Error::success();
}

llvm::Error Runner::compileAndComputeReference() {
  TraceScope scope("run", "compile, and compute the reference");
  monitor_.enter(message::RunPhase::Compile);
  // Pieces have their checks from the function that they are cut from.
  pieces_ = std::make_unique<HostPieces>(
      *unfused_->getContext(),
      HostProgramOptions{.compile = {.limits = options_.host, .checks = false}, .cancelled = options_.cancelled});
  auto reference = Reference::plan(unfused_->lookupSymbol<func::FuncOp>(report_.function), *pieces_, options_.host);
  if (!reference)
    return reference.takeError();
  plain_ = std::move(*reference);
  checker_ = std::make_unique<DispatchChecker>(device_.get(), options_, program_, *pieces_);
  checker_->setInputsGiven(inputsGiven_);
  runner_ = std::make_unique<ProgramRunner>(*device_, options_, report_.remarks);
  for (func::FuncOp dispatch : program_.dispatches) {
    if (isCancelled())
      return fail("cancelled");
    checker_->plan(dispatch);
    runner_->dispatches().add(dispatch);
  }
  unfused_ = nullptr;
  unsigned pieces = pieces_->unique(), kernels = runner_->dispatches().unique();
  compiled_ = pieces + kernels;
  monitor_.expect(compiled_ + program_.dispatchCalls + 1);
  monitor_.tell(0, "compiling the reference");
  pieces_->compile([&](unsigned done, unsigned) { monitor_.tell(done, "compiling the reference"); });

  // What runs on a GPU has run on the host before, so that it is known to stay within its tensors.
  std::chrono::steady_clock::time_point compiled;
  std::thread compiling([&] {
    runner_->dispatches().compile(pieces_->contexts(), [&](unsigned done, unsigned) {
      monitor_.tell(pieces + done, "compiling for " + report_.device);
    });
    compiled = std::chrono::steady_clock::now();
    monitor_.enter(message::RunPhase::Check);
    monitor_.tell(compiled_, "computing the reference");
  });
  auto results = plain_->run(llvm::cantFail(toHost(arguments_, nullptr)), options_.cancelled);
  compiling.join();
  std::chrono::duration<double, std::milli> waited = std::chrono::steady_clock::now() - compiled;
  report_.shares.checkMs += waited.count();
  report_.shares.compileMs += lap() - waited.count();
  if (!results)
    return results.takeError();
  reference_ = std::move(*results);
  noteTuning();
  return llvm::Error::success();
}

/// Says which dispatches are not as the pipeline makes them by itself.
void Runner::noteTuning() {
  unsigned tuned = runner_->dispatches().tuned(), total = runner_->dispatches().total();
  if (tuned == 0)
    return;
  const DeviceInfo &info = device_->info();
  report_.remarks.push_back({.severity = Diagnostic::Severity::Remark,
                             .message = std::to_string(tuned) + " of " + std::to_string(total) +
                                        (total == 1 ? " dispatch has" : " dispatches have") +
                                        " the sizes that were tuned on " + info.name +
                                        (info.driver.empty() ? "" : ", driver " + info.driver) + ": '" +
                                        options_.tuning->source() + "'; --tuned none leaves them to the pipeline",
                             .file = "",
                             .line = 0,
                             .column = 0,
                             .notes = {}});
}

llvm::Error Runner::compareOutputs(ArrayRef<RuntimeValue> outputs) {
  if (outputs.size() != reference_.outputs.size() || outputs.size() != bounds_.size())
    return fail("@" + report_.function + " gave " + std::to_string(outputs.size()) + " results, its reference " +
                std::to_string(reference_.outputs.size()));
  auto actual = toHost(outputs, device_.get());
  if (!actual)
    return actual.takeError();
  std::vector<Comparison> checks = compareResults(*actual, reference_.outputs, bounds_, [&] {
    return plain_->chain().computeOtherwise(llvm::cantFail(toHost(arguments_, nullptr)), reference_.outputs,
                                            options_.cancelled);
  });
  auto function = func::FuncOp(program_.function);
  for (auto [index, expected, check] : llvm::enumerate(reference_.outputs, checks)) {
    HostTensor value = asWritten(function, index, (*actual)[index]);
    OutputReport result;
    result.type = textOf(value.type());
    result.check = check;
    result.view = viewResult(value, asWritten(function, index, expected), check);
    result.value = value;
    report_.outputs.push_back(std::move(result));
  }
  checkExpectations(report_, function);
  return llvm::Error::success();
}

llvm::Error Runner::finish(RowPlace place, func::FuncOp dispatch, ArrayRef<RuntimeValue> taken, DispatchRun &run) {
  size_t firstRow = rows_.try_emplace(place.op, report_.kernels.size()).first->second;
  ++ran_;
  if (place.isFirst) {
    llvm::append_range(report_.kernels, run.reports);
    monitor_.finishDispatch(runner_->dispatches().numberOf(dispatch));
  } else {
    for (size_t row = firstRow; row < firstRow + run.reports.size(); ++row)
      ++report_.kernels[row].calls;
    monitor_.repeatDispatch();
    monitor_.expect(std::max(compiled_ + program_.dispatchCalls, compiled_ + ran_) + 1);
  }
  if (place.isFirst) // who hears that it has finished has its rows by then
    monitor_.tellRows(firstRow, ArrayRef(report_.kernels).drop_front(firstRow));
  monitor_.tell(compiled_ + ran_, dispatch.getName());
  if (llvm::Error error = checker_->add(dispatch, taken, run, firstRow, place.isFirst))
    return error;
  return checker_->isFull() ? check() : llvm::Error::success();
}

void Runner::finishOnHost(RowPlace place, KernelReport row) {
  size_t index = rows_.try_emplace(place.op, report_.kernels.size()).first->second;
  if (place.isFirst) {
    report_.kernels.push_back(std::move(row));
    monitor_.tellRows(index, ArrayRef(report_.kernels).drop_front(index));
  } else {
    addCall(report_.kernels[index], row);
  }
}

llvm::Error Runner::check() {
  TraceScope scope("run", "check the results");
  monitor_.enter(message::RunPhase::Check);
  monitor_.tell(0, "checking");
  llvm::Error error = checker_->drain(report_.kernels);
  monitor_.tellRows(checkedRows_, ArrayRef(report_.kernels).drop_front(checkedRows_));
  checkedRows_ = report_.kernels.size();
  monitor_.enter(message::RunPhase::Run);
  return error;
}

std::vector<int> Runner::formsOfCalls() {
  std::vector<int> forms;
  program_.module->walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (isDispatch(callee))
      forms.push_back(runner_->dispatches().numberOf(callee));
  });
  return forms;
}

void Runner::noteShares() {
  RunShares &shares = report_.shares;
  double checkMs = checker_->seconds() * 1e3 + compareMs_, compileMs = runner_->compileUs() * 1e-3;
  shares.uploadMs = runner_->dispatches().uploadUs() * 1e-3;
  shares.runMs = std::max(0.0, lap() - checkMs - compileMs - shares.uploadMs);
  shares.checkMs += checkMs;
  shares.compileMs += compileMs;
  shares.uniqueDispatches = runner_->dispatches().unique();
  shares.dispatches = runner_->dispatches().total();
  shares.uniquePieces = pieces_->unique();
  shares.pieces = pieces_->total();
}

llvm::Error Runner::runProgram() {
  TraceScope scope("run", "run the program");
  monitor_.enter(message::RunPhase::Run);
  runner_->expectPass(wantsPass());
  runner_->observe([this](RowPlace place, func::FuncOp dispatch, ArrayRef<RuntimeValue> taken,
                          DispatchRun &run) { return finish(place, dispatch, taken, run); },
                   [this](RowPlace place, KernelReport row) { finishOnHost(place, std::move(row)); });
  if (options_.baselines) {
    monitor_.tell(compiled_, "measuring " + report_.device);
    options_.baselines->begin(*program_.module->getContext(), *device_, options_);
  }
  monitor_.tell(compiled_, "running on " + report_.device);
  monitor_.beginDispatches(formsOfCalls());
  auto outputs = runner_->run(program_.function, freshArguments());
  if (!outputs)
    return outputs.takeError();
  if (options_.baselines)
    options_.baselines->end(report_);
  if (llvm::Error error = check())
    return error;
  monitor_.enter(message::RunPhase::Check);
  auto start = std::chrono::steady_clock::now();
  if (llvm::Error error = compareOutputs(*outputs))
    return error;
  compareMs_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  outputs->clear();
  constexpr double longUs = 3e6;
  if (wantsPass() && (options_.repeat > 1 || report_.sumUs() < longUs)) {
    monitor_.enter(message::RunPhase::Run);
    monitor_.tell(0, "timing one pass");
    auto wall = runner_->timeOnePass(program_.function, freshArguments());
    if (!wall)
      return wall.takeError();
    report_.wallUs = *wall;
  }
  noteShares();
  return llvm::Error::success();
}

llvm::Error Runner::runAll(ModuleOp input) {
  if (llvm::Error error = open())
    return error;
  if (llvm::Error error = prepare(input))
    return error;
  if (llvm::Error error = compileAndComputeReference())
    return error;
  return runProgram();
}

llvm::Expected<RunReport> Runner::run(ModuleOp input) {
  if (llvm::Error error = runAll(input)) {
    if (!options_.keepsFinished || !isCancelled() || monitor_.dispatchesDone() == 0)
      return withPlace(std::move(error), position_, report_.function);
    llvm::consumeError(std::move(error));
    report_.cancelled = {.after = int(monitor_.dispatchesDone()), .of = int(monitor_.dispatches())};
    report_.outputs.clear();
    noteShares();
  }
  judge(report_, formatPosition(position_));
  if (!reference_.meaningless.empty() && !report_.cancelled)
    excuse(report_, reference_.meaningless);
  monitor_.tell(UINT_MAX, report_.cancelled ? "cancelled" : "done");
  return std::move(report_);
}

llvm::Expected<RunReport> runModule(Session &, ModuleOp module, const RunOptions &options) {
  auto report = Runner(options).run(module);
  if (report)
    return report;
  return asCancel(report.takeError(), options);
}

} // namespace fuselage
