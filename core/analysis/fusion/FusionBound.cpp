// What no fusion saves: the program has to read its inputs and to write its results.
#include "core/analysis/costs/Costs.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/ops/Payload.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

//===-- What a read touches -----------------------------------------------------------------===//

/// Splits a sum of loops times constants; false for anything else.
static bool collectTerms(AffineExpr expr, SmallVectorImpl<std::pair<int64_t, unsigned>> &terms) {
  if (isa<AffineConstantExpr>(expr))
    return true;
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    terms.push_back({1, dim.getPosition()});
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return collectTerms(binary.getLHS(), terms) && collectTerms(binary.getRHS(), terms);
  auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() != AffineExprKind::Mul || !dim || !factor || factor.getValue() <= 0)
    return false;
  terms.push_back({factor.getValue(), dim.getPosition()});
  return true;
}

/// How many places an index takes at least, as the loops in it run.
static int64_t leastPlaces(ArrayRef<std::pair<int64_t, unsigned>> terms, ArrayRef<int64_t> extents) {
  SmallVector<std::pair<int64_t, unsigned>> sorted(terms);
  llvm::sort(sorted);
  int64_t reached = 1, most = 1;
  bool isContiguous = true;
  for (auto [factor, loop] : sorted) {
    isContiguous &= factor <= reached;
    reached += factor * (extents[loop] - 1);
    most = std::max(most, extents[loop]);
  }
  return isContiguous ? reached : most;
}

/// Elements that the op reads at least through an operand; 0 where that is not known.
static int64_t leastElements(linalg::LinalgOp op, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type || !type.hasStaticShape() || !op.payloadUsesValueFromOperand(&operand))
    return 0;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (llvm::any_of(extents, [](int64_t extent) { return extent <= 0; }))
    return 0;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  llvm::SmallBitVector seen(map.getNumDims());
  int64_t elements = 1;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    SmallVector<std::pair<int64_t, unsigned>> terms;
    if (!collectTerms(expr, terms))
      continue; // one place at least
    // A loop that walks two dimensions at once visits a diagonal.
    llvm::erase_if(terms, [&](const auto &term) { return seen.test(term.second); });
    for (const auto &term : terms)
      seen.set(term.second);
    elements *= std::min(type.getDimSize(dim), leastPlaces(terms, extents));
  }
  return elements;
}

//===-- The function --------------------------------------------------------------------------===//

namespace {

/// What a function must read and write.
class LeastTraffic {
public:
  explicit LeastTraffic(Operation &function);
  int64_t bytes();

private:
  void markNeeded(Operation *op);
  int64_t leastRead(Value value, unsigned depth = 0);
  void addSource(Value value);
  void addResult(Value value);
  llvm::hash_code hashOf(Value value, unsigned depth = 0);

  Operation &function_;
  llvm::DenseSet<Operation *> needed_;             ///< results or effects depend on it
  llvm::MapVector<const void *, int64_t> sources_; ///< equal constants count once
  llvm::DenseMap<size_t, int64_t> results_;        ///< equal computations, too
  llvm::DenseMap<Value, llvm::hash_code> hashes_;
};

} // namespace

/// What an op reads that only moves elements; null for all others.
static OpOperand *movedBy(Operation *op) {
  if (isa_and_nonnull<linalg::PackOp, linalg::UnPackOp>(op))
    return &op->getOpOperand(0);
  auto move = dyn_cast_or_null<linalg::LinalgOp>(op);
  return move ? findMovedInput(move) : nullptr;
}

/// Chains of views and copies longer than this are not followed.
constexpr unsigned maxChain = 64;

LeastTraffic::LeastTraffic(Operation &function) : function_(function) {
  function_.walk([&](Operation *op) {
    bool isEnd = op->hasTrait<OpTrait::IsTerminator>() && op->getParentOp() == &function_;
    if (isEnd || (op->getNumRegions() == 0 && !isMemoryEffectFree(op)))
      markNeeded(op);
  });
}

void LeastTraffic::markNeeded(Operation *op) {
  SmallVector<Operation *> pending{op};
  auto add = [&](Operation *next) {
    if (next && next != &function_ && function_.isAncestor(next) && needed_.insert(next).second)
      pending.push_back(next);
  };
  needed_.insert(op);
  while (!pending.empty()) {
    Operation *current = pending.pop_back_val();
    add(current->getParentOp());
    for (Value operand : current->getOperands())
      add(operand.getDefiningOp());
    for (Region &region : current->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          add(block.getTerminator());
  }
}

/// Bytes of a value that some op that computes must read, itself or by way of views and copies.
int64_t LeastTraffic::leastRead(Value value, unsigned depth) {
  int64_t most = 0;
  if (depth > maxChain)
    return 0;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (!needed_.contains(user))
      continue;
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user) && use.getOperandNumber() == 0) {
      most = std::max(most, leastRead(user->getResult(0), depth + 1));
      continue;
    }
    // A dispatch hands it on.
    if (auto region = dyn_cast<flow::DispatchRegionOp>(user->getParentOp());
        region && user->hasTrait<OpTrait::IsTerminator>()) {
      most = std::max(most, leastRead(region->getResult(use.getOperandNumber()), depth + 1));
      continue;
    }
    std::optional<int64_t> whole = byteSize(value.getType());
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!whole || !type || type.getNumElements() == 0)
      continue;
    int64_t bytes = 0;
    if (auto op = dyn_cast<linalg::LinalgOp>(user))
      bytes = *whole / type.getNumElements() * leastElements(op, use);
    else if (isa<linalg::SoftmaxOp, linalg::PackOp, linalg::UnPackOp>(user) && use.getOperandNumber() == 0)
      bytes = *whole;
    // What only moves elements may be left out: then its readers read this.
    if (movedBy(user))
      bytes = std::min(bytes, leastRead(user->getResult(0), depth + 1));
    most = std::max(most, std::min(bytes, *whole));
  }
  return most;
}

