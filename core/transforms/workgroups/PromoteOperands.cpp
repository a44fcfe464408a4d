#include "core/dialects/decoders/Decoders.h"
#include "core/ir/ops/NumberBytes.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/LoweringConfig.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_PROMOTEOPERANDSPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct PromoteOperandsPass : impl::PromoteOperandsPassBase<PromoteOperandsPass> {
  using PromoteOperandsPassBase::PromoteOperandsPassBase;
  void runOnOperation() override {
    if (maxWorkgroupBytes < 0) {
      getOperation()->emitError("max-workgroup-bytes is ")
          << maxWorkgroupBytes.getValue() << "; give a number of bytes, 0 or more";
      return signalPassFailure();
    }
    std::unique_ptr<TargetStrategy> strategy = strategyOf(getOperation());
    keepsResultsInRegisters = strategy->keepsResultsInRegisters();
    maxBytes = maxWorkgroupBytes > 0 ? maxWorkgroupBytes.getValue() : strategy->workgroupBytes();
    forEachFunction(getOperation(), [&](FunctionOpInterface function) { promoteInFunction(function); });
  }

private:
  void promoteInFunction(FunctionOpInterface function);
  void promoteAll(ArrayRef<linalg::LinalgOp> contractions, int64_t used);
  void promote(RewriterBase &rewriter, OpOperand &input, int64_t &used);

  bool keepsResultsInRegisters = false;
  int64_t maxBytes = 0;
};

/// Kernels are planned around it as a contraction.
bool isTiledAsContraction(linalg::LinalgOp op) {
  auto tileable = dyn_cast<TilingInterface>(op.getOperation());
  return tileable && op.hasPureTensorSemantics() && workKindOf(tileable) == WorkKind::Contraction;
}

/// The op that computes `value`, maybe step by step in loops.
linalg::LinalgOp computes(Value value) {
  while (auto loop = value.getDefiningOp<scf::ForOp>())
    value = loop.getYieldedValues()[cast<OpResult>(value).getResultNumber()];
  return value.getDefiningOp<linalg::LinalgOp>();
}

/// Returns true if a contraction computes `value`, or elementwise ops after one do: threads may keep such results in
/// registers.
bool comesFromContraction(Value value, unsigned depth = 0) {
  linalg::LinalgOp op = computes(value);
  constexpr unsigned deepest = 8;
  if (!op || depth > deepest)
    return false;
  return isTiledAsContraction(op) ||
         (op.getNumReductionLoops() == 0 &&
          llvm::any_of(op.getDpsInputs(), [&](Value input) { return comesFromContraction(input, depth + 1); }));
}

/// Whether what is written to `empty` is a contraction's results, or what elementwise ops make of them, and nothing
/// else.
bool holdsContraction(Value empty) {
  return llvm::all_of(empty.getUses(), [](OpOperand &use) {
    if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()))
      return comesFromContraction(loop.getTiedLoopResult(&use));
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!op || !op.isDpsInit(&use))
      return false;
    Value result = cast<DestinationStyleOpInterface>(use.getOwner()).getTiedOpResult(&use);
    return isa<linalg::FillOp>(use.getOwner()) ? holdsContraction(result) : comesFromContraction(result);
  });
}

/// Bytes that the tiles inside `forall` take already: each tensor.empty becomes a buffer. `inRegisters`: but those that
/// hold the results of contractions.
int64_t bytesInUse(scf::ForallOp forall, bool inRegisters) {
  int64_t bytes = 0;
  forall.getBody()->walk([&](Operation *op) {
    bool isHeld = inRegisters && isa<tensor::EmptyOp>(op) && holdsContraction(op->getResult(0));
    if (!isHeld && isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op))
      bytes += std::max<int64_t>(unpackedBytes(cast<RankedTensorType>(op->getResult(0).getType())), 0);
  });
  return bytes;
}

/// Through the op that computes it there.
bool isInWorkgroupMemory(Value value) {
  if (auto producer = value.getDefiningOp<linalg::LinalgOp>())
    value = producer.getDpsInitOperand(cast<OpResult>(value).getResultNumber())->get();
  auto alloc = value.getDefiningOp<bufferization::AllocTensorOp>();
  return alloc && alloc.getMemorySpace().has_value();
}

/// True if `value` is computed for its only user into a tensor.empty that is counted as a buffer
/// already: fuselage-swap-alloc-tensor makes the copy and that buffer one.
bool replacesBuffer(Value value) {
  auto producer = value.getDefiningOp<linalg::LinalgOp>();
  if (!producer || !value.hasOneUse())
    return false;
  OpOperand *init = producer.getDpsInitOperand(cast<OpResult>(value).getResultNumber());
  return !producer.payloadUsesValueFromOperand(init) && init->get().getDefiningOp<tensor::EmptyOp>();
}

