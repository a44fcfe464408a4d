#include "core/run/peaks/MicroKernel.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <algorithm>
#include <cmath>

using namespace mlir;

namespace fuselage {

double MicroTimes::least() const { return samples.empty() ? -1 : *std::min_element(samples.begin(), samples.end()); }

llvm::Error MicroKernel::makeInput(Type type, double value) {
  auto tensor = HostTensor::create(type);
  if (!tensor)
    return tensor.takeError();
  int64_t count = tensor->elementCount();
  if (tensor->elementType().isF32())
    std::fill(tensor->as<float>().begin(), tensor->as<float>().end(), float(value));
  else
    for (int64_t i = 0; i < count; ++i)
      tensor->setFloat(i, value);
  arguments_.push_back(RuntimeValue::onHost(std::move(*tensor)));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<MicroKernel>> MicroKernel::make(MLIRContext &context, Device &device,
                                                               const MicroModule &module, double input, double expected,
                                                               const std::atomic<bool> *cancelled) {
  DiagnosticCapture capture(context);
  auto parsed = parseSourceString<ModuleOp>(module.text, &context);
  if (!parsed)
    return fail("a kernel for measuring cannot be read", capture.take());
  std::unique_ptr<MicroKernel> kernel(new MicroKernel(device, module, expected));
  auto program = formRunProgram(std::move(parsed), "micro", kernel->remarks_);
  if (!program)
    return program.takeError();
  kernel->program_ = std::move(*program);
  if (kernel->program_.dispatches.size() != 1)
    return fail("a kernel for measuring makes " + std::to_string(kernel->program_.dispatches.size()) + " dispatches");
  func::FuncOp dispatch = kernel->program_.dispatches.front();
  for (Type type : dispatch.getArgumentTypes())
    if (llvm::Error error = kernel->makeInput(type, input))
      return error;
  kernel->options_.cancelled = cancelled;
  return kernel;
}

/// Looks at elements here and there: a kernel that leaves work out would be fast.
llvm::Error MicroKernel::check(const RuntimeValue &result) const {
  auto tensor = result.toHost(&device_);
  if (!tensor)
    return tensor.takeError();
  constexpr int64_t looks = 64;
  int64_t count = tensor->elementCount();
  for (int64_t look = 0; look <= looks; ++look) {
    int64_t at = std::min(count - 1, look * count / looks);
    double value = tensor->floatAt(at);
    if (!(std::abs(value - expected_) <= 0.01 * std::abs(expected_)))
      return fail("a kernel for measuring gives " + std::to_string(value) + " instead of " + std::to_string(expected_) +
                  " at element " + std::to_string(at));
  }
  return llvm::Error::success();
}

llvm::Expected<MicroTimes> MicroKernel::time(const MicroTiming &timing) {
  options_.repeat = timing.launches;
  options_.coldCaches = timing.coldCaches;
  func::FuncOp dispatch = program_.dispatches.front();
  if (!runner_)
    runner_ = std::make_unique<DispatchRunner>(device_, options_, remarks_);
  runner_->setCounts({.repeat = timing.launches, .warmup = 2, .seconds = timing.seconds});
  auto run = runner_->run(dispatch, arguments_);
  if (!run)
    return run.takeError();
  MicroTimes times{.samples = {}, .submitUs = run->submitUs};
  const std::string &where = device_.info().id;
  for (const KernelReport &report : run->reports) {
    if (report.device != where)
      return fail(where + " does not take a kernel for measuring" +
                  (remarks_.empty() ? "" : ": " + remarks_.back().message));
    times.samples.resize(std::max(times.samples.size(), report.samples.size()));
    for (size_t i = 0; i < report.samples.size(); ++i)
      times.samples[i] += report.samples[i]; // of several launches that one dispatch takes
    times.clock = report.clock;
    times.cold = report.cold;
  }
  if (times.least() <= 0)
    return fail("the clock of " + where + " does not tell how long a kernel for measuring takes");
  if (llvm::Error error = check(run->results.front()))
    return error;
  return times;
}

} // namespace fuselage
