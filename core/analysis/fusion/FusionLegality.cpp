// Which of the separate edges could be fused, whatever the policy says.
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/analysis/fusion/PairTrial.h"
#include "core/ir/layers/EqualOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace mlir;

namespace fuselage {

/// Different pairs that are tried, so that it ends in seconds. Models have some tens.
constexpr size_t kMaxPairs = 1000;

std::optional<bool> EdgeVerdict::isLegal() const {
  bool isOnlyPolicy = llvm::all_of(refusals, [](const Refusal &refusal) { return infoOf(refusal.reason).legal; });
  return verdict != Verdict::Separate || isOnlyPolicy ? std::optional(true) : sharesLoops;
}

/// Whether the payloads could be merged, were it not for the names of the ops.
static bool isOnlyNamed(const FusionEdge &edge) {
  return isa<linalg::LinalgOp>(edge.producer()) && isa<linalg::LinalgOp>(edge.consumer) &&
         llvm::all_of(elementwiseRefusals(edge),
                      [](const Refusal &refusal) { return refusal.reason == FusionReason::NotGeneric; });
}

namespace {

/// Describes pairs of ops, so that those that make the same trial have the same description: what the ops are, and
/// which of the values that they read are one, or the same constant. To make a trial and print it takes a hundred times
/// as long.
class PairForms {
public:
  std::vector<int64_t> of(OpResult value, OpOperand &use) {
    form_ = {numberOf(value.getOwner()), numberOf(use.getOwner()), value.getResultNumber(), use.getOperandNumber(),
             value.getType() == use.get().getType()};
    values_.clear();
    addReads(value.getOwner());
    values_[use.get()] = -1;
    addReads(use.getOwner());
    return std::move(form_);
  }

private:
  void addReads(Operation *op) {
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      for (Value read : inner->getOperands()) {
        if (inner != op && op->isAncestor(read.getParentBlock()->getParentOp()))
          continue;
        auto [known, isNew] = values_.try_emplace(read, static_cast<int64_t>(values_.size()));
        form_.push_back(known->second);
        Operation *source = read.getDefiningOp();
        if (isNew && source && source->hasTrait<OpTrait::ConstantLike>() && !isa<ShapedType>(read.getType()))
          form_.push_back(numberOf(source));
        else if (isNew)
          form_.push_back(-1);
      }
    });
  }

  int64_t numberOf(Operation *op) {
    auto [known, isNew] = numbers_.try_emplace(op, next_);
    if (!isNew)
      return known->second;
    auto &bucket = buckets_[static_cast<size_t>(hashOfOps(op)) >> 1]; // the map reserves the largest keys
    auto same = llvm::find_if(bucket, [&](Operation *other) { return areSameOps(other, op); });
    if (same != bucket.end())
      return known->second = numbers_.lookup(*same);
    bucket.push_back(op);
    return known->second = next_++;
  }

  std::vector<int64_t> form_;
  llvm::DenseMap<Value, int64_t> values_;
  llvm::DenseMap<Operation *, int64_t> numbers_;
  llvm::DenseMap<uint64_t, SmallVector<Operation *, 1>> buckets_;
  int64_t next_ = 0;
};

/// Tries whether ops share loops, each pair that differs from those before.
class LoopTrials {
public:
  std::optional<bool> of(OpResult value, OpOperand &use) {
    auto [known, isNew] = byForm_.try_emplace(forms_.of(value, use));
    if (isNew)
      known->second = run(value, use);
    return known->second;
  }

private:
  std::optional<bool> run(OpResult value, OpOperand &use) {
    PairTrial trial(value, use);
    if (!trial.isPossible())
      return false;
    std::string key = trial.key();
    auto found = byText_.find(key);
    if (found == byText_.end() && byText_.size() < kMaxPairs)
      found = byText_.insert({key, trial.run()}).first;
    return found == byText_.end() ? std::nullopt : std::optional(found->second);
  }

  PairForms forms_;
  std::map<std::vector<int64_t>, std::optional<bool>> byForm_;
  llvm::StringMap<bool> byText_;
};

} // namespace

void tryToShareLoops(llvm::MutableArrayRef<BodyVerdicts> bodies) {
  LoopTrials trials;
  for (BodyVerdicts &body : bodies) {
    ScopedDiagnosticHandler silence(body.function->getContext(), [](mlir::Diagnostic &) { return success(); });
    for (EdgeVerdict &edge : body.edges) {
      if (edge.isLegal())
        continue;
      edge.sharesLoops = false;
      if (edge.edge.isCaptured())
        continue;
      if (isOnlyNamed(edge.edge)) {
        edge.sharesLoops = true;
        continue;
      }
      edge.sharesLoops = trials.of(edge.edge.value, *edge.edge.use);
    }
  }
}

} // namespace fuselage
