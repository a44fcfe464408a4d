// fusion/report, fusion/decided, fusion/bandwidth, fusion/help, fusion/undo, fusion/redo, fusion/save.
#include "core/protocol/methods/FusionMethods.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/fusion/ReasonPages.h"
#include "core/engine/MethodTable.h"
#include "core/engine/StepMessages.h"
#include "core/engine/fusion/TriedFusions.h"
#include "core/graph/scene/JudgeEdges.h"
#include "core/run/peaks/MemoryRate.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/stepping/record/FormingStep.h"
#include "core/stepping/record/TransformScript.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

llvm::Expected<message::FusionReport<>> report(Engine &engine, Document &document,
                                               const method::ReportFusion::Request<> &request) {
  unsigned snapshot = request.snapshot;
  auto policy = parseFusionPolicy(request.policy);
  if (!policy)
    return policy.takeError();
  auto module = document.module(snapshot);
  if (!module)
    return module.takeError();
  UnlockProofOptions proofs;
  proofs.cancelled = &engine.cancelled;
  if (!request.prove)
    proofs.maxOps = 0;
  auto explained = explainFusion(*module, *policy, request.gbps.value_or(kDefaultGbps), proofs);
  if (!explained)
    return explained.takeError();
  explained->snapshot = static_cast<int>(snapshot);
  addTried(document, snapshot, request.policy, *explained);
  auto graph = document.graph(snapshot, &engine.cancelled);
  if (!graph)
    return graph.takeError();
  nameLayers(*explained, LayerNames(**graph));
  return std::move(*explained);
}

/// Ops of an earlier snapshot that became what an op runs, or the op itself.
llvm::DenseSet<OpId> originsOf(mlir::Operation *op, DispatchFinder &finder, const OpIndex &before) {
  llvm::DenseSet<OpId> ids;
  auto add = [&](mlir::Operation *from) {
    std::vector<OpId> found = before.opsAt(from->getLoc());
    ids.insert(found.begin(), found.end());
  };
  mlir::Operation *runs = finder.find(op);
  if (!runs)
    add(op);
  else
    runs->walk([&](mlir::Operation *inner) {
      if (inner != runs)
        add(inner);
    });
  return ids;
}

/// Of the edges from one set of ops to another the one to ask about: missed ones first, the dearest first.
const FusionEdgeReport *findEdge(const FusionReport &report, const llvm::DenseSet<OpId> &from,
                                 const llvm::DenseSet<OpId> &to) {
  const FusionEdgeReport *best = nullptr;
  auto rank = [](const FusionEdgeReport &edge) {
    return std::tuple(edge.missed, edge.verdict == message::FusionVerdict::Separate, edge.bytes);
  };
  for (const FusionEdgeReport &edge : report.edges)
    if (from.contains(edge.from) && to.contains(edge.to) && (!best || rank(*best) < rank(edge)))
      best = &edge;
  return best;
}

llvm::Expected<message::FusionDecision<>> decided(Engine &, const IndexedSnapshot &asked,
                                                  const method::FindDecision::Request<> &request) {
  const auto &[document, snapshot, index] = asked;
  OpId from = request.from, to = request.to;
  if (llvm::Error error = checkRange("from", from, 0, index->count() - 1))
    return error;
  if (llvm::Error error = checkRange("to", to, -1, index->count() - 1))
    return error;
  auto policy = parseFusionPolicy(request.policy);
  if (!policy)
    return policy.takeError();
  auto step = findFormingStep(document.recording(), snapshot,
                              [&document = document](unsigned at) { return document.module(at); });
  if (!step)
    return step.takeError();
  if (!*step)
    return fail("no step of this recording formed dispatches: the module came with them");
  auto before = document.index((*step)->before);
  auto module = document.module((*step)->before);
  if (!before || !module)
    return llvm::joinErrors(before ? llvm::Error::success() : before.takeError(),
                            module ? llvm::Error::success() : module.takeError());
  message::FusionDecision<> decision;
  decision.step = static_cast<int>(*step - document.recording().steps.data());
  decision.name = (*step)->name;
  decision.snapshot = (*step)->before;
  DispatchFinder finder;
  llvm::DenseSet<OpId> producers = originsOf(index->op(from), finder, **before);
  if (to < 0) {
    mlir::Operation *runs = finder.find(index->op(from));
    mlir::Operation *root = runs ? findDispatchRoot(runs) : index->op(from);
    std::vector<OpId> roots = root ? (*before)->opsAt(root->getLoc()) : std::vector<OpId>();
    if (!roots.empty())
      decision.from = roots.front();
    return decision;
  }
  llvm::DenseSet<OpId> consumers = originsOf(index->op(to), finder, **before);
  UnlockProofOptions proofs;
  proofs.maxOps = 0;
  auto report = explainFusion(*module, *policy, kDefaultGbps, proofs);
  if (!report)
    return report.takeError();
  if (const FusionEdgeReport *edge = findEdge(*report, producers, consumers)) {
    decision.from = edge->from;
    decision.to = edge->to;
    decision.operand = static_cast<int>(edge->operand);
  }
  return decision;
}

