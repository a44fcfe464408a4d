#include "core/runtime/run/DispatchChecker.h"
#include "core/runtime/host/Isolate.h"
#include "core/runtime/values/RoundingErrors.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

/// A dispatch compiled for the host.
struct DispatchChecker::Known {
  func::FuncOp dispatch;
  std::unique_ptr<HostProgram> program;
};

DispatchChecker::DispatchChecker(Device *device, const RunOptions &options) : device_(device), options_(options) {}
DispatchChecker::~DispatchChecker() = default;

llvm::Expected<DispatchChecker::Known *> DispatchChecker::compile(func::FuncOp dispatch) {
  Known *&entry = knownOf_[dispatch];
  if (!entry)
    entry = findEqualDispatch(known_, dispatch);
  if (entry)
    return entry;
  auto program = HostProgram::compile(*isolateFunction(dispatch), {.jit = {.cancelled = options_.cancelled}, .limits = options_.host});
  if (!program) {
    Failure failure = takeFailure(program.takeError());
    return fail("@" + dispatch.getName().str() + " cannot be checked on the host: " + failure.message,
                failure.diagnostics);
  }
  known_.push_back(std::make_unique<Known>(Known{dispatch, std::move(*program)}));
  return entry = known_.back().get();
}

SmallVector<bool> holdInfinities(ArrayRef<HostTensor> values) {
  return llvm::map_to_vector(values, [](const HostTensor &value) {
    if (!llvm::isa<FloatType>(value.elementType()))
      return false;
    if (value.elementType().isF32())
      return llvm::any_of(value.as<float>(), [](float number) { return std::isinf(number); });
    for (int64_t i = 0; i < value.elementCount(); ++i)
      if (std::isinf(value.floatAt(i)))
        return true;
    return false;
  });
}

llvm::Error DispatchChecker::check(func::FuncOp dispatch, ArrayRef<RuntimeValue> arguments, DispatchRun &run) {
  auto known = compile(dispatch);
  if (!known)
    return known.takeError();
  std::vector<HostTensor> inputs;
  for (const RuntimeValue &argument : arguments) {
    auto tensor = argument.toHost(device_);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  auto expected = (*known)->program->call((*known)->dispatch.getName(), inputs);
  if (!expected)
    return expected.takeError();
  std::vector<ErrorBound> bounds = errorBoundsOf(dispatch, holdInfinities(inputs));
  Comparison worst;
  worst.verdict = CheckVerdict::Ok; // of no results
  for (auto [index, value] : llvm::enumerate(run.results)) {
    auto actual = value.toHost(device_);
    if (!actual)
      return actual.takeError();
    Comparison result = compareTensors(*actual, (*expected)[index], bounds[index]);
    worst = index == 0 ? result : worseOf(worst, result);
  }
  for (KernelReport &report : run.reports)
    report.check = worst;
  return llvm::Error::success();
}

} // namespace fuselage
