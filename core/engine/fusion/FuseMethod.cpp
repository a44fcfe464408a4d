// fusion/fuse.
#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/places/PlaceFusion.h"
#include "core/engine/MethodTable.h"
#include "core/engine/StepMessages.h"
#include "core/engine/fusion/FusionMeter.h"
#include "core/engine/fusion/TriedFusions.h"
#include "core/protocol/methods/FusionMethods.h"
#include "core/run/HostCheck.h"
#include "core/stepping/record/TransformScript.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

using method::CheckWhen;

struct FuseRequest {
  unsigned snapshot = 0;
  std::optional<EdgeAddress> edge{};
  bool onlyThere = false; ///< no op changes that is not near the edge
  std::optional<FusionGoal> goal{};
  std::string pipeline{}; ///< given, or found by the search
  std::string device{};   ///< to measure a goal on; empty: what pays is predicted
  FusionPolicy policy{};
  CheckWhen when = CheckWhen::Quick;
  HostCheckOptions host{};
};

/// What the search said; of a pipeline that was asked for, nothing.
struct FusePlan {
  bool fused = true;
  std::vector<std::string> reasons{};
  unsigned tries = 0;
  std::vector<std::string> tried{}; ///< transforms, where none fuses the edge
  bool gaveUp = false;
  llvm::StringMap<std::string> reasonOf{}; ///< by pass
  std::string preset{};                    ///< the reason for passes that a preset stands for
  std::optional<FusionTimes> times{};      ///< measured on the request's device
  std::vector<FusionPart> parts{};         ///< measured, too
  std::string prediction = DeviceRates().source();
  std::vector<std::string> dropped{}; ///< of all that pays: passes that were left out, with why
};

void tell(Engine &engine, llvm::StringRef phase, llvm::StringRef what, unsigned done, unsigned total) {
  engine.notify(message::FuseProgress<>{.phase = phase.str(),
                                        .what = what.str(),
                                        .done = static_cast<int>(done),
                                        .total = static_cast<int>(total),
                                        .found = {}});
}

llvm::Expected<FuseRequest> readRequest(const method::Fuse::Request<> &wanted) {
  FuseRequest request;
  request.snapshot = wanted.snapshot;
  request.pipeline = wanted.pipeline;
  request.device = wanted.device;
  request.when = wanted.check;
  request.host.sizes = wanted.sizes;
  request.host.inputs = wanted.inputs;
  if (request.snapshot >= Document::kFirstPlace)
    return fail("this is a place of a schedule: fuse by a line of the schedule, or after a step of the recording");
  bool hasEdge = wanted.from >= 0 && wanted.to >= 0;
  if (hasEdge + wanted.all + wanted.cleanUp + !request.pipeline.empty() != 1)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams,
                                      "give one of 'from' and 'to', 'all', 'cleanUp' and 'pipeline'");
  if (!request.device.empty() && !wanted.all && !wanted.cleanUp)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "'device' goes with 'all' and 'cleanUp'");
  if (wanted.onlyThere && !hasEdge)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "'onlyThere' goes with 'from' and 'to'");
  request.onlyThere = wanted.onlyThere;
  if (hasEdge) {
    request.edge = EdgeAddress{.from = wanted.from, .to = wanted.to};
    if (wanted.operand >= 0)
      request.edge->operand = wanted.operand;
  }
  if (wanted.all || wanted.cleanUp)
    request.goal = wanted.all ? FusionGoal::All : FusionGoal::CleanUp;
  auto policy = parseFusionPolicy(wanted.policy);
  if (!policy)
    return policy.takeError();
  request.policy = *policy;
  return request;
}

/// Looks for the transforms that fuse an edge.
llvm::Expected<FusePlan> search(Engine &engine, mlir::ModuleOp module, FuseRequest &request) {
  FusePlan plan;
  if (!request.edge)
    return plan;
  EdgeFusionOptions options;
  options.proceed = [&](llvm::StringRef pass, unsigned tries) {
    tell(engine, "search", pass, tries, 0);
    return !engine.cancelled;
  };
  auto fusion = (request.onlyThere ? fusePlace : fuseEdge)(module, *request.edge, request.policy, options);
  if (!fusion)
    return fusion.takeError();
  plan.fused = fusion->fused;
  plan.tries = fusion->tries;
  plan.gaveUp = fusion->gaveUp;
  if (!plan.fused) {
    plan.reasons = std::move(fusion->reasons);
    plan.tried = std::move(fusion->tried);
  }
  for (const FusionStep &step : fusion->steps) {
    plan.reasonOf[step.pass] = step.reason;
    plan.preset = step.reason;
  }
  request.pipeline = fusion->pipeline;
  request.host.function = fusion->function;
  return plan;
}

