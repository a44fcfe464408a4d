#include "core/engine/fusion/DispatchBench.h"
#include "core/codegen/host/Isolate.h"
#include "core/run/DispatchChecker.h"
#include "core/run/SingleDispatch.h"
#include "core/run/values/InputValue.h"

namespace fuselage {

DispatchBench::DispatchBench(RunOptions options, std::unique_ptr<Device> device, mlir::MLIRContext &context)
    : options_(std::move(options)), device_(std::move(device)),
      pieces_(context, {.compile = {.limits = options_.host, .checks = false}, .cancelled = options_.cancelled}),
      runner_(*device_, options_, remarks_) {}

llvm::Expected<std::unique_ptr<DispatchBench>> DispatchBench::open(RunOptions options, mlir::MLIRContext &context) {
  llvm::Expected<std::unique_ptr<Device>> device = openDevice(options.device);
  if (!device)
    return device.takeError();
  return std::unique_ptr<DispatchBench>(new DispatchBench(std::move(options), std::move(*device), context));
}

llvm::Expected<DispatchBench::Entry *> DispatchBench::entryOf(llvm::StringRef key, const RunProgram &program,
                                                              mlir::func::FuncOp dispatch) {
  auto [known, isNew] = entries_.try_emplace(key);
  Entry &entry = known->second;
  if (!isNew && entry.dispatch)
    return &entry;
  if (std::string why = whyNotAlone(dispatch); !why.empty())
    return fail(why);
  entry.program.module = isolateFunction(dispatch);
  entry.program.unfused = isolateFunction(program.plainOf(dispatch));
  auto own = entry.program.module->lookupSymbol<mlir::func::FuncOp>(dispatch.getName());
  llvm::Expected<std::vector<InputValue>> inputs =
      makeInputs(entry.program.plainOf(own), options_.seed, {}, {}, options_.cancelled);
  if (!inputs)
    return inputs.takeError();
  for (InputValue &input : *inputs)
    entry.arguments.push_back(RuntimeValue::onHost(std::move(input.tensor)));
  entry.dispatch = own;
  return &entry;
}

llvm::Error DispatchBench::check(Entry &entry, const DispatchRun &run, std::vector<KernelReport> &rows) {
  DispatchChecker checker(device_.get(), options_, entry.program, pieces_);
  checker.plan(entry.dispatch);
  pieces_.compile();
  if (llvm::Error error = checker.add(entry.dispatch, entry.arguments, run, 0, /*isFirst=*/true))
    return error;
  if (llvm::Error error = checker.drain(rows))
    return error;
  for (const KernelReport &row : rows)
    if (row.check.verdict != CheckVerdict::Ok)
      return fail("@" + row.dispatch + " cannot be measured on " + options_.device + ": " + row.check.why);
  entry.isChecked = true;
  return llvm::Error::success();
}

llvm::Expected<RunReport> DispatchBench::read(llvm::StringRef key, const RunProgram &program,
                                              mlir::func::FuncOp dispatch) {
  llvm::Expected<Entry *> entry = entryOf(key, program, dispatch);
  if (!entry)
    return entry.takeError();
  llvm::Expected<DispatchRun> run = runner_.run((*entry)->dispatch, (*entry)->arguments);
  if (!run)
    return run.takeError();
  RunReport report;
  report.device = options_.device;
  report.function = dispatch.getName().str();
  report.kernels = run->reports;
  if (!(*entry)->isChecked)
    if (llvm::Error error = check(**entry, *run, report.kernels))
      return error;
  return report;
}

} // namespace fuselage
