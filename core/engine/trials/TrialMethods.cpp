// tune/worker, tune/trial.
#include "core/engine/MethodTable.h"
#include "core/engine/trials/ServedTrials.h"
#include "core/protocol/methods/TuneMethods.h"
#include "core/tuning/device/TrialMessages.h"

namespace fuselage {
namespace {

llvm::Expected<message::TrialDevice<>> worker(Engine &engine, const method::OpenWorker::Request<> &request) {
  const std::string &payload = request.payload;
  auto served = std::make_shared<ServedTrials>(request.device);
  tune::TuneSubject &subject = served->subject();
  subject.schedule = request.scheduleName.value_or(request.schedule ? "schedule.mlir" : "");
  if (request.schedule)
    subject.scheduleText = *request.schedule;
  subject.script.entry = request.scheduleEntry;
  subject.run.function = request.function;
  subject.run.sizes = request.sizes;
  subject.run.coldCaches = request.caches != "warm";
  subject.run.seed = request.seed;
  std::shared_ptr<ServedTrials> &current = engine.extension<ServedTrials>();
  current.reset();
  if (!payload.empty())
    if (llvm::Error error = served->read(payload))
      return error;
  auto opened = served->open(engine.cancelled);
  if (!opened)
    return opened.takeError();
  if (!payload.empty())
    current = std::move(served);
  return tune::deviceMessage(*opened);
}

llvm::Expected<message::TrialResult<>> trial(Engine &engine, const method::MakeTrial::Request<> &request) {
  const std::shared_ptr<ServedTrials> &served = engine.extension<ServedTrials>();
  if (!served)
    return fail("there is nothing to make trials of; send tune/worker with a payload first");
  tune::TrialRequest trial{.point = request.point, .baseline = request.baseline};
  trial.known = {request.known.begin(), request.known.end()};
  trial.effort.rounds = static_cast<unsigned>(request.rounds.value_or(trial.effort.rounds));
  trial.effort.seconds = request.seconds.value_or(trial.effort.seconds);
  trial.seconds = request.limit.value_or(trial.seconds);
  trial.bounds.cutAbove = request.cut.value_or(trial.bounds.cutAbove);
  trial.bounds.confirmBelow = request.confirm;
  auto measured = served->measure(trial, engine.cancelled);
  if (!measured)
    return measured.takeError();
  return tune::resultMessage(*measured, /*isSpent=*/false);
}

} // namespace

void addTrialMethods(MethodTable &table) {
  addMethod<method::OpenWorker, worker>(table);
  addMethod<method::MakeTrial, trial>(table);
}

} // namespace fuselage
