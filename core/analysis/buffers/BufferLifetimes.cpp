#include "core/analysis/buffers/BufferLifetimes.h"
#include "core/analysis/buffers/PeakMemory.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace fuselage {
namespace {

/// What a caller has to know of a function.
struct FunctionUse {
  std::vector<BufferLife> buffers;
  std::map<std::string, MemoryPeak> peaks; ///< by memory space
  std::vector<Value> returned;             ///< the operands of all returns
};

class MemoryWalker {
public:
  MemoryWalker(ModuleOp module, const KnownSizes &known) : known_(known) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      places_[op] = ops_.size();
      ops_.push_back(op);
    });
    for (Operation *op : llvm::reverse(ops_)) {
      int64_t end = ends_.try_emplace(op, places_[op]).first->second;
      if (Operation *parent = op->getParentOp(); parent && op != module)
        ends_[parent] = std::max(ends_.lookup(parent), end);
    }
  }

  MemoryUse run() {
    MemoryUse use;
    for (Operation *op : ops_)
      if (isFunction(op)) {
        const FunctionUse &function = useOf(op);
        llvm::append_range(use.buffers, function.buffers);
        for (const auto &[space, peak] : function.peaks)
          use.peaks.push_back(peak);
      }
    use.ops = std::move(ops_);
    return use;
  }

private:
  using Values = llvm::SmallPtrSet<Value, 16>;

  static bool isFunction(Operation *op) { return isa<FunctionOpInterface, gpu::LaunchOp>(op); }
  static Operation *functionOf(Operation *op) {
    while (op && !isFunction(op))
      op = op->getParentOp();
    return op;
  }

  const FunctionUse &useOf(Operation *function);
  void addAllocations(Operation *op, FunctionUse &use);
  void addCallee(Operation *call, FunctionUse &use);
  void findReplaced(LoopLikeOpInterface loop);
  void addCarried(Operation *loop, FunctionUse &use);
  void addArguments(Operation *function, FunctionUse &use);
  void findLife(BufferLife &buffer);
  Values aliasesOf(Value value, Value without = {}) const;
  int64_t lastUseIn(const Values &aliases) const;
  int64_t lastUseOf(Value value, Operation *use) const;
  int64_t endOfScope(Operation *op, bool &isRepeated) const;
  void findPeaks(Operation *function, FunctionUse &use);

  SymbolTableCollection tables_;
  std::vector<Operation *> ops_;
  const KnownSizes &known_;
  llvm::DenseMap<Operation *, int64_t> places_, ends_; ///< of an op, and of the last one in it
  std::map<Operation *, FunctionUse> functions_;
  llvm::DenseSet<Operation *> underWay_;
  std::unique_ptr<BufferViewFlowAnalysis> flow_; ///< of the function that is being looked at
  std::vector<std::pair<int64_t, const FunctionUse *>> calls_;
  llvm::DenseSet<Value> replaced_; ///< results of loops in buffers that the loop made
  bool isRecursive_ = false;
};

/// Whether a region may run again after it ended.
bool isRepetitive(Region *region) {
  Operation *op = region->getParentOp();
  if (isa<LoopLikeOpInterface>(op))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && branch.isRepetitiveRegion(region->getRegionNumber());
}

/// Whether the blocks of a region form a loop.
bool hasBlockLoop(Region &region) {
  if (region.hasOneBlock())
    return false;
  for (Block &block : region)
    if (llvm::any_of(block.getSuccessors(), [&](Block *next) { return next->isReachable(&block); }))
      return true;
  return false;
}