/// True if the loop over workgroups around `op`, if there is one, computes `value` inside, maybe to
/// take slices of it.
bool isComputedInWorkgroup(Value value, Operation *op) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  Operation *producer = value.getDefiningOp();
  auto forall = op->getParentOfType<scf::ForallOp>();
  return producer && forall && forall->isProperAncestor(producer);
}

/// Returns the outermost loop around `op` before which `value` is defined, or `op`: a loop-invariant value is copied
/// once.
Operation *outermostAt(Operation *op, Value value) {
  for (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()); loop && loop.isDefinedOutsideOfLoop(value);
       loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    op = loop;
  return op;
}

/// Returns the copy of `value` in workgroup memory that an op before `op` reads; null if there is none.
Value existingCopy(Value value, Operation *op) {
  for (Operation *user : value.getUsers())
    if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(user))
      if (alloc.getMemorySpace() && alloc->getBlock() == op->getBlock() && alloc->isBeforeInBlock(op))
        return alloc;
  return {};
}

void PromoteOperandsPass::promote(RewriterBase &rewriter, OpOperand &input, int64_t &used) {
  Operation *op = input.getOwner();
  Value value = input.get();
  auto type = cast<RankedTensorType>(value.getType());
  if (isInWorkgroupMemory(value))
    return;
  auto refuse = [&]() -> InFlightDiagnostic {
    return op->emitRemark("operand #") << input.getOperandNumber() << " is not promoted: ";
  };
  if (!type.hasStaticShape()) {
    refuse() << "its tile " << type << " has no static shape, and workgroup memory is sized when "
             << "the kernel is compiled";
    return;
  }
  auto structured = cast<linalg::LinalgOp>(op);
  if (!isReused(input, structured.getStaticLoopRanges())) {
    refuse() << "each of its elements is read once, so that a copy would not pay";
    return;
  }
  bool isInside = isComputedInWorkgroup(value, op);
  bool isCounted = isInside && replacesBuffer(value);
  if (isInside && !isCounted)
    return; // other ops of the workgroup read it too; its buffer is there already
  if (Value copy = existingCopy(value, op)) {
    rewriter.modifyOpInPlace(op, [&] { input.set(copy); });
    return;
  }
  int64_t bytes = isCounted ? 0 : unpackedBytes(type);
  if (!isCounted && used + bytes > maxBytes) {
    refuse() << "its tile takes " << bytes << " bytes, " << used << " of " << maxBytes
             << " are in use; use smaller tiles or a larger max-workgroup-bytes";
    return;
  }
  auto space = gpu::AddressSpaceAttr::get(&getContext(), gpu::AddressSpace::Workgroup);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(outermostAt(op, value));
  auto copy = bufferization::AllocTensorOp::create(rewriter, op->getLoc(), type, ValueRange{}, value, Value(), space);
  rewriter.modifyOpInPlace(op, [&] { input.set(copy); });
  used += bytes;
}

void PromoteOperandsPass::promoteAll(ArrayRef<linalg::LinalgOp> contractions, int64_t used) {
  IRRewriter rewriter(&getContext());
  for (linalg::LinalgOp op : contractions)
    for (OpOperand *input : op.getDpsInputOperands())
      if (isa<RankedTensorType>(input->get().getType()))
        promote(rewriter, *input, used);
}

/// True if one workgroup runs the function: it reads tiles of what it is bound to.
bool isForeignKernel(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        bool isLoad = !op->isRegistered() && decode(op).role == OpRole::TileLoad;
        return isLoad ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void PromoteOperandsPass::promoteInFunction(FunctionOpInterface function) {
  llvm::SmallPtrSet<Operation *, 4> workgroups;
  forEachDispatchBody(function, [&](Block &body) {
    for (auto forall : body.getOps<scf::ForallOp>()) {
      workgroups.insert(forall);
      SmallVector<linalg::LinalgOp> contractions;
      forall.getBody()->walk([&](linalg::LinalgOp op) {
        if (isTiledAsContraction(op))
          contractions.push_back(op);
      });
      promoteAll(contractions, bytesInUse(forall, keepsResultsInRegisters));
    }
  });
  // Outside of loops over workgroups: in kernels, and what somebody gave tile sizes.
  bool isKernel = isForeignKernel(function);
  SmallVector<linalg::LinalgOp> contractions;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (workgroups.contains(op))
      return WalkResult::skip();
    if (auto structured = dyn_cast<linalg::LinalgOp>(op); structured && isTiledAsContraction(structured))
      if (isKernel || !readTilingConfig(op).reduction.empty() || !readLoweringConfig(op).empty())
        contractions.push_back(structured);
    return WalkResult::advance();
  });
  promoteAll(contractions, 0);
}

} // namespace
} // namespace fuselage
