#include "core/analysis/loops/LoopFusion.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/ops/ValueNames.h"
#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopFusionUtils.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::affine;

namespace fuselage {
namespace {

using Node = MemRefDependenceGraph::Node;

llvm::SetVector<Value> buffersOf(ArrayRef<Operation *> loads, ArrayRef<Operation *> stores) {
  llvm::SetVector<Value> buffers;
  for (Operation *load : loads)
    if (auto read = dyn_cast<AffineReadOpInterface>(load))
      buffers.insert(read.getMemRef());
  for (Operation *store : stores)
    if (auto write = dyn_cast<AffineWriteOpInterface>(store))
      buffers.insert(write.getMemRef());
  return buffers;
}

/// How many loops are nested perfectly from `loop` on: what is fused goes into one of them.
unsigned depthOf(AffineForOp loop) {
  SmallVector<AffineForOp> nest;
  getPerfectlyNestedLoops(nest, loop);
  return nest.size();
}

std::string lineOf(Operation *op) { return std::to_string(positionOf(op->getLoc()).line); }

/// Explains the pairs of one block.
class Pairs {
public:
  Pairs(Block &block, AsmState &names) : block_(block), graph_(block), names_(names) {}

  template <typename Add> void explain(Add add) {
    constexpr size_t mostNests = 64; // pairs grow with the square
    SmallVector<AffineForOp> nests = llvm::to_vector(block_.getOps<AffineForOp>());
    if (nests.size() < 2 || nests.size() > mostNests || !graph_.init())
      return;
    for (auto [index, second] : llvm::enumerate(nests))
      for (AffineForOp first : ArrayRef(nests).take_front(index))
        if (std::optional<message::LoopFusion<>> pair = explain(first, second))
          add(first, second, std::move(*pair));
  }

private:
  std::optional<message::LoopFusion<>> explain(AffineForOp first, AffineForOp second) {
    const Node *from = graph_.getForOpNode(first), *to = graph_.getForOpNode(second);
    if (!from || !to)
      return std::nullopt;
    llvm::SetVector<Value> written = buffersOf({}, from->stores), read = buffersOf(to->loads, {}),
                           readBefore = buffersOf(from->loads, {});
    SmallVector<Value> handed, shared;
    llvm::copy_if(written, std::back_inserter(handed), [&](Value buffer) { return read.contains(buffer); });
    llvm::copy_if(readBefore, std::back_inserter(shared), [&](Value buffer) { return read.contains(buffer); });
    message::LoopFusion<> pair;
    if (!handed.empty()) {
      pair.kind = "producer";
      setBuffers(pair, handed);
      judge(first, second, FusionStrategy(FusionStrategy::ProducerConsumer), pair);
      return pair;
    }
    if (shared.empty() || graph_.hasDependencePath(from->id, to->id))
      return std::nullopt;
    pair.kind = "sibling";
    setBuffers(pair, shared);
    judge(first, second, FusionStrategy(shared.front()), pair);
    return pair;
  }

  void setBuffers(message::LoopFusion<> &pair, ArrayRef<Value> buffers) {
    for (Value buffer : buffers) {
      std::string name;
      llvm::raw_string_ostream os(name);
      buffer.printAsOperand(os, names_);
      pair.buffers.push_back(llvm::json::fixUTF8(name));
    }
  }

  /// The first op between the two, other than affine loops and accesses, that may touch a buffer of theirs, as a call:
  /// upstream's analysis looks at affine accesses alone. Null: there is none.
  Operation *otherAccessBetween(AffineForOp first, AffineForOp second) {
    const Node *from = graph_.getForOpNode(first), *to = graph_.getForOpNode(second);
    llvm::SetVector<Value> buffers = buffersOf(from->loads, from->stores);
    buffers.insert_range(buffersOf(to->loads, to->stores));
    auto touches = [&](const MemoryEffects::EffectInstance &effect) {
      bool isAccess = isa<MemoryEffects::Read, MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect());
      return isAccess && (!effect.getValue() || buffers.contains(effect.getValue()));
    };
    for (Operation *op = first->getNextNode(); op != second.getOperation(); op = op->getNextNode()) {
      if (isa<AffineForOp, AffineReadOpInterface, AffineWriteOpInterface>(op))
        continue;
      auto effects = getEffectsRecursively(op);
      if (!effects || llvm::any_of(*effects, touches))
        return op;
    }
    return nullptr;
  }