/// What the buffer flows into while it is that buffer: a loop's argument that its next iteration gets is
/// another one's business. `without`: nor what flows through this one.
MemoryWalker::Values MemoryWalker::aliasesOf(Value value, Value without) const {
  Values seen{value};
  llvm::SmallVector<Value> open{value};
  Region *home = value.getParentRegion();
  while (!open.empty()) {
    auto next = flow_->find(open.pop_back_val());
    if (next == flow_->end())
      continue;
    for (Value alias : next->second) {
      bool isNextIteration =
          isa<BlockArgument>(alias) && alias.getParentRegion()->isAncestor(home) && alias.getParentRegion() != home;
      isNextIteration |= isa<BlockArgument>(alias) && alias.getParentRegion() == home && alias != value &&
                         cast<BlockArgument>(alias).getOwner()->isEntryBlock();
      // That the loop does not run at all is never the dearer case.
      bool isReplaced = replaced_.contains(alias) && !alias.getDefiningOp()->isProperAncestor(home->getParentOp()) &&
                        alias.getDefiningOp() != home->getParentOp();
      if (!isNextIteration && !isReplaced && alias != without && seen.insert(alias).second)
        open.push_back(alias);
    }
  }
  return seen;
}

/// The last place that a use of `value` reaches: buffers are freed where they were made, so after the
/// whole loop or branch that the use is in.
int64_t MemoryWalker::lastUseOf(Value value, Operation *use) const {
  int64_t last = places_.lookup(use);
  Region *home = value.getParentRegion();
  for (Region *region = use->getParentRegion(); region && region != home; region = region->getParentRegion())
    last = ends_.lookup(region->getParentOp());
  if (home && hasBlockLoop(*home))
    last = std::max(last, ends_.lookup(home->getParentOp()));
  return last;
}

int64_t MemoryWalker::lastUseIn(const Values &aliases) const {
  int64_t last = -1;
  for (Value alias : aliases)
    for (Operation *user : alias.getUsers())
      last = std::max(last, lastUseOf(alias, user));
  return last;
}

void MemoryWalker::findLife(BufferLife &buffer) {
  int64_t freedAt = -1;
  Values aliases = aliasesOf(buffer.value);
  buffer.last = std::max(buffer.first, lastUseIn(aliases));
  for (Value alias : aliases)
    for (Operation *user : alias.getUsers()) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      if (effects && effects.getEffectOnValue<MemoryEffects::Free>(alias))
        freedAt = std::max(freedAt, lastUseOf(alias, user));
      if (user->hasTrait<OpTrait::ReturnLike>() && isFunction(user->getParentOp()))
        buffer.escapes = true;
    }
  buffer.isFreed = freedAt >= 0;
  if (buffer.isFreed)
    buffer.last = freedAt;
}

int64_t MemoryWalker::endOfScope(Operation *op, bool &isRepeated) const {
  for (Operation *scope = op->getParentOp(); scope; scope = scope->getParentOp()) {
    if (scope->hasTrait<OpTrait::AutomaticAllocationScope>() || isFunction(scope))
      return ends_.lookup(scope);
    isRepeated |= isRepetitive(&scope->getRegion(0));
  }
  return places_.lookup(op);
}

void MemoryWalker::addAllocations(Operation *op, FunctionUse &use) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return;
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<BaseMemRefType>(result.getType());
    auto effect = type ? effects.getEffectOnValue<MemoryEffects::Allocate>(result) : std::nullopt;
    if (!effect)
      continue;
    BufferLife buffer{.value = result, .op = op, .first = places_[op]};
    llvm::SmallVector<Value> sizes;
    if (auto ranked = dyn_cast<MemRefType>(type))
      for (Value operand : op->getOperands().take_front(ranked.getNumDynamicDims()))
        if (operand.getType().isIndex())
          sizes.push_back(operand);
    buffer.size = sizeOfBuffer(type, sizes, known_);
    buffer.space = memorySpaceName(type.getMemorySpace());
    findLife(buffer);
    if (isa<SideEffects::AutomaticAllocationScopeResource>(effect->getResource())) {
      buffer.kind = BufferLife::Kind::Stack;
      bool isRepeated = false;
      buffer.last = endOfScope(op, isRepeated);
      buffer.size.isLowerBound |= isRepeated;
      if (!type.getMemorySpace())
        buffer.space = "stack";
    }
    use.buffers.push_back(std::move(buffer));
  }
}

