// fusion/report, fusion/bandwidth, fusion/help, fusion/undo, fusion/redo, fusion/save.
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/fusion/ReasonPages.h"
#include "core/engine/Engine.h"
#include "core/engine/StepJson.h"
#include "core/runtime/run/Bandwidth.h"
#include "core/stepping/record/TransformScript.h"
#include "core/support/OutputFile.h"

namespace fuselage {
namespace {

llvm::Expected<llvm::json::Value> report(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = params.integer("snapshot", 0, int64_t((*document)->snapshotCount()) - 1);
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
  llvm::json::Value json = toJSON(*explained);
  (*json.getAsObject())["snapshot"] = snapshot;
  return json;
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
  return llvm::json::Object{{"device", llvm::json::fixUTF8(device)}, {"gbps", *gbps}};
}

llvm::json::Value describe(const FusionReasonInfo &info) {
  llvm::json::Array unlocks;
  for (llvm::StringRef name : unlocksOf(info.reason))
    unlocks.push_back(name);
  return llvm::json::Object{{"code", info.code},
                            {"kind_of", info.parent == info.reason ? "" : infoOf(info.parent).code.str()},
                            {"sentence", info.sentence},
                            {"legal", info.legal},
                            {"unlocks", std::move(unlocks)},
                            {"page", reasonPage(info.code)}};
}

llvm::Expected<llvm::json::Value> help(Engine &, Params &params) {
  std::string wanted = params.string("reason", "");
  if (llvm::Error error = params.check())
    return error;
  llvm::json::Array reasons;
  for (const FusionReasonInfo &info : allFusionReasons())
    if (wanted.empty() || wanted == info.code)
      reasons.push_back(describe(info));
  if (reasons.empty())
    return llvm::make_error<RpcError>(RpcCode::InvalidParams, "no reason is called '" + wanted + "'");
  return llvm::json::Object{{"reasons", std::move(reasons)}};
}

llvm::Expected<llvm::json::Value> undo(Engine &engine, Params &) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  if (!(*document)->undoFusion())
    return fail("there is no fusion to undo");
  return historyToJSON(**document);
}

llvm::Expected<llvm::json::Value> redo(Engine &engine, Params &) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  if (!(*document)->redoFusion())
    return fail("there is no fusion to do again");
  return historyToJSON(**document);
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
  std::string text = joinPipelines(pipelines) + "\n";
  if (isScript) {
    auto script = transformScript(pipelines);
    if (!script)
      return script.takeError();
    text = std::move(*script);
  }
  if (llvm::Error error = writeOutputFile(path, text))
    return error;
  return llvm::json::Object{{"path", llvm::json::fixUTF8(path)}};
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
