// fusion/report, fusion/bandwidth, fusion/help, fusion/undo, fusion/redo, fusion/save.
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/fusion/ReasonPages.h"
#include "core/engine/Engine.h"
#include "core/engine/StepMessages.h"
#include "core/runtime/run/Bandwidth.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/stepping/record/TransformScript.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

llvm::Expected<llvm::json::Value> report(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  std::string policyText = params.string("policy", "aggressive");
  double gbps = params.real("gbps", 1e-3, 1e9, kDefaultGbps);
  bool prove = params.boolean("prove", true);
  if (llvm::Error error = params.check())
    return error;
  auto policy = parseFusionPolicy(policyText);
  if (!policy)
    return policy.takeError();
  auto module = (*document)->module(snapshot);
  if (!module)
    return module.takeError();
  UnlockProofOptions proofs;
  if (!prove)
    proofs.maxOps = 0;
  auto explained = explainFusion(*module, *policy, gbps, proofs);
  if (!explained)
    return explained.takeError();
  explained->snapshot = static_cast<int>(snapshot);
  return message::encode(*explained);
}

llvm::Expected<llvm::json::Value> bandwidth(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  std::string device = params.string("device");
  if (llvm::Error error = params.check())
    return error;
  auto gbps = measureBandwidth((*document)->session(), device);
  if (!gbps)
    return gbps.takeError();
  return message::encode(message::Bandwidth<>{.device = device, .gbps = *gbps});
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

llvm::Expected<llvm::json::Value> help(Engine &, Params &params) {
  std::string wanted = params.string("reason", "");
  if (llvm::Error error = params.check())
    return error;
  message::ReasonHelps<> help;
  for (const FusionReasonInfo &info : allFusionReasons())
    if (wanted.empty() || wanted == info.code)
      help.reasons.push_back(describe(info));
  if (help.reasons.empty())
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "no reason is called '" + wanted + "'");
  return message::encode(help);
}

llvm::Expected<llvm::json::Value> undo(Engine &engine, Params &) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  if (!(*document)->undoFusion())
    return fail("there is no fusion to undo");
  return message::encode(historyMessage(**document));
}

llvm::Expected<llvm::json::Value> redo(Engine &engine, Params &) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  if (!(*document)->redoFusion())
    return fail("there is no fusion to do again");
  return message::encode(historyMessage(**document));
}

llvm::Expected<llvm::json::Value> save(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  std::string path = params.string("path");
  bool isScript = params.choice("format", {"pipeline", "transform"}) == 1;
  if (llvm::Error error = params.check())
    return error;
  if (path.empty() || path == "-")
    return fail("give the path of a file to write to");
  std::vector<std::string> pipelines;
  const std::vector<Step> &steps = (*document)->recording().steps;
  for (unsigned i = 0; i < (*document)->keptSteps(); ++i)
    if (steps[i].changed)
      pipelines.push_back(steps[i].pipeline);
  if (pipelines.empty())
    return fail("nothing was fused yet");
  // Another compiler's step stands beside passes.
  bool callsTool = llvm::any_of(pipelines, [](llvm::StringRef pipeline) { return !toolCommandOf(pipeline).empty(); });
  std::string text = (callsTool ? llvm::join(pipelines, ",") : joinPipelines(pipelines)) + "\n";
  if (isScript) {
    auto script = transformScript(pipelines);
    if (!script)
      return script.takeError();
    text = std::move(*script);
  }
  if (llvm::Error error = writeOutputFile(path, text))
    return error;
  return writtenFile(path);
}

} // namespace

void addFusionMethods(MethodTable &table) {
  table["fusion/report"] = report;
  table["fusion/fuse"] = fuseMethod;
  table["fusion/help"] = help;
  table["fusion/bandwidth"] = bandwidth;
  table["fusion/undo"] = undo;
  table["fusion/redo"] = redo;
  table["fusion/save"] = save;
}

} // namespace fuselage