/// Compares what modules compute with what the one before the fusion does, which runs once, and only if
/// something is compared with it.
class Prover {
public:
  Prover(mlir::ModuleOp before, const FuseRequest &request)
      : before_(before), host_(request.host), flops_(estimateHostFlops(before, request.host.function)) {
    if (request.when == CheckWhen::Never)
      note_ = "not asked for";
    else if (request.when == CheckWhen::Quick && flops_ > kQuickCheckFlops)
      note_ = "slow on the CPU";
  }

  /// Of several steps, each if that is quick; else the last one tells, if anything may.
  void prove(mlir::ModuleOp after, unsigned steps, bool isLast, StepFusion &fusion) {
    if (!isCancelled())
      start();
    if (isCancelled()) { // what is fused stays
      fusion.note = "the check was cancelled";
      return;
    }
    bool eachStep = flops_ >= 0 && flops_ * (steps + 1) <= 2 * kQuickCheckFlops;
    if (!reference_ || (!eachStep && !isLast)) {
      fusion.note = reference_ ? "only the last step is checked: each takes the host long" : note_;
      return;
    }
    auto result = reference_->check(after);
    if (!result) {
      fusion.note = takeFailure(result.takeError()).message;
      if (isCancelled())
        fusion.note = "the check was cancelled";
      return;
    }
    fusion.checked = true;
    fusion.maxAbsError = result->maxAbsError;
    fusion.maxRelError = result->maxRelError;
    fusion.ok = result->ok;
  }

  /// Empty if the module computes the same, or nobody can tell.
  std::string problemOf(mlir::ModuleOp after) {
    StepFusion fusion;
    prove(after, 1, true, fusion);
    return fusion.ok ? "" : llvm::formatv("its results are wrong: max rel error {0:e2}", fusion.maxRelError).str();
  }

private:
  bool isCancelled() const { return host_.cancelled && host_.cancelled->load(); }
  void start() {
    if (reference_ || !note_.empty())
      return;
    auto reference = HostReference::run(before_, host_);
    if (reference)
      reference_ = std::move(*reference);
    else
      note_ = takeFailure(reference.takeError()).message;
  }

  mlir::ModuleOp before_;
  HostCheckOptions host_;
  int64_t flops_ = -1;
  std::optional<HostReference> reference_;
  std::string note_;
};

/// Records the pipeline; the number of the first step.
llvm::Expected<unsigned> apply(Engine &engine, Document &document, const FuseRequest &request) {
  RecordOptions options;
  options.pipeline = request.pipeline;
  options.cancelled = &engine.cancelled;
  options.beforeStep = [&](unsigned index, unsigned total, const Step &step) {
    tell(engine, "apply", step.pass, index, total);
  };
  return document.fuse(options, request.snapshot);
}

/// Finds out of each step what it led to.
llvm::Error prove(Engine &engine, Document &document, const FuseRequest &request, const FusePlan &plan, unsigned first,
                  Prover &prover) {
  unsigned last = document.recording().steps.size();
  for (unsigned i = first; i < last; ++i) {
    const Step &step = document.recording().steps[i];
    tell(engine, "check", step.pass, i - first, last - first);
    StepFusion fusion;
    auto reason = plan.reasonOf.find(step.pass);
    fusion.reason = reason != plan.reasonOf.end() ? reason->second : plan.preset;
    auto module = document.module(step.after);
    if (!module)
      return module.takeError();
    auto cost = fusionCost(*module, request.policy);
    if (!cost)
      return cost.takeError();
    fusion.dispatches = cost->dispatches;
    prover.prove(*module, last - first, i + 1 == last, fusion);
    document.setFusion(i, std::move(fusion));
  }
  return llvm::Error::success();
}

/// Forgets a fusion that nobody has seen.
void takeBack(Document &document) {
  document.undoFusion();
  document.forgetRedo();
}

/// Records what the plan found, and proves it. On a Failure, nothing has changed.
llvm::Expected<unsigned> perform(Engine &engine, Document &document, const FuseRequest &request, const FusePlan &plan,
                                 Prover &prover) {
  auto first = apply(engine, document, request);
  if (!first || *first == document.recording().steps.size())
    return first;
  if (llvm::Error error = prove(engine, document, request, plan, *first, prover)) {
    takeBack(document);
    return error;
  }
  return first;
}

/// Empty without steps.
std::string pipelineOf(llvm::ArrayRef<FusionStep> steps) {
  std::vector<std::string> pipelines;
  for (const FusionStep &step : steps)
    pipelines.push_back(functionPipeline(step.pass));
  return pipelines.empty() ? "" : joinPipelines(pipelines);
}

