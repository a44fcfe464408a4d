#include "core/engine/fusion/FusionMeter.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/run/OnePass.h"
#include "core/run/Specialize.h"
#include "core/run/peaks/Limits.h"
#include "core/run/reference/HostPieces.h"
#include "mlir/IR/OwningOpRef.h"
#include <cmath>

namespace fuselage {

using message::DispatchSample;

llvm::Expected<FusionMeter> FusionMeter::make(Session &session, RunOptions options, const FusionPolicy &policy,
                                              SampleCache cache) {
  for (DeviceInfo &info : listDevices())
    if (info.id == options.device) {
      options.secondsPerDispatch = 1;
      FusionMeter meter(session, std::move(options), policy, std::move(cache), std::move(info));
      meter.rates_ = meter.cache_.rates(meter.info_);
      return meter;
    }
  return fail("there is no device '" + options.device + "' here; 'fuselage devices' lists those that there are");
}

/// All launches of a run are its one unit.
void FusionMeter::takeWhole(Side &side) {
  side.units.clear();
  side.units["program " + std::to_string(fingerprintOf(*side.module))] = {};
}

llvm::Expected<FusionMeter::Side> FusionMeter::sideOf(mlir::ModuleOp module) {
  Side side;
  side.module = mlir::OwningOpRef<mlir::ModuleOp>(module.clone());
  if (llvm::Error error = completeDispatches(*side.module, policy_))
    return error;
  llvm::Expected<mlir::func::FuncOp> picked = pickFunction(*side.module, options_.function);
  if (!picked)
    return picked.takeError();
  std::vector<Diagnostic> remarks;
  auto sized = specializeWithDefaults(*picked, options_.sizes, remarks, options_.inputs);
  if (!sized)
    return sized.takeError();
  llvm::Expected<RunProgram> program = formRunProgram(std::move(*sized), picked->getName(), remarks);
  if (!program)
    return program.takeError();
  side.program = std::move(*program);
  if (auto calls = callsOfOnePass(side.program)) {
    for (auto [dispatch, count] : *calls) {
      Unit &unit = side.units.try_emplace(functionKey(dispatch), Unit{.calls = 0, .dispatch = dispatch}).first->second;
      unit.calls += count;
    }
  } else {
    takeWhole(side);
    readsWhole_ = true;
  }
  return side;
}

llvm::Expected<RunReport> FusionMeter::readDispatch(const Side &side, llvm::StringRef key) {
  if (!bench_) {
    auto opened = DispatchBench::open(options_, *side.program.module.get().getContext());
    if (!opened)
      return opened.takeError();
    bench_ = std::move(*opened);
  }
  return bench_->read(key, side.program, side.units.lookup(key).dispatch);
}

llvm::Expected<RunReport> FusionMeter::readWhole(const Side &side) {
  llvm::Expected<RunReport> report = runModule(*session_, *side.module, options_);
  if (report && !report->ok())
    return fail("cannot be measured on " + options_.device + ": " + report->why);
  return report;
}

llvm::Error FusionMeter::read(const Side &side, llvm::StringRef key) {
  llvm::Expected<RunReport> report = side.units.lookup(key).dispatch ? readDispatch(side, key) : readWhole(side);
  if (!report)
    return report.takeError();
  remember(*report);
  std::vector<double> &readings = readings_[key];
  readings.insert(llvm::upper_bound(readings, report->sumUs()), report->sumUs());
  return llvm::Error::success();
}

double FusionMeter::usOf(const Side &side) const {
  double us = 0;
  for (const auto &[key, unit] : side.units)
    us += unit.calls * readings_.find(key)->second.front();
  return us;
}

/// Whether the other side has it as often, so that what it takes is no difference.
static bool cancelsOut(const llvm::StringMapEntry<FusionMeter::Unit> &unit,
                       const llvm::StringMap<FusionMeter::Unit> &others) {
  auto same = others.find(unit.first());
  return same != others.end() && same->second.calls == unit.second.calls;
}

/// Of what does not cancel out.
double FusionMeter::noiseOf(const Side &side, const Side &other) const {
  double noise = 0;
  for (const auto &each : side.units)
    if (const auto &[key, unit] = each; !cancelsOut(each, other.units)) {
      const std::vector<double> &readings = readings_.find(key)->second;
      noise += unit.calls * (readings[1] - readings[0]);
    }
  return noise;
}

/// Reads both sides once. What cancels out needs one reading, and a whole program two; other dispatches take part in
/// each round.
llvm::Error FusionMeter::readRound(const Side &one, const Side &other) {
  for (const Side *side : {&one, &other})
    for (const auto &each : side->units) {
      llvm::StringRef key = each.first();
      bool isSame = cancelsOut(each, (side == &one ? other : one).units);
      if (readings_[key].size() < (isSame ? 1 : 2) || (!isSame && each.second.dispatch))
        if (llvm::Error error = read(*side, key))
          return error;
    }
  return llvm::Error::success();
}

llvm::Expected<TimedPair> FusionMeter::compare(const Side &one, const Side &other) {
  // By turns, so that what the machine does meanwhile meets both.
  constexpr unsigned least = 2, most = 5;
  TimedPair times;
  for (unsigned round = 1; round <= most; ++round) {
    if (llvm::Error error = readRound(one, other))
      return error;
    if (round < least)
      continue;
    times = {.one = usOf(one), .other = usOf(other), .noise = std::max(noiseOf(one, other), noiseOf(other, one))};
    if (std::abs(times.one - times.other) > times.noise)
      break;
  }
  return times;
}

llvm::Expected<TimedPair> FusionMeter::compare(mlir::ModuleOp one, mlir::ModuleOp other) {
  llvm::Expected<Side> first = sideOf(one);
  if (!first)
    return first.takeError();
  llvm::Expected<Side> second = sideOf(other);
  if (!second)
    return second.takeError();
  if (!readsWhole_) {
    llvm::Expected<TimedPair> times = compare(*first, *second);
    if (times || (options_.cancelled && *options_.cancelled))
      return times;
    llvm::consumeError(times.takeError()); // inputs of its own may not suit a dispatch
    readsWhole_ = true;
  }
  takeWhole(*first);
  takeWhole(*second);
  return compare(*first, *second);
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
