#include "core/runtime/Run.h"
#include "core/codegen/Codegen.h"
#include "core/dialects/Flow.h"
#include "core/runtime/Compare.h"
#include "core/runtime/Isolate.h"
#include "core/runtime/ProgramRunner.h"
#include "core/runtime/RandomInputs.h"
#include "core/runtime/Reference.h"
#include "core/runtime/Specialize.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace fuselage {

namespace {

/// A module ready to be walked.
struct Program {
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  /// By dispatch index: the reference's key of each result, where known.
  std::vector<SmallVector<std::optional<ReferenceKey>>> keys;
  unsigned dispatchCalls = 0;
};

} // namespace

/// Runs a textual pipeline on the whole module; what MLIR says beside errors becomes remarks.
static llvm::Error runPipeline(ModuleOp module, StringRef text, std::vector<Diagnostic> &remarks) {
  registerAllPasses();
  std::string parseErrors;
  llvm::raw_string_ostream os(parseErrors);
  auto parsed = parsePassPipeline(text, os);
  if (failed(parsed))
    return fail("the pipeline '" + text.str() + "' does not parse: " + parseErrors);
  DiagnosticCapture capture(*module.getContext());
  PassManager passes(module.getContext());
  static_cast<OpPassManager &>(passes) = std::move(*parsed);
  if (failed(passes.run(module)))
    return fail("forming dispatches failed in '" + text.str() + "'", capture.take());
  for (Diagnostic &said : capture.take())
    remarks.push_back(std::move(said));
  return llvm::Error::success();
}

/// The dispatch regions of a module in the order that outlining numbers them.
static SmallVector<flow::DispatchRegionOp> dispatchRegions(ModuleOp module) {
  SmallVector<flow::DispatchRegionOp> regions;
  module.walk<WalkOrder::PreOrder>([&](flow::DispatchRegionOp op) { regions.push_back(op); });
  return regions;
}

constexpr llvm::StringLiteral regionNumberName = "fuselage.formed";

/// The steps of the default pipeline up to outlined dispatches, on a marked module.
static llvm::Expected<Program> formProgram(OwningOpRef<ModuleOp> module, StringRef functionName,
                                           std::vector<Diagnostic> &remarks) {
  Program program;
  bool formed = !dispatchRegions(*module).empty();
  for (StringRef pipeline : {kCleanUp, kFormDispatches})
    if (llvm::Error error = formed ? llvm::Error::success() : runPipeline(*module, pipeline, remarks))
      return error;

  // Which op computes each result is known now; elementwise fusion builds new ops.
  std::vector<SmallVector<std::optional<ReferenceKey>>> keys;
  Builder builder(module->getContext());
  for (flow::DispatchRegionOp region : dispatchRegions(*module)) {
    region->setAttr(regionNumberName, builder.getI64IntegerAttr(keys.size()));
    keys.push_back(llvm::map_to_vector(region.getReturn()->getOperands(),
                                       [](Value value) { return referenceKeyOf(value); }));
  }
  unmarkOps(*module);
  if (!formed)
    if (llvm::Error error = runPipeline(*module, kFuseWithinDispatches, remarks))
      return error;
  for (flow::DispatchRegionOp region : dispatchRegions(*module)) {
    auto number = region->getAttrOfType<IntegerAttr>(regionNumberName);
    program.keys.emplace_back(region.getNumResults(), std::nullopt);
    if (number && keys[number.getInt()].size() == region.getNumResults())
      program.keys.back() = keys[number.getInt()];
  }
  if (llvm::Error error =
          runPipeline(*module, "builtin.module(fuselage-outline-dispatches)", remarks))
    return error;
  program.function = module->lookupSymbol<func::FuncOp>(functionName);
  module->walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    program.dispatchCalls += callee && callee->hasAttr("fuselage.dispatch");
  });
  program.module = std::move(module);
  return program;
}

namespace {

/// Compares each dispatch's results with the reference as they come.
class DispatchChecker {
public:
  DispatchChecker(const Program &program, const ReferenceResults &reference, Device *device,
                  double tolerance, const RunOptions &options)
      : program_(program), reference_(reference), device_(device), tolerance_(tolerance),
        options_(options) {}

