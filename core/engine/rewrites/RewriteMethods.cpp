// step/rewrites and what belongs to it.
#include "core/protocol/methods/RewriteMethods.h"
#include "core/engine/Document.h"
#include "core/engine/Engine.h"
#include "core/engine/MethodTable.h"
#include "core/engine/rewrites/KnownRewrites.h"
#include "core/stepping/rewrites/Breakpoints.h"
#include "core/stepping/rewrites/OpPatterns.h"
#include "core/stepping/rewrites/StepRewrites.h"

namespace fuselage {
namespace {

/// The snapshot that shows the IR after a rewrite, and what is to be said of it.
struct PlaceAfter {
  unsigned snapshot = 0;
  std::string note{};
};

/// Rewrites of steps that were asked for, and the places that show them.
struct KnownRewrites {
  struct Entry {
    std::shared_ptr<const StepReplay> of;
    std::unique_ptr<RewritePlayer> player;
    std::map<unsigned, PlaceAfter> places{}; ///< by rewrite

    const RewriteLog &log() const { return *player->log(); }
  };
  std::vector<Entry> steps; ///< the last one that was asked for at the end

  /// Lets players forget what they keep beyond a budget, those first that nobody has asked for the longest.
  void trim() {
    constexpr size_t most = 500'000; // ops
    size_t kept = 0;
    for (Entry &entry : llvm::reverse(steps))
      if (kept += entry.player->keptOps(); kept > most)
        entry.player->forget();
  }
};

/// A step of the recording, and what is known of its rewrites.
struct AskedStep {
  const Step &step;
  KnownRewrites::Entry &known;
};

llvm::Expected<AskedStep> stepOf(Document &document, int64_t number) {
  const std::vector<Step> &steps = document.recording().steps;
  if (llvm::Error error = checkRange("step", number, 0, int64_t(steps.size()) - 1))
    return error;
  const Step &step = steps[number];
  std::shared_ptr<KnownRewrites> &all = document.extension<KnownRewrites>();
  if (!all)
    all = std::make_shared<KnownRewrites>();
  auto known = llvm::find_if(all->steps, [&](const KnownRewrites::Entry &entry) { return entry.of == step.replay; });
  if (known != all->steps.end() && step.replay) {
    std::rotate(known, known + 1, all->steps.end());
    return AskedStep{.step = step, .known = all->steps.back()};
  }
  auto player = RewritePlayer::listing(step);
  if (!player)
    return player.takeError();
  constexpr size_t most = 8;
  if (all->steps.size() == most)
    all->steps.erase(all->steps.begin());
  all->steps.push_back({.of = step.replay, .player = std::move(*player)});
  all->trim();
  return AskedStep{.step = step, .known = all->steps.back()};
}

/// The same of a step that has such a rewrite.
llvm::Expected<AskedStep> stepWith(Document &document, int64_t number, int64_t rewrite) {
  auto asked = stepOf(document, number);
  if (asked)
    if (llvm::Error error = checkRange("rewrite", rewrite, 0, int64_t(asked->known.log().rewrites.size()) - 1))
      return error;
  return asked;
}

llvm::Expected<message::StepRewrites<>> listRewrites(Engine &, Document &document,
                                                     const method::ListRewrites::Request<> &request) {
  auto asked = stepOf(document, request.step);
  if (!asked)
    return asked.takeError();
  return messageOf(asked->known.log(), unsigned(request.step));
}

llvm::Expected<PlaceAfter> placeAfter(Document &document, AskedStep asked, unsigned rewrite) {
  if (auto known = asked.known.places.find(rewrite);
      known != asked.known.places.end() && document.hasSnapshot(known->second.snapshot))
    return known->second;
  auto module = asked.known.player->moduleAfter(rewrite);
  if (!module)
    return module.takeError();
  PlaceAfter place{.snapshot = document.addPlace(module->snapshot), .note = module->note};
  asked.known.places[rewrite] = place;
  return place;
}

llvm::Expected<message::RewritePlace<>> showRewrite(Engine &, Document &document,
                                                    const method::ShowRewrite::Request<> &request) {
  auto asked = stepWith(document, request.step, request.rewrite);
  if (!asked)
    return asked.takeError();
  unsigned rewrite = unsigned(request.rewrite);
  message::RewritePlace<> answer{
      .snapshot = -1, .before = asked->step.before, .problem = {}, .note = {}, .pipeline = {}};
  if (rewrite > 0) {
    auto before = placeAfter(document, *asked, rewrite - 1);
    if (!before)
      return before.takeError();
    answer.before = int(before->snapshot);
  }
  auto after = placeAfter(document, *asked, rewrite);
  if (!after)
    return after.takeError();
  answer.snapshot = int(after->snapshot);
  answer.problem = document.snapshot(after->snapshot)->problem();
  answer.note = after->note;
  return answer;
}

llvm::Expected<message::RewritePlace<>> skipRewrite(Engine &, Document &document,
                                                    const method::SkipRewrite::Request<> &request) {
  auto asked = stepWith(document, request.step, request.rewrite);
  if (!asked)
    return asked.takeError();
  auto module = runWithout(asked->step, asked->known.log(), unsigned(request.rewrite), request.wholePattern);
  if (!module)
    return module.takeError();
  unsigned place = document.addPlace(std::make_shared<const Snapshot>(std::move(*module)));
  return message::RewritePlace<>{
      .snapshot = int(place),
      .before = asked->step.after,
      .problem = {},
      .note = {},
      .pipeline = pipelineWithout(asked->step, asked->known.log(), unsigned(request.rewrite), request.wholePattern)};
}

llvm::Expected<message::OpRewrites<>> askRewrites(Engine &, Document &document,
                                                  const method::AskRewrites::Request<> &request) {
  auto asked = stepOf(document, request.step);
  if (!asked)
    return asked.takeError();
  const RewriteLog &log = asked->known.log();
  for (auto [index, op] : llvm::enumerate(log.ops))
    if ((request.after ? op.after : op.before) == request.op)
      return messageOfOp(log, unsigned(index));
  return fail("the step knows nothing of op " + std::to_string(request.op));
}

llvm::Expected<message::RewriteStop<>> nextStop(Engine &engine, Document &document,
                                                const method::FindStop::Request<> &request) {
  const Recording &recording = document.recording();
  if (llvm::Error error = checkRange("step", request.step, 0, int64_t(recording.steps.size()) - 1))
    return error;
  StopSearch search{.breakpoints = request.breakpoints,
                    .step = unsigned(request.step),
                    .backwards = request.backwards,
                    .cancelled = &engine.cancelled};
  if (request.rewrite >= 0)
    search.rewrite = unsigned(request.rewrite);
  auto stop = findStop(recording, search, [&](unsigned step) { return knownRewrites(document, step); });
  if (!stop)
    return stop.takeError();
  message::RewriteStop<> answer;
  if (*stop)
    answer = {.step = int((*stop)->step), .rewrite = int((*stop)->rewrite), .breakpoint = (*stop)->breakpoint};
  return answer;
}

llvm::Expected<message::OpPatterns<>> offerPatterns(Engine &, Document &document,
                                                    const method::OfferPatterns::Request<> &request) {
  auto module = document.module(request.snapshot);
  if (!module)
    return module.takeError();
  auto offers = offersOf(*module, request.op, request.passes);
  if (!offers)
    return offers.takeError();
  message::OpPatterns<> answer = messageOfOffers(*module, request.op, request.passes, *offers);
  for (auto [offer, row] : llvm::zip(*offers, answer.patterns))
    if (offer.applies() && offer.problem.empty())
      row.snapshot = int(document.addPlace(std::make_shared<const Snapshot>(std::move(offer.after))));
  return answer;
}

} // namespace

llvm::Expected<std::shared_ptr<const RewriteLog>> knownRewrites(Document &document, int64_t step) {
  auto asked = stepOf(document, step);
  if (!asked)
    return asked.takeError();
  return asked->known.player->log();
}

void addRewriteMethods(MethodTable &table) {
  addMethod<method::ListRewrites, listRewrites>(table);
  addMethod<method::ShowRewrite, showRewrite>(table);
  addMethod<method::SkipRewrite, skipRewrite>(table);
  addMethod<method::AskRewrites, askRewrites>(table);
  addMethod<method::FindStop, nextStop>(table);
  addMethod<method::OfferPatterns, offerPatterns>(table);
}

} // namespace fuselage
