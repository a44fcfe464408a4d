// tune/worker, tune/trial.
#include "core/engine/Engine.h"
#include "core/engine/trials/ServedTrials.h"
#include "core/tuning/device/TrialMessages.h"

namespace fuselage {
namespace {

llvm::Expected<llvm::json::Value> worker(Engine &engine, Params &params) {
  std::string device = params.string("device", kHostId), payload = params.string("payload", "");
  auto served = std::make_shared<ServedTrials>(device);
  tune::TuneSubject &subject = served->subject();
  subject.schedule = params.string("schedule_name", params.has("schedule") ? "schedule.mlir" : "");
  if (params.has("schedule"))
    subject.scheduleText = params.string("schedule");
  subject.script.entry = params.string("schedule_entry", "");
  subject.run.function = params.string("function", "");
  subject.run.sizes = params.sizes("sizes");
  subject.run.coldCaches = params.string("caches", "cold") != "warm";
  subject.run.seed = params.integer("seed", 0, INT64_MAX, subject.run.seed);
  if (llvm::Error error = params.check())
    return error;
  engine.trials.reset();
  if (!payload.empty())
    if (llvm::Error error = served->read(payload))
      return error;
  auto opened = served->open(engine.cancelled);
  if (!opened)
    return opened.takeError();
  if (!payload.empty())
    engine.trials = std::move(served);
  return tune::encodeDevice(*opened);
}

llvm::Expected<llvm::json::Value> trial(Engine &engine, Params &params) {
  if (!engine.trials)
    return fail("there is nothing to make trials of; send tune/worker with a payload first");
  tune::TrialRequest request;
  tune::TrialEffort effort;
  request.point = params.texts("point");
  if (params.has("baseline"))
    request.baseline = params.texts("baseline");
  for (std::string &kernel : params.strings("known"))
    request.known.insert(std::move(kernel));
  request.effort.rounds = static_cast<unsigned>(params.integer("rounds", 1, 1'000'000, effort.rounds));
  request.effort.seconds = params.real("seconds", 0, 1e6, effort.seconds);
  request.seconds = params.real("limit", 0.1, 1e6, request.seconds);
  request.bounds.cutAbove = params.real("cut", 0, 1e300, request.bounds.cutAbove);
  request.bounds.confirmBelow = params.real("confirm", 0, 1e300, 0);
  if (llvm::Error error = params.check())
    return error;
  auto measured = engine.trials->measure(request, engine.cancelled);
  if (!measured)
    return measured.takeError();
  return tune::encodeMeasurement(*measured, /*isSpent=*/false);
}

} // namespace

void addTrialMethods(MethodTable &table) {
  table["tune/worker"] = worker;
  table["tune/trial"] = trial;
}

} // namespace fuselage
