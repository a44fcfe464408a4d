#include "core/analysis/buffers/Bufferizer.h"
#include "core/analysis/buffers/ConflictFinder.h"
#include "core/analysis/buffers/OpTags.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/bufferize/BufferizationOptions.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::bufferization;

namespace fuselage {
namespace {

/// Collects errors, by the op that they are about.
class ErrorLog {
public:
  explicit ErrorLog(MLIRContext *context)
      : handler_(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            errors_.push_back({.op = tagOf(diagnostic.getLocation()), .message = diagnostic.str()});
          return success();
        }) {}
  std::vector<BufferProblem> take() { return std::exchange(errors_, {}); }

private:
  std::vector<BufferProblem> errors_;
  ScopedDiagnosticHandler handler_;
};

/// One attempt on one copy.
class Bufferizer {
public:
  Bufferizer(ArrayRef<Operation *> originals, Bufferization &result) : originals_(originals), result_(result) {}

  /// Bufferizes a module whose nested modules are done.
  LogicalResult run(ModuleOp module, bool eliminateEmpty);
  /// Decides only, and puts the copies in.
  LogicalResult analyze(ModuleOp module);

private:
  LogicalResult prepare(ModuleOp module, bool eliminateEmpty);
  LogicalResult bufferizeForeign(Operation *op);
  LogicalResult resolve(Operation *root, ArrayRef<Operation *> functions, const OneShotAnalysisState &analysis,
                        BufferizationState &state);
  void decide(Operation *root, ArrayRef<Operation *> functions, const OneShotAnalysisState &analysis);
  void decide(OpOperand &operand, bool inPlace, std::optional<BufferConflict> conflict,
              const OneShotAnalysisState &analysis);
  LogicalResult insertCopies(Operation *root, const OneShotAnalysisState &analysis, BufferizationState &state);
  OperandDecision *decisionOf(OpOperand &operand);
  OperandDecision *ownerOf(AllocTensorOp copy);

