// step/blame.
#include "core/protocol/methods/BlameMethods.h"
#include "core/bisect/Blame.h"
#include "core/engine/Document.h"
#include "core/engine/MethodTable.h"
#include "core/stepping/pipeline/DefaultPipeline.h"

namespace fuselage {
namespace {

/// What there is to say beside the culprit, on one line.
std::string noteOf(const Culprit &culprit) {
  std::string text = culprit.note;
  for (const std::string &place : culprit.notJudged)
    text += (text.empty() ? "not judged: " : "; not judged: ") + place;
  return text;
}

message::Blame<> messageOf(const Recording &recording, const Culprit &culprit, unsigned offset) {
  message::Blame<> message;
  message.note = noteOf(culprit);
  message.undecided = culprit.undecided;
  message.stepRuns = int(culprit.stepRuns);
  message.rewriteRuns = int(culprit.rewriteRuns);
  if (!culprit.step)
    return message;
  message.step = int(*culprit.step + offset);
  message.firstSuspect = int(culprit.firstSuspect + offset);
  message.name = recording.steps[*culprit.step].name;
  message.why = culprit.why;
  if (culprit.death) {
    message.died = true;
    message.rewrites = int(culprit.death->rewrites);
    message.last = culprit.death->last;
    message.trying = culprit.death->going;
    message.op = culprit.death->op;
  }
  if (!culprit.rewrite)
    return message;
  message.rewrite = int(*culprit.rewrite);
  message.firstRewriteSuspect = int(culprit.firstRewriteSuspect);
  message.rewrites = int(culprit.log->rewrites.size());
  message.rewriteText = "rewrite " + std::to_string(*culprit.rewrite) + ", " +
                        describeRewrite(*culprit.log, culprit.log->rewrites[*culprit.rewrite]);
  return message;
}

/// Steps at the front that only bring the module into the form that everything else expects.
unsigned normalizationsOf(const Recording &recording) {
  return !recording.steps.empty() && recording.steps.front().name == normalizationStep().title ? 1 : 0;
}

BlameOptions optionsOf(Engine &engine, const method::FindBlame::Request<> &request) {
  BlameOptions options;
  options.draws = unsigned(request.draws);
  options.check.function = request.function;
  options.check.sizes = request.sizes;
  options.check.inputs = request.inputs;
  options.search.cancelled = &engine.cancelled;
  options.search.progress = [&engine](llvm::StringRef where) {
    engine.notify(message::BlameProgress<>{.where = where.str()});
  };
  return options;
}

/// Of a pipeline that took the engine down.
llvm::Expected<message::Blame<>> blameAgain(Engine &engine, Document &document,
                                            const method::FindBlame::Request<> &request) {
  const unsigned kept = document.keptSteps();
  auto start = document.module(document.firstShown());
  if (!start)
    return start.takeError();
  RecordOptions options;
  options.pipeline = request.pipeline;
  options.schedule = request.schedule;
  options.target = request.target;
  options.cancelled = &engine.cancelled;
  engine.notify(message::BlameProgress<>{.where = "all steps, in a copy of the engine"});
  auto careful = recordCarefully(document.session(), *start, options, unsigned(request.seconds));
  if (!careful)
    return careful.takeError();
  auto culprit = careful->death
                     ? bisectDeath(careful->recording, *careful->death, unsigned(request.seconds), &engine.cancelled)
                     : findCulprit(careful->recording, optionsOf(engine, request));
  if (!culprit)
    return culprit.takeError();
  message::Blame<> message = messageOf(careful->recording, *culprit, kept);
  if (culprit->death && culprit->death->there) {
    message.place = int(document.addPlace(culprit->death->there));
    message.placeOp = culprit->death->opThere;
  }
  return message;
}

llvm::Expected<message::Blame<>> findBlame(Engine &engine, Document &document,
                                           const method::FindBlame::Request<> &request) {
  if (request.again)
    return blameAgain(engine, document, request);
  const Recording &recording = document.recording();
  if (recording.steps.empty() || document.isLog())
    return fail(document.isLog() ? "the steps of a log ran elsewhere: record a pipeline to find what is to blame"
                                 : "no step is recorded: record a pipeline first");
  BlameOptions options = optionsOf(engine, request);
  options.search.firstStep = normalizationsOf(recording);
  auto culprit = findCulprit(recording, std::move(options));
  if (!culprit)
    return culprit.takeError();
  return messageOf(recording, *culprit, 0);
}

} // namespace

void addBlameMethods(MethodTable &table) { addMethod<method::FindBlame, findBlame>(table); }

} // namespace fuselage
