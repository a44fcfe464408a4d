#include "core/engine/fusion/FusionMeter.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/runtime/roofs/Limits.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

using message::DispatchSample;

llvm::Expected<FusionMeter> FusionMeter::make(Session &session, RunOptions options, const FusionPolicy &policy, SampleCache cache) {
  for (DeviceInfo &info : listDevices())
    if (info.id == options.device) {
      options.secondsPerDispatch = 1;
      FusionMeter meter(session, std::move(options), policy, std::move(cache), std::move(info));
      meter.rates_ = meter.cache_.rates(meter.info_);
      return meter;
    }
  return fail("there is no device '" + options.device + "' here; 'fuselage devices' lists those that there are");
}

llvm::Expected<double> FusionMeter::time(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  if (llvm::Error error = completeDispatches(*copy, policy_))
    return error;
  llvm::Expected<RunReport> report = runModule(*session_, *copy, options_);
  if (!report)
    return report.takeError();
  if (!report->ok())
    return fail("cannot be measured on " + options_.device + ": " + report->why);
  remember(*report);
  return report->sumUs();
}

/// Of dispatches that do the same, the fastest counts: what else the machine did was not theirs.
void FusionMeter::remember(const RunReport &report) {
  for (const MeasuredDispatch &dispatch : measuredDispatches(report)) {
    const DispatchWork &work = dispatch.work;
    if (work.bytes < 0 || work.flops < 0 || work.bytesAtMost || !(work.us > 0))
      continue;
    DispatchSample<> sample{.kind = kernelKind(report.kernels[dispatch.first].dispatch),
                            .arithmetic = work.arithmetic,
                            .launches = work.launches,
                            .flops = work.flops,
                            .bytes = work.bytes,
                            .predictedUs = 0,
                            .us = work.us};
    sample.predictedUs = rates_.dispatchUs(sample.kind, static_cast<int64_t>(work.bytes));
    auto known = llvm::find_if(samples_, [&](const DispatchSample<> &other) {
      return other.kind == sample.kind && other.arithmetic == sample.arithmetic && other.launches == sample.launches &&
             other.flops == sample.flops && other.bytes == sample.bytes;
    });
    if (known == samples_.end())
      samples_.push_back(std::move(sample));
    else
      known->us = std::min(known->us, sample.us);
  }
}

llvm::Error FusionMeter::keep(const FuseAllResult &result) const {
  message::DeviceSamples<> added;
  added.dispatches = samples_;
  for (const FusionPart &part : result.parts)
    added.fusions.push_back({.part = part.pass,
                             .when = measuringTime(),
                             .kept = part.isKept,
                             .dispatches = part.dispatches,
                             .bytes = part.bytes,
                             .predictedUs = part.predicted,
                             .us = part.gain,
                             .noise = part.noise});
  if (added.dispatches.empty() && added.fusions.empty())
    return llvm::Error::success();
  return cache_.add(info_, added);
}

} // namespace fuselage