  ArrayRef<Operation *> originals_;
  Bufferization &result_;
  /// Decisions on operands of this module. `alias`: the operand's only result, which may be copied in
  /// its place.
  struct Pending {
    OperandDecision decision;
    Value alias;
    bool isListed = false; ///< whether the op is one of the original module
  };
  llvm::MapVector<OpOperand *, Pending> pending_;
};

OperandPlace placeOf(OpOperand *operand) {
  if (!operand)
    return {};
  return {.op = tagOf(operand->getOwner()), .operand = static_cast<int>(operand->getOperandNumber())};
}

ConflictPlaces placesOf(const BufferConflict &conflict) {
  ConflictPlaces places{.read = placeOf(conflict.read), .write = placeOf(conflict.write)};
  if (auto result = dyn_cast<OpResult>(conflict.definition)) {
    places.definition = tagOf(result.getOwner());
    places.result = result.getResultNumber();
  } else {
    auto argument = cast<BlockArgument>(conflict.definition);
    places.definition = tagOf(argument.getOwner()->getParentOp());
    places.argument = argument.getArgNumber();
  }
  return places;
}

/// Whether upstream has to assume the worst of the op that owns or uses the value.
bool isUnknown(Operation *op, const BufferizationOptions &options) { return !options.dynCastBufferizableOp(op); }

BufferReason reasonOf(const BufferConflict &conflict, OpOperand &operand, const BufferizationOptions &options) {
  Value definition = conflict.definition;
  Operation *source = definition.getDefiningOp();
  if (!source)
    source = definition.getParentBlock()->getParentOp();
  if (isUnknown(operand.getOwner(), options) || isUnknown(conflict.write->getOwner(), options) ||
      (conflict.read && isUnknown(conflict.read->getOwner(), options)))
    return BufferReason::UnknownOp;
  switch (conflict.kind) {
  case BufferConflict::Kind::ReadAfterWrite:
    return BufferReason::ReadAfterWrite;
  case BufferConflict::Kind::ParallelRegion:
    return BufferReason::ParallelRegion;
  case BufferConflict::Kind::NotWritable:
    break;
  }
  if (isa<FunctionOpInterface>(source) && isa<BlockArgument>(definition))
    return BufferReason::ReadOnlyArgument;
  if (source->hasTrait<OpTrait::ConstantLike>())
    return BufferReason::ReadOnlyConstant;
  return isUnknown(source, options) ? BufferReason::UnknownOp : BufferReason::ReadOnlyValue;
}

LogicalResult Bufferizer::prepare(ModuleOp module, bool eliminateEmpty) {
  // What bufferizes is the loops of attention.
  std::string pipeline =
      std::string("func.func(fuselage-tile-attention),") + (eliminateEmpty ? bufferPreparation : dispatchPreparation);
  if (hasForeignForms(module))
    pipeline = "fuselage-normalize-foreign," + pipeline;
  PassManager passes(module.getContext());
  if (llvm::Error error = readPipeline("builtin.module(" + pipeline + ")", passes))
    return module.emitError(llvm::toString(std::move(error)));
  return passes.run(module); // what it says is for the log of attempt()
}

void Bufferizer::decide(OpOperand &operand, bool inPlace, std::optional<BufferConflict> conflict,
                        const OneShotAnalysisState &analysis) {
  Operation *op = operand.getOwner();
  Pending pending;
  OperandDecision &decision = pending.decision;
  decision.place = placeOf(&operand);
  decision.inPlace = inPlace;
  decision.reads = analysis.bufferizesToMemoryRead(operand);
  decision.writes = analysis.bufferizesToMemoryWrite(operand);
  if (!inPlace)
    decision.reason = BufferReason::UnknownOp;
  if (conflict) {
    decision.reason = reasonOf(*conflict, operand, analysis.getOptions());
    decision.conflict = placesOf(*conflict);
  }
  AliasingValueList aliases = analysis.getAliasingValues(operand);
  if (aliases.getNumAliases() == 1)
    pending.alias = aliases.getAliases()[0].value;
  // Ops that preparation made have the tag of what they come from.
  if (OpId tag = decision.place.op; tag >= 0 && tag < OpId(originals_.size())) {
    Operation *original = originals_[tag];
    pending.isListed = original->getName() == op->getName() && original->getNumOperands() == op->getNumOperands();
  }
  pending_.insert({&operand, std::move(pending)});
}

/// Goes through the decisions once more in upstream's order (bottom up), with the alias sets as they were
/// at each of them.
void Bufferizer::decide(Operation *root, ArrayRef<Operation *> functions, const OneShotAnalysisState &analysis) {
  using func_ext::FuncAnalysisState;
  OneShotAnalysisState replay(root, analysis.getOptions());
  if (const auto *known = analysis.getExtension<FuncAnalysisState>()) {
    auto *functions = replay.getExtension<FuncAnalysisState>();
    if (!functions)
      functions = &replay.addExtension<FuncAnalysisState>();
    functions->equivalentFuncArgs = known->equivalentFuncArgs;
    functions->aliasingReturnVals = known->aliasingReturnVals;
    functions->readBbArgs = known->readBbArgs;
    functions->writtenBbArgs = known->writtenBbArgs;
    functions->analyzedFuncOps = known->analyzedFuncOps;
  }
  ConflictFinder finder(root, replay);
  for (Operation *function : functions) {
    DominanceInfo dominance(function);
    std::vector<Operation *> ops;
    function->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops)) {
      if (!hasTensorSemantics(op))
        continue;
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isa<TensorType>(operand.get().getType()))
          continue;
        bool inPlace = analysis.isInPlace(operand);
        decide(operand, inPlace, inPlace ? std::nullopt : finder.find(operand, dominance), analysis);
        if (inPlace)
          finder.bufferizeInPlace(operand);
        else
          finder.bufferizeOutOfPlace(operand);
      }
    }
  }
}

