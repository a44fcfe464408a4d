#include "core/analysis/costs/DispatchTraffic.h"
#include "core/analysis/costs/OpCosts.h"
#include "core/analysis/costs/OperandAccess.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace fuselage {

/// Splat constants are immediates of the kernel, not memory.
static bool isImmediate(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat();
}

namespace {

/// How a value differs from one iteration of a loop to the next.
enum class Varies { No, WithLoop, WithData };

/// Asks that of values and one op around them.
class Variation {
public:
  explicit Variation(Operation *around) : around_(around) {}

  Varies of(Value value) {
    if (!around_->isAncestor(value.getParentRegion()->getParentOp()))
      return Varies::No;
    auto [entry, isNew] = known_.try_emplace(value, Varies::No);
    if (!isNew)
      return entry->second;
    Varies found = decide(value);
    return known_[value] = found;
  }

private:
  Varies decide(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
      std::optional<SmallVector<Value>> counters = loop ? loop.getLoopInductionVars() : std::nullopt;
      bool isCounter = (counters && llvm::is_contained(*counters, value)) || !loop; // or a thread's number
      return isCounter ? Varies::WithLoop : Varies::WithData;
    }
    Operation *def = value.getDefiningOp();
    if (def->hasTrait<OpTrait::ConstantLike>())
      return Varies::No;
    if (def->getNumRegions() > 0 || isa<tensor::ExtractOp>(def) || (!isPure(def) && def->getNumOperands() > 0))
      return Varies::WithData;
    if (def->getNumOperands() == 0)
      return Varies::WithLoop; // the number of a workgroup or a thread
    Varies most = Varies::No;
    for (Value operand : def->getOperands())
      most = std::max(most, of(operand));
    return most;
  }

  Operation *around_;
  llvm::SmallDenseMap<Value, Varies> known_;
};

/// Collects what a dispatch body reads from and writes to memory outside of it.
class Collector {
public:
  /// `scope`: the op that holds the body.
  Collector(Operation *scope, llvm::function_ref<bool(Value)> isOutside) : scope_(scope), isOutside_(isOutside) {}
  void visit(Operation *op);
  /// What leaves the dispatch although it only looks at what lies outside.
  void visitYield(OpOperand &use) {
    note(read_, use.get(), {.bytes = {.count = memoryBytes(use.get().getType())}}, &use);
  }
  DispatchTraffic total() const { return {.read = read_.total(), .written = written_.total()}; }

private:
  void note(TouchedValues &touched, Value value, const OperandAccess &access, OpOperand *use, Operation *at = nullptr);
  bool isOwnResult(const TouchedValues &touched, Value buffer);
  Bytes overLoops(Bytes once, ArrayRef<Value> places, Operation *at, int64_t whole) const;

  Operation *scope_;
  llvm::function_ref<bool(Value)> isOutside_;
  TouchedValues read_, written_;
  llvm::SmallDenseSet<Value> readFirst_, writtenFirst_;
};

} // namespace

/// What an access touches while the loops around it run.
Bytes Collector::overLoops(Bytes once, ArrayRef<Value> places, Operation *at, int64_t whole) const {
  int64_t runs = 1;
  Varies how = Varies::No;
  for (Operation *around = at->getParentOp(); around && around != scope_; around = around->getParentOp()) {
    bool isLoop = isa<LoopLikeOpInterface>(around);
    if (!isLoop && isa<scf::IfOp, scf::ExecuteRegionOp, scf::InParallelOp>(around))
      continue;
    Variation variation(around);
    Varies here = Varies::No;
    for (Value place : places)
      here = std::max(here, variation.of(place));
    if (here != Varies::No)
      runs = times(runs, isLoop ? tripCount(around) : -1);
    how = std::max(how, here);
  }
  if (how == Varies::No)
    return once;
  Bytes all{.count = times(once.count, runs), .atMost = once.atMost || how == Varies::WithData};
  // Tiles that go by the loops cover what they are tiles of; how far they overlap is not known.
  if (all.count < 0 && !all.atMost)
    return {.count = whole};
  if (all.count >= 0 && (whole < 0 || all.count < whole))
    all.atMost = true;
  return all.limitedTo(whole);
}

/// Whether a read finds what the dispatch itself has written: nothing comes from outside then.
bool Collector::isOwnResult(const TouchedValues &touched, Value buffer) {
  if (!isa<BaseMemRefType>(buffer.getType()))
    return false;
  if (&touched == &read_ && !writtenFirst_.contains(buffer))
    readFirst_.insert(buffer);
  if (&touched == &written_ && !readFirst_.contains(buffer))
    writtenFirst_.insert(buffer);
  return &touched == &read_ && writtenFirst_.contains(buffer);
}

/// Where a slice lies, if that is known.
static std::optional<TouchedValues::Box> boxOf(OffsetSizeAndStrideOpInterface slice) {
  auto isKnown = [](ArrayRef<int64_t> values) { return llvm::none_of(values, ShapedType::isDynamic); };
  if (!isKnown(slice.getStaticOffsets()) || !isKnown(slice.getStaticSizes()) ||
      llvm::any_of(slice.getStaticStrides(), [](int64_t stride) { return stride != 1; }))
    return std::nullopt;
  return TouchedValues::Box{.offsets = SmallVector<int64_t>(slice.getStaticOffsets()),
                            .sizes = SmallVector<int64_t>(slice.getStaticSizes())};
}

