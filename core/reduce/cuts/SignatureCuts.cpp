// Arguments and results of functions.
#include "core/reduce/cuts/Cuts.h"
#include "core/reduce/cuts/Functions.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace fuselage {
namespace {

std::vector<BlockArgument> argumentsOf(ModuleOp module, llvm::function_ref<bool(BlockArgument)> isWanted) {
  std::vector<BlockArgument> arguments;
  for (FunctionOpInterface function : uncalledFunctionsOf(module))
    for (BlockArgument argument : function.getArguments())
      if (isWanted(argument))
        arguments.push_back(argument);
  return arguments;
}

bool isUnused(BlockArgument argument) { return argument.use_empty(); }

/// The first argument of the type, if that is another one.
BlockArgument earlierOf(BlockArgument argument) {
  for (BlockArgument other : argument.getOwner()->getArguments()) {
    if (other == argument)
      return {};
    if (other.getType() == argument.getType())
      return other;
  }
  return {};
}

bool isMergeable(BlockArgument argument) { return !argument.use_empty() && earlierOf(argument); }

bool cutArguments(ModuleOp module, const llvm::BitVector &places) {
  std::vector<BlockArgument> unused = argumentsOf(module, isUnused);
  llvm::MapVector<Operation *, llvm::BitVector> byFunction;
  for (unsigned place : places.set_bits()) {
    BlockArgument argument = unused[place];
    llvm::BitVector &chosen = byFunction[argument.getOwner()->getParentOp()];
    chosen.resize(argument.getOwner()->getNumArguments());
    chosen.set(argument.getArgNumber());
  }
  bool changed = false;
  for (auto &[function, chosen] : byFunction)
    changed |= succeeded(cast<FunctionOpInterface>(function).eraseArguments(chosen));
  return changed;
}

/// A result of a function that nobody calls.
struct Result {
  FunctionOpInterface function;
  unsigned index;
};

std::vector<Result> resultsOf(ModuleOp module) {
  std::vector<Result> results;
  for (FunctionOpInterface function : uncalledFunctionsOf(module))
    for (unsigned index = 0; index < function.getNumResults(); ++index)
      results.push_back({function, index});
  return results;
}

/// The same results at every return.
bool eraseResults(FunctionOpInterface function, const llvm::BitVector &chosen) {
  std::vector<Operation *> returns = returnsOf(function);
  for (Operation *op : returns)
    if (op->getNumOperands() != chosen.size())
      return false;
  if (failed(function.eraseResults(chosen)))
    return false;
  for (Operation *op : returns)
    op->eraseOperands(chosen);
  return true;
}

bool cutResults(ModuleOp module, const llvm::BitVector &places, const CutLimits &limits) {
  std::vector<Result> results = resultsOf(module);
  llvm::MapVector<Operation *, llvm::BitVector> byFunction;
  for (unsigned place : places.set_bits()) {
    llvm::BitVector &chosen = byFunction[results[place].function];
    chosen.resize(results[place].function.getNumResults());
    chosen.set(results[place].index);
  }
  bool changed = false;
  for (auto &[op, chosen] : byFunction) {
    auto function = cast<FunctionOpInterface>(op);
    if (limits.isRun(function.getName()) && chosen.all())
      continue; // nothing would be left to compare
    changed |= eraseResults(function, chosen);
  }
  return changed;
}

} // namespace

PlacedCut argumentCut() {
  return {"unused arguments are dropped",
          [](ModuleOp module) { return unsigned(argumentsOf(module, isUnused).size()); }, cutArguments};
}

PlacedCut mergeCut() {
  auto cut = [](ModuleOp module, const llvm::BitVector &places) {
    std::vector<BlockArgument> all = argumentsOf(module, isMergeable);
    for (unsigned place : places.set_bits())
      all[place].replaceAllUsesWith(earlierOf(all[place]));
    return places.any();
  };
  return {"arguments are merged", [](ModuleOp module) { return unsigned(argumentsOf(module, isMergeable).size()); },
          cut};
}

PlacedCut resultCut(const CutLimits &limits) {
  return {"results are dropped", [](ModuleOp module) { return unsigned(resultsOf(module).size()); },
          [limits](ModuleOp module, const llvm::BitVector &places) { return cutResults(module, places, limits); }};
}

} // namespace fuselage
