#include "core/runtime/run/Run.h"
#include "core/runtime/run/DispatchChecker.h"
#include "core/runtime/run/ProgramRunner.h"
#include "core/runtime/run/Reference.h"
#include "core/runtime/run/RunProgram.h"
#include "core/runtime/run/Specialize.h"
#include "core/runtime/values/InputValue.h"
#include "core/runtime/values/RoundingErrors.h"

using namespace mlir;

namespace fuselage {

/// The outputs against the reference's.
static llvm::Error compareOutputs(ArrayRef<RuntimeValue> outputs, const ReferenceResults &reference,
                                  ArrayRef<ErrorBound> bounds, Device *device, RunReport &report) {
  if (outputs.size() != reference.outputs.size() || outputs.size() != bounds.size())
    return fail("@" + report.function + " gave " + std::to_string(outputs.size()) +
                " results, its reference " + std::to_string(reference.outputs.size()));
  for (auto [output, expected, bound] : llvm::zip_equal(outputs, reference.outputs, bounds)) {
    auto actual = output.toHost(device);
    if (!actual)
      return actual.takeError();
    OutputReport result;
    result.type = textOf(output.type());
    result.check = compareTensors(*actual, expected, bound);
    result.view = viewResult(*actual, expected, result.check);
    result.value = std::move(*actual);
    report.outputs.push_back(std::move(result));
  }
  return llvm::Error::success();
}

/// The verdict on the whole run: the worst of its parts.
static void judge(RunReport &report) {
  auto isKernel = [](const KernelReport &row) { return row.kind == KernelReport::Kind::Dispatch; };
  report.verdict = CheckVerdict::Ok;
  auto add = [&](const std::string &what, const Comparison &check) {
    if (check.verdict <= report.verdict)
      return;
    report.verdict = check.verdict;
    report.why = what + ": " + check.why;
  };
  for (const KernelReport &row : report.kernels)
    if (isKernel(row))
      add("@" + row.dispatch + (row.loc.empty() ? "" : " (" + row.loc + ")"), row.check);
  for (auto [index, output] : llvm::enumerate(report.outputs))
    add("result " + std::to_string(index) + " of @" + report.function, output.check);
  if (report.verdict == CheckVerdict::Ok && llvm::none_of(report.kernels, isKernel)) {
    report.verdict = CheckVerdict::NothingToRun;
    report.why = "there is nothing to run: @" + report.function + " has no op on tensors that would make a kernel";
  }
}

/// What depends on memory that nobody wrote says nothing about who computed it.
static void excuse(RunReport &report, const std::string &uninitialised) {
  auto excuseOne = [&](Comparison &check) {
    if (check.verdict == CheckVerdict::Wrong) {
      check.verdict = CheckVerdict::NotComparable;
      check.why = uninitialised;
    }
  };
  for (KernelReport &row : report.kernels)
    excuseOne(row.check);
  for (OutputReport &output : report.outputs)
    excuseOne(output.check);
  report.verdict = CheckVerdict::NotComparable;
  report.why = uninitialised;
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
  Runner(const RunOptions &options) : options_(options) {}
  llvm::Expected<RunReport> run(ModuleOp input);

private:
  llvm::Error runAll(ModuleOp input);
  llvm::Error open();
  /// Everything up to programs and arguments.
  llvm::Error prepare(ModuleOp input);
  llvm::Error makeArguments(func::FuncOp function);
  llvm::Error computeReference();
  llvm::Error runProgram();
  void progress(const llvm::Twine &what) {
    if (options_.progress)
      options_.progress(std::min(done_, total_), total_, what.str());
  }

  const RunOptions &options_;
  RunReport report_;
  SourcePosition position_; // of the function
  std::unique_ptr<Device> device_; // the host has none
  OwningOpRef<ModuleOp> unfused_;
  RunProgram program_;
  std::vector<HostTensor> arguments_;
  std::vector<ErrorBound> bounds_; // of the function's results
  ReferenceResults reference_;
  unsigned done_ = 0, total_ = 1;
};

} // namespace