/// Whether data comes from an op that fusion knows nothing of: the load of a global, a call. Nobody else
/// computes it.
static bool isForeignSource(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::ConstantLike>() && !isComputeOp(op) &&
         !isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect>(op->getDialect());
}

void LeastTraffic::addSource(Value value) {
  Operation *op = value.getDefiningOp();
  Attribute data;
  const void *key = value.getAsOpaquePointer();
  if (op && matchPattern(op, m_Constant(&data)))
    key = data.getAsOpaquePointer();
  else if (op && op->getNumOperands() == 0)
    key = op->getAttrDictionary().getAsOpaquePointer(); // which global
  int64_t &bytes = sources_[key];
  bytes = std::max(bytes, leastRead(value));
}

/// Of equal computations it is equal; of others it may be.
llvm::hash_code LeastTraffic::hashOf(Value value, unsigned depth) {
  if (auto found = hashes_.find(value); found != hashes_.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  llvm::hash_code hash = llvm::hash_value(value.getAsOpaquePointer());
  if (op && depth < maxChain) {
    // Passes give ops names and take them away: the payload tells what an op computes.
    hash = llvm::hash_combine(value.getType(), cast<OpResult>(value).getResultNumber());
    for (Region &region : op->getRegions())
      region.walk(
          [&](Operation *payload) { hash = llvm::hash_combine(hash, payload->getName().getAsOpaquePointer()); });
    for (Value operand : op->getOperands())
      hash = llvm::hash_combine(hash, hashOf(operand, depth + 1));
  }
  hashes_.try_emplace(value, hash);
  return hash;
}

/// Whether the value may turn out to be one scalar everywhere, which takes no dispatch: nothing that differs from
/// element to element is read for it.
static bool mayBeFill(Value value) {
  llvm::SmallSetVector<Value, 8> pending;
  pending.insert(value);
  for (size_t next = 0; next < pending.size(); ++next) {
    Operation *op = pending[next].getDefiningOp();
    auto structured = dyn_cast_if_present<linalg::LinalgOp>(op);
    if (op && isCheapProducer(op) && !movedBy(op))
      continue;
    if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      pending.insert(op->getOperand(0));
    else if (!structured || !isElementwiseOp(op) || pending.size() > maxChain)
      return false;
    else
      for (OpOperand &operand : op->getOpOperands())
        if (isData(operand.get().getType()) && structured.payloadUsesValueFromOperand(&operand))
          pending.insert(operand.get());
  }
  return true;
}

/// A value that the function returns, if an op computes it. What is only moved may be returned as it was.
void LeastTraffic::addResult(Value value) {
  int64_t least = byteSize(value.getType()).value_or(0);
  for (unsigned depth = 0; depth < maxChain; ++depth) {
    Operation *op = value.getDefiningOp();
    if (auto region = dyn_cast_or_null<flow::DispatchRegionOp>(op)) {
      Block &body = region->getRegion(0).front();
      value = body.getTerminator()->getOperand(cast<OpResult>(value).getResultNumber());
    } else if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      value = op->getOperand(0);
    } else if (OpOperand *moved = movedBy(op)) {
      value = moved->get();
      least = std::min(least, byteSize(value.getType()).value_or(0));
    } else {
      break;
    }
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<linalg::LinalgOp, linalg::SoftmaxOp>(op) && isComputeOp(op) && !isCheapProducer(op) &&
      !movedBy(op) && !mayBeFill(value)) {
    auto [entry, isNew] = results_.try_emplace(hashOf(value), least);
    entry->second = std::min(entry->second, least);
  }
}

int64_t LeastTraffic::bytes() {
  for (Region &region : function_.getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        addSource(argument);
      if (block.mightHaveTerminator() && block.back().hasTrait<OpTrait::IsTerminator>())
        for (Value result : block.back().getOperands())
          addResult(result);
    }
  DispatchFinder dispatches;
  function_.walk([&](Operation *op) {
    if (op != &function_ && ((op->hasTrait<OpTrait::ConstantLike>() && !isCheapProducer(op)) ||
                             (isForeignSource(op) && !dispatches.find(op))))
      for (Value result : op->getResults())
        if (isData(result.getType()))
          addSource(result);
  });
  int64_t total = 0;
  for (const auto &[source, bytes] : sources_)
    total += bytes;
  for (const auto &[result, bytes] : results_)
    total += bytes;
  return total;
}

int64_t leastBytes(Operation &function) { return LeastTraffic(function).bytes(); }

} // namespace fuselage