  llvm::Error check(func::FuncOp dispatch, ArrayRef<RuntimeValue> arguments, DispatchRun &run);

private:
  const HostTensor *expected(func::FuncOp dispatch, unsigned result, Type type) const;
  llvm::Expected<std::vector<HostTensor>> recompute(func::FuncOp dispatch,
                                                    ArrayRef<RuntimeValue> arguments);

  const Program &program_;
  const ReferenceResults &reference_;
  Device *device_;
  double tolerance_;
  const RunOptions &options_;
  llvm::DenseMap<Operation *, std::unique_ptr<HostProgram>> programs_;
};

} // namespace

/// The value that the unfused function computes for this result; null if it cannot be told.
const HostTensor *DispatchChecker::expected(func::FuncOp dispatch, unsigned result,
                                            Type type) const {
  auto index = dispatch->getAttrOfType<IntegerAttr>("fuselage.dispatch");
  if (!index || static_cast<size_t>(index.getInt()) >= program_.keys.size())
    return nullptr;
  const auto &keys = program_.keys[index.getInt()];
  if (result >= keys.size() || !keys[result])
    return nullptr;
  auto found = reference_.values.find(*keys[result]);
  return found != reference_.values.end() && found->second.type() == type ? &found->second
                                                                          : nullptr;
}

