// fusion/cost.
#include "core/analysis/costs/DeviceRates.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/engine/MethodTable.h"
#include "core/protocol/methods/FusionMethods.h"
#include "core/run/OnePass.h"
#include "core/run/Specialize.h"
#include "core/run/peaks/SampleCache.h"

namespace fuselage {
namespace {

/// Kernels that one call of the function launches at least, one for each call of a dispatch; -1: unknown, such as where
/// the host computes something in between.
int64_t launchesOf(mlir::ModuleOp module, const FusionPolicy &policy, const method::CostOfStep::Request<> &request) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  auto unknown = [](llvm::Error error) {
    llvm::consumeError(std::move(error));
    return -1;
  };
  if (llvm::Error error = completeDispatches(*copy, policy))
    return unknown(std::move(error));
  auto function = pickFunction(*copy, request.function);
  if (!function)
    return unknown(function.takeError());
  std::vector<Diagnostic> remarks;
  auto sized = specializeWithDefaults(*function, request.sizes, remarks);
  if (!sized)
    return unknown(sized.takeError());
  auto program = formRunProgram(std::move(*sized), function->getName(), remarks);
  if (!program)
    return unknown(program.takeError());
  auto calls = callsOfOnePass(*program);
  if (!calls)
    return -1;
  int64_t launches = 0;
  for (auto [dispatch, count] : *calls)
    launches += count;
  return launches;
}

/// What is known of the device; of none, assumptions.
llvm::Expected<DeviceRates> ratesOf(const std::string &device) {
  if (device.empty())
    return DeviceRates();
  for (const DeviceInfo &info : listDevices())
    if (info.id == device)
      return SampleCache().rates(info);
  return fail("there is no device '" + device + "' here; 'fuselage devices' lists those that there are");
}

/// Microseconds of all dispatches, each a launch and its bytes; -1: the bytes of one are unknown, as of one that is
/// lowered to ops whose operands have no shapes.
double predictedUs(const FusionReport &report, const DeviceRates &rates) {
  double sum = 0;
  for (const FusionDispatchReport &dispatch : report.dispatches) {
    double us = rates.dispatchUs(kernelKind(dispatch.name), dispatch.bytes);
    if (us < 0 || dispatch.bytes == 0)
      return -1;
    sum += us;
  }
  return sum;
}

llvm::Expected<message::StepCost<>> costOfStep(Engine &, Document &document,
                                               const method::CostOfStep::Request<> &request) {
  auto policy = parseFusionPolicy(request.policy);
  if (!policy)
    return policy.takeError();
  auto rates = ratesOf(request.device);
  if (!rates)
    return rates.takeError();
  auto module = document.module(request.snapshot);
  if (!module)
    return module.takeError();
  UnlockProofOptions proofs;
  proofs.maxOps = 0; // counts need none
  auto report = explainFusion(*module, *policy, rates->gbps, proofs);
  if (!report)
    return report.takeError();
  return message::StepCost<>{.snapshot = int(unsigned(request.snapshot)),
                             .dispatches = report->totals.dispatches,
                             .bytes = report->totals.bytes,
                             .bytesAtMost = report->totals.bytesAtMost,
                             .launches = launchesOf(*module, *policy, request),
                             .predictedUs = predictedUs(*report, *rates),
                             .device = request.device,
                             .prediction = rates->source()};
}

} // namespace

void addCostMethod(MethodTable &table) { addMethod<method::CostOfStep, costOfStep>(table); }

} // namespace fuselage