/// A function that is called needs its own memory meanwhile, and leaves behind what it returns.
void MemoryWalker::addCallee(Operation *call, FunctionUse &use) {
  Operation *callee = nullptr;
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(call))
    callee = tables_.lookupNearestSymbolFrom(call, launch.getKernelAttr());
  else if (auto site = dyn_cast<CallOpInterface>(call))
    callee = site.resolveCallableInTable(&tables_);
  else if (isa<gpu::LaunchOp>(call))
    callee = call;
  if (!callee || !isFunction(callee) || !places_.contains(callee))
    return;
  if (underWay_.contains(callee)) {
    isRecursive_ = true;
    return;
  }
  const FunctionUse &inner = useOf(callee);
  calls_.emplace_back(places_[call], &inner);
  for (const BufferLife &made : inner.buffers) {
    if (!made.escapes || made.kind == BufferLife::Kind::Argument)
      continue;
    for (auto [index, returned] : llvm::enumerate(inner.returned)) {
      if (index >= call->getNumResults() || !isa<BaseMemRefType>(call->getResult(index).getType()) ||
          returned.getType() != made.value.getType())
        continue;
      BufferLife buffer{.kind = BufferLife::Kind::CallResult,
                        .value = call->getResult(index),
                        .op = call,
                        .size = made.size,
                        .space = made.space,
                        .first = places_[call]};
      findLife(buffer);
      use.buffers.push_back(std::move(buffer));
      break;
    }
  }
}

/// Finds the results of a loop that do not lie in the buffers it got: those are not in use any more.
void MemoryWalker::findReplaced(LoopLikeOpInterface loop) {
  auto results = loop.getLoopResults();
  auto yields = loop.getYieldedValues();
  if (!results || llvm::none_of(*results, [](Value result) { return isa<BaseMemRefType>(result.getType()); }))
    return;
  llvm::SmallVector<Value> made;
  loop->walk([&](MemoryEffectOpInterface op) {
    for (OpResult result : op->getResults())
      if (isa<BaseMemRefType>(result.getType()) && op.getEffectOnValue<MemoryEffects::Allocate>(result))
        made.push_back(result);
  });
  for (Value buffer : made)
    for (auto [yielded, result] : llvm::zip(yields, *results))
      if (isa<BaseMemRefType>(result.getType()) && aliasesOf(buffer).contains(yielded))
        replaced_.insert(result);
}

/// A loop that hands on new buffers: beside the one that an iteration makes, that of the iteration before
/// lives until its last use. The buffer that the loop began with stands for it, if that one is counted and
/// nobody needs it any more.
void MemoryWalker::addCarried(Operation *op, FunctionUse &use) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return;
  llvm::SmallPtrSet<Value, 4> counted;
  auto yields = loop.getYieldedValues();
  auto inits = loop.getInits();
  auto arguments = loop.getRegionIterArgs();
  for (unsigned i = 0; i < std::min({yields.size(), inits.size(), size_t(arguments.size())}); ++i) {
    Value argument = arguments[i];
    if (!isa<BaseMemRefType>(argument.getType()) || argument.use_empty())
      continue;
    const BufferLife *made = nullptr, *first = nullptr;
    for (const BufferLife &buffer : use.buffers) {
      if (buffer.kind == BufferLife::Kind::Argument || buffer.kind == BufferLife::Kind::Carried)
        continue;
      Values aliases = aliasesOf(buffer.value);
      if (op->isProperAncestor(buffer.op) && aliases.contains(yields[i]))
        made = &buffer;
      else if (!op->isProperAncestor(buffer.op) && aliases.contains(inits[i]) && !counted.contains(buffer.value) &&
               lastUseIn(aliasesOf(buffer.value, argument)) <= places_.lookup(op))
        first = &buffer;
    }
    if (first)
      counted.insert(first->value);
    if (!made || first)
      continue;
    BufferLife carried{.kind = BufferLife::Kind::Carried,
                       .value = argument,
                       .op = made->op,
                       .size = made->size,
                       .space = made->space,
                       .first = places_[&argument.getParentBlock()->front()]};
    findLife(carried);
    carried.escapes = carried.isFreed = false;
    // What is used in this iteration only is gone by the end of it.
    carried.last = std::min(carried.last, ends_.lookup(op));
    use.buffers.push_back(std::move(carried));
  }
}