/// The dispatch's own ops on the host, on what the device was given: for dispatches in loops and
/// results that no op of the input computes.
llvm::Expected<std::vector<HostTensor>>
DispatchChecker::recompute(func::FuncOp dispatch, ArrayRef<RuntimeValue> arguments) {
  std::unique_ptr<HostProgram> &program = programs_[dispatch];
  if (!program) {
    auto compiled = HostProgram::compile(*isolateFunction(dispatch), {.jit = {.cancelled = options_.cancelled}});
    if (!compiled)
      return compiled.takeError();
    program = std::move(*compiled);
  }
  std::vector<HostTensor> inputs;
  for (const RuntimeValue &argument : arguments) {
    auto tensor = argument.toHost(device_);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  return program->call(dispatch.getName(), inputs);
}

llvm::Error DispatchChecker::check(func::FuncOp dispatch, ArrayRef<RuntimeValue> arguments,
                                   DispatchRun &run) {
  Comparison worst;
  std::vector<HostTensor> recomputed;
  for (unsigned i = 0; i < run.results.size(); ++i) {
    const HostTensor *reference = expected(dispatch, i, run.results[i].type());
    if (!reference && recomputed.empty()) {
      auto results = recompute(dispatch, arguments);
      if (!results)
        return results.takeError();
      recomputed = std::move(*results);
    }
    auto actual = run.results[i].toHost(device_);
    if (!actual)
      return actual.takeError();
    Comparison result = compareTensors(*actual, reference ? *reference : recomputed[i], tolerance_);
    worst.maxAbsError = std::max(worst.maxAbsError, result.maxAbsError);
    worst.maxRelError = std::max(worst.maxRelError, result.maxRelError);
    worst.ok &= result.ok;
  }
  for (KernelReport &report : run.reports) {
    report.maxAbsError = worst.maxAbsError;
    report.maxRelError = worst.maxRelError;
    report.ok = worst.ok;
  }
  return llvm::Error::success();
}

/// The outputs against the reference's.
static llvm::Error compareOutputs(ArrayRef<RuntimeValue> outputs, const ReferenceResults &reference,
                                  Device *device, double tolerance, RunReport &report) {
  if (outputs.size() != reference.outputs.size())
    return fail("@" + report.function + " gave " + std::to_string(outputs.size()) +
                " results, its reference " + std::to_string(reference.outputs.size()));
  for (auto [output, expected] : llvm::zip_equal(outputs, reference.outputs)) {
    auto actual = output.toHost(device);
    if (!actual)
      return actual.takeError();
    Comparison result = compareTensors(*actual, expected, tolerance);
    report.outputs.push_back({.type = textOf(output.type()),
                              .maxAbsError = result.maxAbsError,
                              .maxRelError = result.maxRelError,
                              .ok = result.ok});
  }
  return llvm::Error::success();
}

/// "cancelled" wherever a cancel was noticed.
static llvm::Error asCancel(llvm::Error error, const RunOptions &options) {
  if (!options.cancelled || !options.cancelled->load())
    return error;
  llvm::consumeError(std::move(error));
  return fail("cancelled");
}

/// True if a call chain from `function` comes back to one of its callers.
static bool callsItself(func::FuncOp function, llvm::SmallPtrSetImpl<Operation *> &callers,
                        llvm::SmallPtrSetImpl<Operation *> &finished) {
  if (finished.contains(function))
    return false;
  if (!callers.insert(function).second)
    return true;
  bool found = function
                   .walk([&](func::CallOp call) {
                     auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
                     return callee && callsItself(callee, callers, finished) ? WalkResult::interrupt()
                                                                            : WalkResult::advance();
                   })
                   .wasInterrupted();
  callers.erase(function);
  finished.insert(function);
  return found;
}

static llvm::Expected<RunReport> runUnguarded(ModuleOp input, const RunOptions &options) {
  auto progress = [&](unsigned done, unsigned total, const llvm::Twine &what) {
    if (options.progress)
      options.progress(done, total, what.str());
  };
  std::unique_ptr<Device> device; // the host has none
  if (options.device != "host") {
    auto opened = openDevice(options.device);
    if (!opened)
      return opened.takeError();
    device = std::move(*opened);
  }
  auto picked = pickFunction(input, options.function);
  if (!picked)
    return picked.takeError();
  RunReport report;
  report.device = device ? device->info().id : "host";
  report.function = picked->getName().str();
  auto sized = specialize(*picked, options.sizes);
  if (!sized)
    return sized.takeError();
  auto function = (*sized)->lookupSymbol<func::FuncOp>(report.function);
  llvm::SmallPtrSet<Operation *, 8> callers, finished;
  if (callsItself(function, callers, finished))
    return fail("@" + report.function + " calls itself, directly or through others; a run might never end");
  double tolerance = toleranceWithin(function);
  auto arguments = randomArguments(function, options.seed);
  if (!arguments)
    return arguments.takeError();

  markOps(function);
  OwningOpRef<ModuleOp> unfused((*sized).get().clone());
  auto program = formProgram(std::move(*sized), report.function, report.remarks);
  if (!program)
    return program.takeError();
  unsigned total = program->dispatchCalls + 1, done = 0;
  progress(done, total, "computing the reference on the host");
  SmallVector<ReferenceKey> keys;
  for (const auto &results : program->keys)
    for (const std::optional<ReferenceKey> &key : results)
      if (key)
        keys.push_back(*key);
  auto unfusedFunction = unfused->lookupSymbol<func::FuncOp>(report.function);
  auto reference = runReference(std::move(unfused), unfusedFunction, keys, *arguments, options);
  if (!reference)
    return reference.takeError();

  DispatchChecker checker(*program, *reference, device.get(), tolerance, options);
  auto observe = [&](func::FuncOp dispatch, ArrayRef<RuntimeValue> taken,
                     DispatchRun &run) -> llvm::Error {
    if (llvm::Error error = checker.check(dispatch, taken, run))
      return error;
    llvm::append_range(report.kernels, run.reports);
    ++done;
    total = std::max(total, done + 1);
    progress(done, total, dispatch.getName());
    return llvm::Error::success();
  };
  ProgramRunner runner(device.get(), options, report.remarks, observe);
  std::vector<RuntimeValue> values;
  for (HostTensor &argument : *arguments)
    values.push_back(RuntimeValue::onHost(std::move(argument)));
  progress(done, total, "compiling for " + report.device);
  auto outputs = runner.run(program->function, std::move(values));
  if (!outputs)
    return outputs.takeError();
  if (llvm::Error error = compareOutputs(*outputs, *reference, device.get(), tolerance, report))
    return error;
  report.ok = llvm::all_of(report.kernels, [](const KernelReport &kernel) { return kernel.ok; }) &&
              llvm::all_of(report.outputs, [](const OutputReport &output) { return output.ok; });
  progress(total, total, "done");
  return report;
}

llvm::Expected<RunReport> runModule(Session &, ModuleOp module, const RunOptions &options) {
  auto report = runUnguarded(module, options);
  if (report)
    return report;
  return asCancel(report.takeError(), options);
}

} // namespace fuselage