llvm::Expected<message::Bandwidth<>> bandwidth(Engine &, Document &document,
                                               const method::MeasureBandwidth::Request<> &request) {
  auto rate = memoryRateOf(document.session(), request.device);
  if (!rate)
    return rate.takeError();
  return message::Bandwidth<>{.device = request.device, .gbps = rate->gbps, .source = rate->source};
}

message::ReasonHelp<> describe(const FusionReasonInfo &info) {
  message::ReasonHelp<> help{.code = info.code.str(),
                             .kindOf = info.parent == info.reason ? "" : infoOf(info.parent).code.str(),
                             .sentence = info.sentence.str(),
                             .page = reasonPage(info.code).str(),
                             .legal = info.legal,
                             .unlocks = {}};
  for (llvm::StringRef name : unlocksOf(info.reason))
    help.unlocks.push_back(name.str());
  return help;
}

llvm::Expected<message::ReasonHelps<>> help(Engine &, const method::FusionHelp::Request<> &request) {
  message::ReasonHelps<> help;
  for (const FusionReasonInfo &info : allFusionReasons())
    if (request.reason.empty() || request.reason == info.code)
      help.reasons.push_back(describe(info));
  if (help.reasons.empty())
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "no reason is called '" + request.reason + "'");
  return help;
}

llvm::Expected<message::FusionHistory<>> undo(Engine &, Document &document, const method::UndoFusion::Request<> &) {
  if (!document.undoFusion())
    return fail("there is no fusion to undo");
  return historyMessage(document);
}

llvm::Expected<message::FusionHistory<>> redo(Engine &, Document &document, const method::RedoFusion::Request<> &) {
  if (!document.redoFusion())
    return fail("there is no fusion to do again");
  return historyMessage(document);
}

llvm::Expected<message::WrittenFile<>> save(Engine &, Document &document,
                                            const method::SaveFusion::Request<> &request) {
  const std::string &path = request.path;
  if (path.empty() || path == "-")
    return fail("give the path of a file to write to");
  std::vector<std::string> pipelines;
  const std::vector<Step> &steps = document.recording().steps;
  for (unsigned i = 0; i < document.keptSteps(); ++i)
    if (steps[i].changed)
      pipelines.push_back(steps[i].pipeline);
  if (pipelines.empty())
    return fail("nothing was fused yet");
  // Another compiler's step stands beside passes.
  bool callsTool = llvm::any_of(pipelines, [](llvm::StringRef pipeline) { return !toolCommandOf(pipeline).empty(); });
  std::string text = (callsTool ? llvm::join(pipelines, ",") : joinPipelines(pipelines)) + "\n";
  if (request.format == method::FusionFormat::Transform) {
    auto script = transformScript(pipelines);
    if (!script)
      return script.takeError();
    text = std::move(*script);
  }
  if (llvm::Error error = writeOutputFile(path, text))
    return error;
  return message::WrittenFile<>{.path = path};
}

} // namespace

void addFusionMethods(MethodTable &table) {
  addMethod<method::ReportFusion, report>(table);
  addMethod<method::FusionHelp, help>(table);
  addMethod<method::FindDecision, decided>(table);
  addMethod<method::MeasureBandwidth, bandwidth>(table);
  addMethod<method::UndoFusion, undo>(table);
  addMethod<method::RedoFusion, redo>(table);
  addMethod<method::SaveFusion, save>(table);
}

} // namespace fuselage