llvm::Error Runner::open() {
  report_.device = "host";
  if (options_.device == "host")
    return llvm::Error::success();
  auto opened = openDevice(options_.device);
  if (!opened)
    return opened.takeError();
  device_ = std::move(*opened);
  report_.device = device_->info().id;
  return llvm::Error::success();
}

llvm::Error Runner::makeArguments(func::FuncOp function) {
  auto inputs = makeInputs(function, options_.seed, options_.inputs);
  if (!inputs)
    return inputs.takeError();
  for (auto [index, input] : llvm::enumerate(*inputs)) {
    report_.inputs.push_back({.name = "arg" + std::to_string(index),
                              .type = textOf(input.tensor.type()),
                              .source = input.source,
                              .note = input.note});
    arguments_.push_back(std::move(input.tensor));
  }
  return llvm::Error::success();
}

llvm::Error Runner::prepare(ModuleOp input) {
  auto picked = pickFunction(input, options_.function);
  if (!picked)
    return picked.takeError();
  report_.function = picked->getName().str();
  position_ = positionOf(picked->getLoc());
  auto sized = specialize(*picked, options_.sizes);
  if (!sized)
    return sized.takeError();
  auto function = (*sized)->lookupSymbol<func::FuncOp>(report_.function);
  if (llvm::Error error = makeArguments(function))
    return error;
  bounds_ = errorBoundsOf(function, holdInfinities(arguments_));
  unfused_ = OwningOpRef<ModuleOp>(sized->get().clone());
  auto program = formRunProgram(std::move(*sized), report_.function, report_.remarks);
  if (!program)
    return program.takeError();
  program_ = std::move(*program);
  total_ = program_.dispatchCalls + 1;
  return llvm::Error::success();
}

llvm::Error Runner::computeReference() {
  progress("computing the reference on the host");
  auto function = unfused_->lookupSymbol<func::FuncOp>(report_.function);
  auto reference = runReference(std::move(unfused_), function, arguments_, options_);
  if (!reference)
    return reference.takeError();
  reference_ = std::move(*reference);
  return llvm::Error::success();
}

llvm::Error Runner::runProgram() {
  DispatchChecker checker(device_.get(), options_);
  auto observe = [&](func::FuncOp dispatch, ArrayRef<RuntimeValue> taken, DispatchRun &run) -> llvm::Error {
    if (llvm::Error error = checker.check(dispatch, taken, run))
      return error;
    llvm::append_range(report_.kernels, run.reports);
    ++done_;
    total_ = std::max(total_, done_ + 1);
    progress(dispatch.getName());
    return llvm::Error::success();
  };
  auto observeHost = [&](KernelReport row) { report_.kernels.push_back(std::move(row)); };
  ProgramRunner runner(device_.get(), options_, report_.remarks, observe, observeHost);
  std::vector<RuntimeValue> values;
  for (const HostTensor &argument : arguments_)
    values.push_back(RuntimeValue::onHost(argument));
  progress("compiling for " + report_.device);
  auto outputs = runner.run(program_.function, std::move(values));
  if (!outputs)
    return outputs.takeError();
  if (llvm::Error error = compareOutputs(*outputs, reference_, bounds_, device_.get(), report_))
    return error;
  outputs->clear();
  progress("timing one pass");
  auto wall = runner.timeOnePass(program_.function, arguments_);
  if (!wall)
    return wall.takeError();
  report_.wallUs = *wall;
  return llvm::Error::success();
}

llvm::Error Runner::runAll(ModuleOp input) {
  if (llvm::Error error = open())
    return error;
  if (llvm::Error error = prepare(input))
    return error;
  if (llvm::Error error = computeReference())
    return error;
  return runProgram();
}

llvm::Expected<RunReport> Runner::run(ModuleOp input) {
  if (llvm::Error error = runAll(input))
    return withPlace(std::move(error), position_, report_.function);
  judge(report_);
  if (!reference_.uninitialised.empty())
    excuse(report_, reference_.uninitialised);
  done_ = total_;
  progress("done");
  return std::move(report_);
}

llvm::Expected<RunReport> runModule(Session &, ModuleOp module, const RunOptions &options) {
  auto report = Runner(options).run(module);
  if (report)
    return report;
  return asCancel(report.takeError(), options);
}

} // namespace fuselage
