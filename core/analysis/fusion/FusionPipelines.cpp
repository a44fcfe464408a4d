#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/ir/module/VerifySafely.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

using namespace mlir;

namespace fuselage {

std::string functionPipeline(llvm::StringRef passes) { return "builtin.module(func.func(" + passes.str() + "))"; }

llvm::Error runFusionPipeline(ModuleOp module, llvm::StringRef pipeline, bool verifies) {
  PassManager passes(module.getContext());
  if (llvm::Error error = readPipeline(pipeline, passes))
    return error;
  // MLIR would verify all after each pass, which takes longer than most passes do: most change little or nothing.
  passes.enableVerifier(false);
  const std::string failure = ("'" + pipeline + "' failed").str();
  for (ModuleOp part : splitModules(module)) {
    std::optional<uint64_t> before;
    if (verifies)
      before = fingerprintOf(part);
    if (llvm::Error error = runPasses(passes, part, failure))
      return error;
    if (!before || fingerprintOf(part) == *before)
      continue;
    DiagnosticCapture capture(*module.getContext());
    if (failed(verifyQuickly(part)))
      return fail(failure, capture.take());
  }
  return llvm::Error::success();
}

namespace {

/// Hashes what an op is made of, values by their order, so that equal modules of one context hash alike. To print
/// them would take ten times as long.
class Fingerprint {
public:
  uint64_t of(Operation *root) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { addOp(op); });
    return hash_;
  }

private:
  template <typename T> void add(T value) { hash_ = llvm::hash_combine(hash_, value); }
  template <typename T> unsigned numberOf(llvm::DenseMap<T, unsigned> &numbers, T key) {
    return numbers.try_emplace(key, numbers.size()).first->second;
  }
  void addOp(Operation *op) {
    add(op->getName().getAsOpaquePointer());
    add(op->getRawDictionaryAttrs().getAsOpaquePointer());
    add(op->hashProperties());
    for (Value operand : op->getOperands())
      add(numberOf(values_, operand));
    for (Block *successor : op->getSuccessors())
      add(numberOf(blocks_, successor));
    addValues(op->getResults());
    for (Region &region : op->getRegions()) {
      add(region.getBlocks().size());
      for (Block &block : region) {
        add(numberOf(blocks_, &block));
        addValues(block.getArguments());
        add(block.getOperations().size());
      }
    }
  }
  void addValues(ValueRange values) {
    for (Value value : values) {
      add(numberOf(values_, value));
      add(value.getType().getAsOpaquePointer());
    }
  }

  uint64_t hash_ = 0;
  llvm::DenseMap<Value, unsigned> values_;
  llvm::DenseMap<Block *, unsigned> blocks_;
};

} // namespace

uint64_t fingerprintOf(ModuleOp module) { return Fingerprint().of(module); }

static bool hasRegions(Operation *op) {
  return op->walk([](flow::DispatchRegionOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool hasDispatchRegions(ModuleOp module) { return hasRegions(module); }

llvm::Error completeDispatches(ModuleOp module, const FusionPolicy &policy, bool everywhere) {
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) {
    if (hasRegions(function) || (everywhere && !function.isExternal()))
      functions.push_back(function);
  });
  PassManager passes(module.getContext(), func::FuncOp::getOperationName());
  passes.enableVerifier(false); // what is formed here is counted, and runs nowhere
  passes.addPass(createFormDispatchesPass({.policy = policy.name}));
  if (policy.dispatchMoves && policy.wrapLeftovers)
    passes.addPass(createDispatchMovesPass());
  for (func::FuncOp function : functions)
    if (llvm::Error error = runPasses(passes, function, "dispatches of @" + function.getName() + " cannot be formed"))
      return error;
  return llvm::Error::success();
}

llvm::Expected<unsigned> countFusedDispatches(ModuleOp module, const FusionPolicy &policy) {
  if (llvm::Error error = completeDispatches(module, policy))
    return error;
  unsigned count = 0;
  for (const BodyVerdicts &body : judgeFusion(module, policy, JudgedFor::Counts))
    count += body.dispatches.size();
  return count;
}

} // namespace fuselage