/// All that pays, or the clean-up: what stays of it becomes steps.
llvm::Expected<unsigned> performGoal(Engine &engine, Document &document, FuseRequest &request, FusePlan &plan,
                                     Prover &prover, mlir::ModuleOp before) {
  FuseAllOptions options{.goal = *request.goal};
  options.problemOf = [&](mlir::ModuleOp module) { return prover.problemOf(module); };
  options.proceed = [&](llvm::StringRef pass) {
    tell(engine, "search", pass, plan.tries++, 0);
    return !engine.cancelled;
  };
  options.found = [&](llvm::ArrayRef<FusionStep> steps) {
    engine.notify(message::FuseProgress<>{
        .phase = "search", .what = "", .done = static_cast<int>(plan.tries), .total = 0, .found = pipelineOf(steps)});
  };
  std::optional<FusionMeter> meter;
  if (!request.device.empty()) {
    RunOptions run;
    run.device = request.device;
    run.function = request.host.function;
    run.sizes = request.host.sizes;
    run.inputs = request.host.inputs;
    run.cancelled = &engine.cancelled;
    auto made = FusionMeter::make(document.session(), std::move(run), request.policy);
    if (!made)
      return made.takeError();
    meter.emplace(std::move(*made));
    options.rates = meter->rates();
    plan.prediction = options.rates.source();
    options.measure = [&](mlir::ModuleOp one, mlir::ModuleOp other) {
      tell(engine, "measure", request.device, plan.tries, 0);
      return meter->compare(one, other);
    };
  }
  auto result = fuseAll(before, request.policy, options);
  if (!result)
    return result.takeError();
  if (meter)
    if (llvm::Error error = meter->keep(*result)) // what is kept is a gain; to fuse was the task
      llvm::consumeError(std::move(error));
  plan.times = result->times;
  plan.parts = std::move(result->parts);
  plan.dropped = std::move(result->dropped);
  request.pipeline = pipelineOf(result->steps);
  if (result->steps.empty())
    return document.recording().steps.size();
  return perform(engine, document, request, plan, prover);
}

llvm::Expected<message::FuseResult<>> fuseMethod(Engine &engine, Document &document,
                                                 const method::Fuse::Request<> &wanted) {
  auto request = readRequest(wanted);
  if (!request)
    return request.takeError();
  request->host.cancelled = &engine.cancelled;
  // Held: the recording that it belongs to may go.
  std::shared_ptr<const Snapshot> start = document.recording().snapshots[request->snapshot];
  auto before = start->parsed();
  if (!before)
    return before.takeError();
  std::shared_ptr<const void> held = start->holdModule();
  auto plan = search(engine, *before, *request);
  if (!plan)
    return plan.takeError();
  auto cost = fusionCost(*before, request->policy);
  if (!cost)
    return cost.takeError();
  if (!plan->fused && !plan->tried.empty())
    rememberTried(
        document, request->snapshot, wanted.policy,
        {.from = wanted.from, .to = wanted.to, .operand = static_cast<int>(wanted.operand), .tried = plan->tried});
  unsigned after = cost->dispatches, first = document.recording().steps.size();
  if (plan->fused && (request->goal || !request->pipeline.empty())) {
    Prover prover(*before, *request);
    auto performed = request->goal ? performGoal(engine, document, *request, *plan, prover, *before)
                                   : perform(engine, document, *request, *plan, prover);
    if (!performed)
      return performed.takeError();
    first = *performed;
    if (const std::vector<Step> &steps = document.recording().steps; first < steps.size()) {
      after = steps.back().fusion->dispatches;
      auto last = document.module(steps.back().after);
      if (!last)
        return last.takeError();
      // Dispatches around one place, and nowhere else: both modules are counted as if all were formed.
      if (request->onlyThere && hasDispatchRegions(*last) && !hasDispatchRegions(*before))
        cost = fusionCost(*before, request->policy, {}, /*formed=*/true);
      if (!cost)
        return cost.takeError();
    }
  }
  message::FuseResult<> result{.history = historyMessage(document),
                               .fused = plan->fused,
                               .pipeline = request->pipeline,
                               .reasons = plan->reasons,
                               .dropped = plan->dropped,
                               .tries = static_cast<int>(plan->tries),
                               .tried = plan->tried,
                               .gaveUp = plan->gaveUp,
                               .measure = plan->times ? "measured" : "predicted",
                               .prediction = plan->prediction,
                               .times = {},
                               .parts = {},
                               .dispatchesBefore = static_cast<int>(cost->dispatches),
                               .dispatchesAfter = static_cast<int>(after),
                               .first = static_cast<int>(first)};
  if (plan->times)
    result.times = {.device = request->device,
                    .before = plan->times->before,
                    .after = plan->times->after,
                    .noise = plan->times->noise,
                    .predicted = plan->times->predicted};
  for (const FusionPart &part : plan->parts)
    result.parts.push_back({.pass = part.pass,
                            .kept = part.isKept,
                            .dispatches = part.dispatches,
                            .bytes = part.bytes,
                            .us = part.gain,
                            .noise = part.noise,
                            .predicted = part.predicted});
  return result;
}

} // namespace

void addFuseMethod(MethodTable &table) { addMethod<method::Fuse, fuseMethod>(table); }

} // namespace fuselage