/// The decision that made upstream insert `copy`; null for none that is known.
OperandDecision *Bufferizer::ownerOf(AllocTensorOp copy) {
  OpId tag = tagOf(copy);
  // Before the op, in place of an operand. (The user may be the terminator that a loop gave it to.)
  for (OpOperand &use : copy->getUses())
    if (auto found = pending_.find(&use); found != pending_.end() && tagOf(use.getOwner()) == tag)
      return &found->second.decision;
  // After it, in place of its result.
  for (auto &[operand, pending] : pending_)
    if (pending.decision.place.op == tag && !pending.decision.inPlace && pending.decision.copyTag < 0 &&
        isa_and_nonnull<OpResult>(pending.alias))
      return &pending.decision;
  return nullptr;
}

LogicalResult Bufferizer::insertCopies(Operation *root, const OneShotAnalysisState &analysis,
                                       BufferizationState &state) {
  llvm::DenseSet<Operation *> explicitOnes;
  root->walk([&](AllocTensorOp op) { explicitOnes.insert(op); });
  if (failed(insertTensorCopies(root, analysis, state)))
    return failure();
  std::vector<std::pair<AllocTensorOp, OperandDecision *>> copies;
  root->walk([&](AllocTensorOp op) {
    if (explicitOnes.contains(op))
      return;
    if (OperandDecision *owner = ownerOf(op)) {
      owner->copyTag = result_.endCopyTag++;
      if (owner->inPlace)
        owner->reason = BufferReason::LoopYield;
      copies.emplace_back(op, owner);
    }
  });
  for (auto &[op, owner] : copies)
    tagOp(op, owner->copyTag);
  return success();
}

/// Keeps the decisions, and acts on them.
LogicalResult Bufferizer::resolve(Operation *root, ArrayRef<Operation *> functions,
                                  const OneShotAnalysisState &analysis, BufferizationState &state) {
  pending_.clear();
  decide(root, functions, analysis);
  LogicalResult inserted = insertCopies(root, analysis, state);
  for (auto &[operand, pending] : pending_)
    if (pending.isListed)
      result_.decisions.push_back(std::move(pending.decision));
  return inserted;
}

/// What is no func.func, such as another dialect's function, is analyzed on its own.
LogicalResult Bufferizer::bufferizeForeign(Operation *op) {
  OneShotBufferizationOptions options = oneShotOptions();
  options.bufferizeFunctionBoundaries = false;
  BufferizationState state;
  {
    OneShotAnalysisState analysis(op, options);
    if (failed(analyzeOp(op, analysis)) || failed(resolve(op, op, analysis, state)))
      return failure();
  }
  return bufferizeOp(op, options, state);
}

LogicalResult Bufferizer::analyze(ModuleOp module) {
  std::vector<Operation *> functions;
  for (auto function : module.getOps<func::FuncOp>())
    functions.push_back(function);
  BufferizationState state;
  OneShotAnalysisState analysis(module, oneShotOptions());
  return success(succeeded(analyzeModuleOp(module, analysis)) &&
                 succeeded(resolve(module, functions, analysis, state)));
}

LogicalResult Bufferizer::run(ModuleOp module, bool eliminateEmpty) {
  if (failed(prepare(module, eliminateEmpty)))
    return failure();
  std::vector<Operation *> functions, others;
  for (Operation &op : *module.getBody())
    if (isa<func::FuncOp>(op))
      functions.push_back(&op);
    else if (!isa<ModuleOp>(op) && op.getNumRegions() > 0)
      others.push_back(&op);
  for (Operation *op : others)
    if (failed(bufferizeForeign(op)))
      return failure();
  OneShotBufferizationOptions options = oneShotOptions();
  BufferizationState state;
  {
    OneShotAnalysisState analysis(module, options);
    if (failed(analyzeModuleOp(module, analysis)) || failed(resolve(module, functions, analysis, state)))
      return failure();
  }
  return bufferizeModuleOp(module, options, state);
}

/// Makes a declaration of a function.
void dropBody(func::FuncOp function) {
  function.eraseBody();
  function.setPrivate();
}