  void judge(AffineForOp first, AffineForOp second, const FusionStrategy &strategy, message::LoopFusion<> &pair) {
    if (Operation *op = otherAccessBetween(first, second)) {
      pair.reason = "'" + op->getName().getStringRef().str() + "' (line " + lineOf(op) +
                    ") stands between them, and may read or write what they do";
      return;
    }
    FusionResult::ResultEnum outermost = FusionResult::Success;
    unsigned loops = depthOf(second);
    for (unsigned depth = loops; depth > 0; --depth) {
      ComputationSliceState slice;
      FusionResult result = canFuseLoops(first, second, depth, &slice, strategy);
      if (result.value == FusionResult::Success) {
        pair.depth = depth;
        pair.reason =
            "fits into loop " + std::to_string(depth) + " of " + std::to_string(loops) + costOf(first, second, slice);
        return;
      }
      outermost = result.value;
    }
    pair.reason = sentenceOf(outermost, first, second);
  }

  /// What fusing makes the loops compute again.
  static std::string costOf(AffineForOp first, AffineForOp second, const ComputationSliceState &slice) {
    LoopNestStats firstStats, secondStats;
    int64_t fused = 0;
    if (!getLoopNestStats(first, &firstStats) || !getLoopNestStats(second, &secondStats) ||
        !getFusionComputeCost(first, firstStats, second, secondStats, slice, &fused))
      return "; what it computes again is not known: bounds are not constant";
    int64_t apart = getComputeCost(first, firstStats) + getComputeCost(second, secondStats);
    if (apart <= 0 || fused <= apart)
      return "; it computes nothing again";
    return "; it computes " + std::to_string(100 * (fused - apart) / apart) + " % more than the two apart";
  }

  /// The first op between the two that keeps them in order; null: there is none.
  Operation *between(AffineForOp first, AffineForOp second) {
    unsigned from = graph_.getForOpNode(first)->id, to = graph_.getForOpNode(second)->id;
    Operation *found = nullptr;
    for (const auto &[id, node] : graph_.nodes)
      if (first->isBeforeInBlock(node.op) && node.op->isBeforeInBlock(second) && graph_.hasDependencePath(from, id) &&
          graph_.hasDependencePath(id, to) && (!found || node.op->isBeforeInBlock(found)))
        found = node.op;
    return found;
  }

  std::string sentenceOf(FusionResult::ResultEnum why, AffineForOp first, AffineForOp second) {
    switch (why) {
    case FusionResult::Success:
    case FusionResult::FailPrecondition:
      return "one of the two holds something that is no affine load, store or loop, or a condition: its accesses are "
             "not known";
    case FusionResult::FailBlockDependence:
      if (Operation *op = between(first, second))
        return "'" + op->getName().getStringRef().str() + "' (line " + lineOf(op) +
               ") stands between them: it needs what the first writes, and the second needs it";
      return "an op between them reads or writes what one of them does, so that neither can move to the other";
    case FusionResult::FailFusionDependence:
      return "fused, an iteration would read what a later one writes: the first has to be done before the second "
             "begins";
    case FusionResult::FailComputationSlice:
      return "which iterations of the first an iteration of the second needs is not known: the accesses differ in a "
             "way that has no affine slice";
    case FusionResult::FailIncorrectSlice:
      return "the iterations of the first that the second needs are not those of one slice: what else the first writes "
             "would be left out";
    }
    return "";
  }

  Block &block_;
  MemRefDependenceGraph graph_;
  AsmState &names_;
};

} // namespace

std::vector<message::LoopFusion<>> explainLoopFusion(ModuleOp module) {
  std::vector<message::LoopFusion<>> pairs;
  if (!module.walk([](AffineForOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return pairs;
  llvm::DenseMap<Operation *, int64_t> ids;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { ids.try_emplace(op, ids.size()); });
  AsmState names(module, withValueNames());
  module.walk([&](Block *block) {
    Pairs(*block, names).explain([&](AffineForOp first, AffineForOp second, message::LoopFusion<> pair) {
      auto function = first->getParentOfType<func::FuncOp>();
      pair.function = function ? llvm::json::fixUTF8(function.getName()) : "";
      pair.from = ids.lookup(first);
      pair.to = ids.lookup(second);
      pair.fromLine = positionOf(first.getLoc()).line;
      pair.toLine = positionOf(second.getLoc()).line;
      pairs.push_back(std::move(pair));
    });
  });
  return pairs;
}

} // namespace fuselage
