#include "core/stepping/pipeline/PipelineFit.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Session.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "core/transforms/foreign/TosaOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using llvm::StringRef;

namespace fuselage {
namespace {

/// What the module holds of ops that we only read.
struct ForeignOps {
  bool besideKnown = false; ///< there are ops, too, that the pipeline tiles
  unsigned count = 0;
  std::set<std::string> dialects;
  Operation *obstacle = nullptr; ///< the first one on tensors
  unsigned obstacles = 0;
};

bool touchesTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

ForeignOps findForeignOps(ModuleOp module) {
  ForeignOps found;
  module->walk([&](Operation *op) {
    found.besideKnown |= isComputeOp(op);
    std::string name = displayName(op);
    bool isForeign = !op->isRegistered() && !StringRef(name).starts_with("fuselage.");
    if (!isForeign && !isTosa(op))
      return;
    ++found.count;
    found.dialects.insert(StringRef(name).split('.').first.str());
    OpRole role = decode(op).role;
    bool isNormalized = role == OpRole::ModuleInput || role == OpRole::ModuleOutput;
    if (isNormalized || !touchesTensors(op))
      return;
    ++found.obstacles;
    if (!found.obstacle)
      found.obstacle = op;
  });
  return found;
}

/// "hal, stream and util"
std::string listed(const std::set<std::string> &names) {
  std::string text;
  size_t left = names.size();
  for (const std::string &name : names) {
    text += name;
    --left;
    text += left > 1 ? ", " : left == 1 ? " and " : "";
  }
  return text;
}

Diagnostic remark(Operation *at, std::string message) {
  Diagnostic diagnostic;
  diagnostic.severity = Diagnostic::Severity::Remark;
  diagnostic.message = std::move(message);
  if (at) {
    SourcePosition place = positionOf(at->getLoc());
    diagnostic.file = place.file;
    diagnostic.line = place.line;
    diagnostic.column = place.column;
  }
  return diagnostic;
}

} // namespace

std::optional<Diagnostic> fitPipeline(ModuleOp module, std::vector<PipelineStep> &steps) {
  ForeignOps foreign = findForeignOps(module);
  if (foreign.count == 0)
    return std::nullopt;
  if (!foreign.besideKnown) {
    llvm::erase_if(steps,
                   [](const PipelineStep &step) { return !StringRef(step.pipeline).contains(kNormalizationPass); });
    return remark(nullptr,
                  llvm::formatv("the default pipeline has nothing to work on: it tiles linalg ops on tensors, and "
                                "here are only ops of {0}; lower them to linalg where they come from, or record "
                                "passes that run on any op, such as canonicalize, cse or symbol-dce",
                                listed(foreign.dialects)));
  }
  auto refusing = llvm::find_if(
      steps, [](const PipelineStep &step) { return StringRef(step.pipeline).contains("one-shot-bufferize"); });
  if (!foreign.obstacle || refusing == steps.end())
    return std::nullopt;
  std::string title = refusing->title;
  steps.erase(refusing, steps.end());
  std::string others = foreign.obstacles > 1 ? llvm::formatv(" and {0} more are", foreign.obstacles - 1).str() : " is";
  return remark(
      foreign.obstacle,
      llvm::formatv("the default pipeline ends before '{0}', which has to know every op on tensors: {1}{2} of "
                    "dialects that are only read here; lower them where they come from to go on",
                    title, displayName(foreign.obstacle), others));
}

} // namespace fuselage
