// fusion/fuse.
#include "core/analysis/fusion/EdgeFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/engine/Engine.h"
#include "core/engine/StepJson.h"
#include "core/runtime/HostCheck.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

namespace fuselage {
namespace {

enum class CheckWhen { Quick, Always, Never };

struct FuseRequest {
  unsigned snapshot = 0;
  std::optional<EdgeAddress> edge{};
  std::string pipeline{}; ///< given, or found by the search
  FusionPolicy policy{};
  CheckWhen when = CheckWhen::Quick;
  HostCheckOptions host{};
};

/// What the search said; of a pipeline that was asked for, nothing.
struct FusePlan {
  bool fused = true;
  std::vector<std::string> reasons{};
  unsigned tries = 0;
  bool gaveUp = false;
  llvm::StringMap<std::string> reasonOf{}; ///< by pass
  std::string preset{};                    ///< the reason for passes that a preset stands for
};

void tell(Engine &engine, llvm::StringRef phase, llvm::StringRef what, unsigned done, unsigned total) {
  engine.notify("fusion/progress",
                llvm::json::Object{{"phase", phase}, {"what", what}, {"done", done}, {"total", total}});
}

llvm::Expected<FuseRequest> readRequest(Params &params, const Document &document) {
  FuseRequest request;
  request.snapshot = params.integer("snapshot", 0, int64_t(document.snapshotCount()) - 1);
  OpId from = params.integer("from", -1, INT64_MAX, -1), to = params.integer("to", -1, INT64_MAX, -1);
  int64_t operand = params.integer("operand", -1, UINT32_MAX, -1);
  bool all = params.boolean("all", false), cleanUp = params.boolean("cleanUp", false);
  request.pipeline = params.string("pipeline", "");
  std::string policyText = params.string("policy", "aggressive");
  unsigned when = params.choice("check", {"quick", "always", "never"});
  request.when = when == 0 ? CheckWhen::Quick : when == 1 ? CheckWhen::Always : CheckWhen::Never;
  request.host.sizes = params.sizes("sizes");
  if (llvm::Error error = params.check())
    return error;
  bool hasEdge = from >= 0 && to >= 0;
  if (hasEdge + all + cleanUp + !request.pipeline.empty() != 1)
    return llvm::make_error<RpcError>(RpcCode::InvalidParams,
                                      "give one of 'from' and 'to', 'all', 'cleanUp' and 'pipeline'");
  if (hasEdge) {
    request.edge = EdgeAddress{.from = from, .to = to};
    if (operand >= 0)
      request.edge->operand = operand;
  }
  if (all || cleanUp)
    request.pipeline = all ? "builtin.module(fuselage-fuse-all)" : "builtin.module(fuselage-fusion-cleanup)";
  auto policy = parseFusionPolicy(policyText);
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
  auto fusion = fuseEdge(module, *request.edge, request.policy, options);
  if (!fusion)
    return fusion.takeError();
  plan.fused = fusion->fused;
  plan.tries = fusion->tries;
  plan.gaveUp = fusion->gaveUp;
  if (!plan.fused)
    plan.reasons = std::move(fusion->reasons);
  for (const FusionStep &step : fusion->steps) {
    plan.reasonOf[step.pass] = step.reason;
    plan.preset = step.reason;
  }
  request.pipeline = fusion->pipeline;
  request.host.function = fusion->function;
  return plan;
}

llvm::Expected<unsigned> countDispatches(mlir::ModuleOp module, const FusionPolicy &policy) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  return countFusedDispatches(*copy, policy);
}

/// Compares what steps compute with what the module in front of them does.
class Prover {
public:
  Prover(mlir::ModuleOp before, const FuseRequest &request, unsigned steps) {
    if (request.when == CheckWhen::Never) {
      note_ = "not asked for";
      return;
    }
    int64_t flops = estimateHostFlops(before, request.host.function);
    // Every step if that is quick; else the last one tells, if anything may.
    eachStep_ = flops >= 0 && flops * (steps + 1) <= 2 * kQuickCheckFlops;
    if (request.when == CheckWhen::Quick && flops > kQuickCheckFlops) {
      note_ = "it would take the host long";
      return;
    }
    auto reference = HostReference::run(before, request.host);
    if (reference)
      reference_ = std::move(*reference);
    else
      note_ = takeFailure(reference.takeError()).message;
  }

  void prove(mlir::ModuleOp after, bool isLast, StepFusion &fusion) {
    if (!reference_ || (!eachStep_ && !isLast)) {
      fusion.note = reference_ ? "only the last step is checked: each takes the host long" : note_;
      return;
    }
    auto result = reference_->check(after);
    if (!result) {
      fusion.note = takeFailure(result.takeError()).message;
      return;
    }
    fusion.checked = true;
    fusion.maxAbsError = result->maxAbsError;
    fusion.maxRelError = result->maxRelError;
    fusion.ok = result->ok;
  }

private:
  std::optional<HostReference> reference_;
  bool eachStep_ = false;
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

/// Counts dispatches behind each step and checks what it computes.
llvm::Error prove(Engine &engine, Document &document, const FuseRequest &request, const FusePlan &plan,
                  unsigned first, mlir::ModuleOp before) {
  unsigned last = document.recording().steps.size();
  Prover prover(before, request, last - first);
  for (unsigned i = first; i < last; ++i) {
    const Step &step = document.recording().steps[i];
    tell(engine, "check", step.pass, i - first, last - first);
    if (engine.cancelled)
      return fail("cancelled: the check was ended");
    StepFusion fusion;
    auto reason = plan.reasonOf.find(step.pass);
    fusion.reason = reason != plan.reasonOf.end() ? reason->second : plan.preset;
    auto module = document.module(step.after);
    if (!module)
      return module.takeError();
    auto count = countDispatches(*module, request.policy);
    if (!count)
      return count.takeError();
    fusion.dispatches = *count;
    prover.prove(*module, i + 1 == last, fusion);
    document.setFusion(i, std::move(fusion));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<llvm::json::Value> fuseMethod(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  auto request = readRequest(params, **document);
  if (!request)
    return request.takeError();
  // Held: the recording that it belongs to may go.
  std::shared_ptr<const Snapshot> start = (*document)->recording().snapshots[request->snapshot];
  auto before = start->parsed();
  if (!before)
    return before.takeError();
  auto plan = search(engine, *before, *request);
  if (!plan)
    return plan.takeError();
  auto count = countDispatches(*before, request->policy);
  if (!count)
    return count.takeError();
  unsigned after = *count, first = (*document)->recording().steps.size();
  if (plan->fused && !request->pipeline.empty()) {
    auto applied = apply(engine, **document, *request);
    if (!applied)
      return applied.takeError();
    first = *applied;
    if (llvm::Error error = prove(engine, **document, *request, *plan, first, *before)) {
      (*document)->undoFusion();
      (*document)->forgetRedo();
      return error;
    }
    if (const std::vector<Step> &steps = (*document)->recording().steps; first < steps.size())
      after = steps.back().fusion->dispatches;
  }
  llvm::json::Object json = historyToJSON(**document);
  json["fused"] = plan->fused;
  json["pipeline"] = request->pipeline;
  json["reasons"] = llvm::json::Array(plan->reasons);
  json["tries"] = plan->tries;
  json["gave_up"] = plan->gaveUp;
  json["dispatches_before"] = *count;
  json["dispatches_after"] = after;
  json["first"] = first;
  return json;
}

} // namespace fuselage