/// Follows a value through views to what lies outside, and notes what is touched of that.
void Collector::note(TouchedValues &touched, Value value, const OperandAccess &access, OpOperand *use, Operation *at) {
  Bytes bytes = access.bytes;
  SmallVector<Value> places(access.places);
  bool isAll = places.empty() && !bytes.atMost && bytes.count == memoryBytes(value.getType());
  const void *part = isAll ? value.getAsOpaquePointer() : use ? static_cast<const void *>(use) : at;
  std::optional<TouchedValues::Box> box;
  while (!isOutside_(value)) {
    Operation *view = value.getDefiningOp();
    OpOperand *viewed = view ? viewedOperand(view) : nullptr;
    if (!viewed)
      return;
    bytes = bytes.limitedTo(memoryBytes(value.getType()));
    if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(view))
      box = boxOf(slice);
    for (Value operand : view->getOperands())
      if (operand != viewed->get())
        places.push_back(operand);
    value = viewed->get();
  }
  if (!isImmediate(value) && !isOwnResult(touched, value))
    touched.add(value, part, overLoops(bytes, places, at ? at : use->getOwner(), memoryBytes(value.getType())),
                std::move(box));
}

void Collector::visit(Operation *op) {
  if (viewedOperand(op))
    return; // what reads the view reads
  for (OpOperand &use : op->getOpOperands())
    if (isa<TensorType>(use.get().getType()) && readsData(use))
      note(read_, use.get(), accessTo(use), &use);
  if (hasPayloadRegion(op))
    for (auto &[value, access] : payloadAccesses(op)) {
      // Where it looks may differ with what it is handed.
      OperandAccess own = access;
      own.places.append(op->operand_begin(), op->operand_end());
      if (isa<TensorType>(value.getType()) || isa<BaseMemRefType>(value.getType()))
        note(read_, value, own, /*use=*/nullptr, op);
    }
  forEachBufferEffect(
      op, [&](OpOperand &use, bool writes) { note(writes ? written_ : read_, use.get(), accessTo(use), &use); });
}

/// Visits all ops below `op`; those of payloads count as their op's.
static void visitAll(Operation *op, bool itself, Collector &collector) {
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if ((inner != op || itself) && !inner->hasTrait<OpTrait::IsTerminator>())
      collector.visit(inner);
    return (inner != op || itself) && hasPayloadRegion(inner) ? WalkResult::skip() : WalkResult::advance();
  });
}

DispatchTraffic trafficOfDispatch(Operation *dispatch) {
  auto isOutside = [dispatch](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner()->getParentOp() == dispatch ||
             !dispatch->isAncestor(argument.getOwner()->getParentOp());
    Operation *def = value.getDefiningOp();
    return !dispatch->isProperAncestor(def) || decode(def).role == OpRole::Binding;
  };
  Collector collector(dispatch, isOutside);
  visitAll(dispatch, /*itself=*/false, collector);
  TypeRange escaping = dispatch->getResultTypes();
  if (auto function = dyn_cast<FunctionOpInterface>(dispatch))
    escaping = function.getResultTypes();
  if (dispatch->getNumRegions() > 0 && dispatch->getRegion(0).hasOneBlock() && !dispatch->getRegion(0).front().empty())
    for (OpOperand &use : dispatch->getRegion(0).front().back().getOpOperands())
      if (isa<TensorType>(use.get().getType()) && readsData(use))
        collector.visitYield(use);
  DispatchTraffic traffic = collector.total();
  for (Type type : escaping)
    traffic.written += Bytes{.count = memoryBytes(type)};
  return traffic;
}

DispatchTraffic trafficOfGroup(ArrayRef<Operation *> ops, ArrayRef<Operation *> clones) {
  llvm::SmallDenseSet<Operation *> members(ops.begin(), ops.end()), all(members);
  all.insert(clones.begin(), clones.end());
  Operation *scope = ops.empty() ? nullptr : ops.front()->getParentOp();
  auto isInside = [&](Operation *op) {
    for (; op && op != scope; op = op->getParentOp())
      if (all.contains(op))
        return true;
    return false;
  };
  auto isOutside = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return !isInside(def ? def : cast<BlockArgument>(value).getOwner()->getParentOp());
  };
  Collector collector(scope, isOutside);
  for (ArrayRef<Operation *> part : {clones, ops})
    for (Operation *op : part)
      visitAll(op, /*itself=*/true, collector);
  int64_t written = 0;
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      auto escaping = llvm::find_if(result.getUses(), [&](OpOperand &use) {
        return !members.contains(op->getBlock()->findAncestorOpInBlock(*use.getOwner())) &&
               !isa<tensor::DimOp>(use.getOwner());
      });
      if (escaping == result.use_end() || !isa<TensorType>(result.getType()))
        continue;
      written = plus(written, memoryBytes(result.getType()));
      if (viewedOperand(op))
        collector.visitYield(*escaping);
    }
  DispatchTraffic traffic = collector.total();
  traffic.written += Bytes{.count = written};
  return traffic;
}

} // namespace fuselage