void MemoryWalker::addArguments(Operation *function, FunctionUse &use) {
  if (function->getNumRegions() == 0 || function->getRegion(0).empty())
    return;
  Block &entry = function->getRegion(0).front();
  llvm::SmallPtrSet<Value, 4> attributions;
  auto attribute = [&](ArrayRef<BlockArgument> memory) { attributions.insert(memory.begin(), memory.end()); };
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(function)) {
    attribute(kernel.getWorkgroupAttributions());
    attribute(kernel.getPrivateAttributions());
  } else if (auto launch = dyn_cast<gpu::LaunchOp>(function)) {
    attribute(launch.getWorkgroupAttributions());
    attribute(launch.getPrivateAttributions());
  }
  for (BlockArgument argument : entry.getArguments()) {
    auto type = dyn_cast<BaseMemRefType>(argument.getType());
    if (!type)
      continue;
    bool isOwn = attributions.contains(argument);
    use.buffers.push_back({.kind = isOwn ? BufferLife::Kind::Attribution : BufferLife::Kind::Argument,
                           .value = argument,
                           .op = function,
                           .size = sizeOfBuffer(argument, known_),
                           .space = memorySpaceName(type.getMemorySpace()),
                           .first = places_[function],
                           .last = ends_[function]});
  }
}

void MemoryWalker::findPeaks(Operation *function, FunctionUse &use) {
  std::map<std::string, std::vector<MemorySpan>> spans;
  for (const BufferLife &buffer : use.buffers) {
    if (buffer.kind == BufferLife::Kind::Argument)
      continue;
    bool isAttribution = buffer.kind == BufferLife::Kind::Attribution;
    bool isResult = buffer.kind == BufferLife::Kind::CallResult;
    spans[buffer.space].push_back({.first = 2 * buffer.first + isResult,
                                   .last = std::max(2 * buffer.last, 2 * buffer.first + isResult),
                                   .size = buffer.size,
                                   .branch = isAttribution ? nullptr : branchAround(buffer.op)});
  }
  for (const auto &[place, callee] : calls_)
    for (const auto &[space, peak] : callee->peaks)
      spans[space].push_back(
          {.first = 2 * place, .last = 2 * place, .size = peak.size, .branch = branchAround(ops_[place])});
  for (auto &[space, list] : spans) {
    MemoryPeak peak = peakOf(std::move(list));
    peak.function = function;
    peak.space = space;
    peak.at = peak.at < 0 ? -1 : peak.at / 2;
    peak.size.isLowerBound |= isRecursive_;
    use.peaks[space] = std::move(peak);
  }
}

const FunctionUse &MemoryWalker::useOf(Operation *function) {
  if (auto known = functions_.find(function); known != functions_.end())
    return known->second;
  underWay_.insert(function);
  auto outerFlow = std::exchange(flow_, std::make_unique<BufferViewFlowAnalysis>(function));
  auto outerCalls = std::exchange(calls_, {});
  bool outerRecursive = std::exchange(isRecursive_, false);
  FunctionUse use;
  function->walk([&](LoopLikeOpInterface loop) { findReplaced(loop); });
  addArguments(function, use);
  std::vector<Operation *> loops;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    addAllocations(op, use);
    addCallee(op, use);
    if (isFunction(op))
      return WalkResult::skip(); // a kernel in place is a function of its own
    if (isa<LoopLikeOpInterface>(op))
      loops.push_back(op);
    if (op->hasTrait<OpTrait::ReturnLike>() && op->getParentOp() == function)
      llvm::append_range(use.returned, op->getOperands());
    return WalkResult::advance();
  });
  for (Operation *loop : loops)
    addCarried(loop, use);
  for (BufferLife &buffer : use.buffers)
    buffer.function = function;
  llvm::stable_sort(use.buffers, [](const BufferLife &a, const BufferLife &b) { return a.first < b.first; });
  findPeaks(function, use);
  isRecursive_ = outerRecursive;
  calls_ = std::move(outerCalls);
  flow_ = std::move(outerFlow);
  underWay_.erase(function);
  return functions_[function] = std::move(use);
}

} // namespace

MemoryUse findMemoryUse(ModuleOp module, const KnownSizes &known) { return MemoryWalker(module, known).run(); }

} // namespace fuselage