/// Puts the original op, or -1, where a number is that of a copy that was inserted: who reads the result has no such
/// ops.
void nameOriginals(Bufferization &result) {
  std::map<OpId, OpId> owners;
  for (const OperandDecision &decision : result.decisions)
    if (decision.copyTag >= 0)
      owners[decision.copyTag] = decision.place.op;
  auto settle = [&](OpId &op) {
    if (op < result.firstCopyTag)
      return;
    auto owner = owners.find(op);
    op = owner == owners.end() ? -1 : owner->second;
  };
  for (BufferProblem &problem : result.problems)
    settle(problem.op);
  for (OperandDecision &decision : result.decisions)
    for (OpId *op : {&decision.conflict.read.op, &decision.conflict.write.op, &decision.conflict.definition})
      settle(*op);
}

/// Bufferizes a fresh copy without the bodies of some functions.
Bufferization attempt(ModuleOp module, ArrayRef<Operation *> originals, const std::set<OpId> &dropped,
                      bool eliminateEmpty) {
  Bufferization result;
  result.firstCopyTag = result.endCopyTag = originals.size();
  result.module = module.clone();
  tagOps(*result.module);
  std::vector<ModuleOp> modules;
  result.module->walk<WalkOrder::PostOrder>([&](ModuleOp nested) { modules.push_back(nested); });
  result.module->walk([&](func::FuncOp function) {
    if (dropped.contains(tagOf(function)))
      dropBody(function);
  });
  ErrorLog errors(module.getContext());
  result.isComplete = llvm::all_of(
      modules, [&](ModuleOp nested) { return succeeded(Bufferizer(originals, result).run(nested, eliminateEmpty)); });
  result.problems = errors.take();
  nameOriginals(result);
  llvm::stable_sort(result.decisions, [](const OperandDecision &a, const OperandDecision &b) {
    return std::make_pair(a.place.op, a.place.operand) < std::make_pair(b.place.op, b.place.operand);
  });
  auto samePlace = [](const OperandDecision &a, const OperandDecision &b) {
    return a.place.op == b.place.op && a.place.operand == b.place.operand;
  };
  result.decisions.erase(std::unique(result.decisions.begin(), result.decisions.end(), samePlace),
                         result.decisions.end());
  return result;
}

/// The function that holds an op of the module, itself included; -1 if none does.
OpId functionAround(OpId op, ArrayRef<Operation *> originals) {
  if (op < 0 || op >= OpId(originals.size()))
    return -1;
  Operation *at = originals[op];
  while (at && !isa<FunctionOpInterface>(at))
    at = at->getParentOp();
  auto found = llvm::find(originals, at);
  return !at || found == originals.end() ? -1 : found - originals.begin();
}

} // namespace

bool hasTensors(ModuleOp module) {
  // What tensors and buffers are to upstream's analysis comes with these dialects.
  module.getContext()->loadDialect<BufferizationDialect, memref::MemRefDialect>();
  return module
      .walk([](Operation *op) {
        bool found = op->getParentOp() && hasTensorSemantics(op);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Bufferization analyzeCopy(ModuleOp module) {
  std::vector<Operation *> originals;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { originals.push_back(op); });
  Bufferization result;
  result.firstCopyTag = result.endCopyTag = originals.size();
  result.module = module.clone();
  tagOps(*result.module);
  ErrorLog errors(module.getContext());
  result.isComplete = succeeded(Bufferizer(originals, result).analyze(*result.module));
  result.problems = errors.take();
  return result;
}

Bufferization bufferizeCopy(ModuleOp module, bool eliminateEmpty) {
  std::vector<Operation *> originals;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { originals.push_back(op); });
  std::set<OpId> dropped;
  std::vector<BufferProblem> problems;
  constexpr unsigned mostAttempts = 16;
  for (unsigned i = 0;; ++i) {
    Bufferization result = attempt(module, originals, dropped, eliminateEmpty);
    problems.insert(problems.end(), result.problems.begin(), result.problems.end());
    bool isNew = false;
    for (const BufferProblem &problem : result.problems)
      if (OpId function = functionAround(problem.op, originals); function >= 0 && !result.isComplete)
        isNew |= dropped.insert(function).second;
    if (result.isComplete || !isNew || i == mostAttempts) {
      result.problems = std::move(problems);
      return result;
    }
  }
}

} // namespace fuselage
