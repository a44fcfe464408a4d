#include "core/stepping/pipeline/PipelineFit.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/sharding/DropShardings.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Session.h"
#include "core/ir/module/NearestOp.h"
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
  std::set<std::string> dialects; ///< those that are only read
  std::string unknownOp;          ///< the first that its dialect, one of MLIR's, does not have
  Operation *obstacle = nullptr;  ///< the first one on tensors
  unsigned obstacles = 0;
};

bool touchesTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

/// Whether its dialect is one of MLIR's, by the name that the user wrote, and does not have it.
bool isMissingInMlir(Operation *op) {
  if (op->isRegistered())
    return false;
  const std::string name = displayName(op);
  return llvm::is_contained(op->getContext()->getAvailableDialects(), StringRef(name).split('.').first);
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
    StringRef dialect = StringRef(name).split('.').first;
    if (isMissingInMlir(op)) {
      if (found.unknownOp.empty())
        found.unknownOp = name;
    } else {
      found.dialects.insert(dialect.str());
    }
    OpRole role = decode(op).role;
    bool isNormalized = role == OpRole::ModuleInput || role == OpRole::ModuleOutput;
    if (isNormalized || annotatedValue(op) || !touchesTensors(op))
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

/// "of tosa and my", "that MLIR does not have, such as 'linalg.genric' (did you mean 'linalg.generic'?)", or both.
std::string describeForeign(const ForeignOps &foreign, MLIRContext &context) {
  std::string text = foreign.dialects.empty() ? "" : "of " + listed(foreign.dialects);
  if (foreign.unknownOp.empty())
    return text;
  std::string meant = nearestOp(foreign.unknownOp, context);
  return text + (text.empty() ? "" : ", and ") + "that MLIR does not have, such as '" + foreign.unknownOp + "'" +
         (meant.empty() ? "" : " (did you mean '" + meant + "'?)");
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
                                "here are only ops {0}; lower them to linalg where they come from, or record "
                                "passes that run on any op, such as canonicalize, cse or symbol-dce",
                                describeForeign(foreign, *module.getContext())));
  }
  auto refusing = llvm::find_if(
      steps, [](const PipelineStep &step) { return StringRef(step.pipeline).contains("one-shot-bufferize"); });
  if (!foreign.obstacle || refusing == steps.end())
    return std::nullopt;
  std::string title = refusing->title;
  steps.erase(refusing, steps.end());
  const std::string name = displayName(foreign.obstacle);
  std::string others = foreign.obstacles > 1 ? llvm::formatv(" and {0} more are", foreign.obstacles - 1).str() : " is";
  return remark(
      foreign.obstacle,
      llvm::formatv("the default pipeline ends before '{0}', which has to know every op on tensors: ", title).str() +
          (isMissingInMlir(foreign.obstacle) ? "MLIR has no op '" + name + "'" + suggestOp(name, *module.getContext())
                                             : name + others +
                                                   " of dialects that can be read but not lowered here; lower them "
                                                   "with the compiler they come from first"));
}

} // namespace fuselage
