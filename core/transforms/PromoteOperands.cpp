#include "core/transforms/DispatchBody.h"
#include "core/transforms/Passes.h"
#include "core/transforms/TileInstances.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {
#define GEN_PASS_DEF_PROMOTEOPERANDSPASS
#include "core/transforms/Passes.h.inc"
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
    forEachDispatchBody(getOperation(), [&](Block &body) {
      for (auto forall : body.getOps<scf::ForallOp>())
        promoteIn(forall);
    });
  }

private:
  void promoteIn(scf::ForallOp forall);
  void promote(RewriterBase &rewriter, OpOperand &input, int64_t &used);
};

/// Bytes of a static tensor; -1 if dynamic.
int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.hasStaticShape() ? tensor.getNumElements() * elementBytes(tensor.getElementType())
                                 : -1;
}

/// Bytes that the tiles inside `forall` take already: each tensor.empty becomes a buffer.
int64_t bytesInUse(scf::ForallOp forall) {
  int64_t bytes = 0;
  forall.getBody()->walk([&](Operation *op) {
    if (isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op))
      bytes += std::max<int64_t>(bytesOf(op->getResult(0).getType()), 0);
  });
  return bytes;
}

bool isInWorkgroupMemory(Value value) {
  auto alloc = value.getDefiningOp<bufferization::AllocTensorOp>();
  return alloc && alloc.getMemorySpace().has_value();
}

/// The tensor.empty that `producer` overwrites for its only user; null if it reads its init or
/// others read its result.
tensor::EmptyOp overwrittenInit(Value value) {
  auto producer = value.getDefiningOp<linalg::LinalgOp>();
  if (!producer || !value.hasOneUse() || producer->getNumResults() != 1)
    return nullptr;
  OpOperand *init = producer.getDpsInitOperand(0);
  if (producer.payloadUsesValueFromOperand(init))
    return nullptr;
  return init->get().getDefiningOp<tensor::EmptyOp>();
}

/// A producer inside the workgroup whose result lies there already, through slices.
bool isComputedInWorkgroup(Value value, scf::ForallOp forall) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  Operation *producer = value.getDefiningOp();
  return producer && forall->isProperAncestor(producer);
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
  tensor::EmptyOp overwritten = overwrittenInit(value);
  auto forall = op->getParentOfType<scf::ForallOp>();
  if (!overwritten && isComputedInWorkgroup(value, forall))
    return; // other ops of the workgroup read it too; its buffer is there already
  int64_t bytes = bytesOf(type);
  if (!overwritten && used + bytes > maxWorkgroupBytes) {
    refuse() << "its tile takes " << bytes << " bytes, " << used << " of " << maxWorkgroupBytes.getValue()
             << " are in use; use smaller tiles or a larger max-workgroup-bytes";
    return;
  }
  auto space = gpu::AddressSpaceAttr::get(&getContext(), gpu::AddressSpace::Workgroup);
  OpBuilder::InsertionGuard guard(rewriter);
  if (overwritten) {
    auto producer = value.getDefiningOp<linalg::LinalgOp>();
    rewriter.setInsertionPoint(producer);
    auto alloc = bufferization::AllocTensorOp::create(rewriter, op->getLoc(), type, ValueRange{},
                                                      Value(), Value(), space);
    rewriter.modifyOpInPlace(producer, [&] { producer.setDpsInitOperand(0, alloc); });
    if (overwritten->use_empty())
      rewriter.eraseOp(overwritten);
    return;
  }
  rewriter.setInsertionPoint(op);
  auto copy = bufferization::AllocTensorOp::create(rewriter, op->getLoc(), type, ValueRange{},
                                                   value, Value(), space);
  rewriter.modifyOpInPlace(op, [&] { input.set(copy); });
  used += bytes;
}

void PromoteOperandsPass::promoteIn(scf::ForallOp forall) {
  IRRewriter rewriter(&getContext());
  SmallVector<linalg::LinalgOp> contractions;
  forall.getBody()->walk([&](linalg::LinalgOp op) {
    auto tileable = dyn_cast<TilingInterface>(op.getOperation());
    if (tileable && op.hasPureTensorSemantics() && workKindOf(tileable) == WorkKind::Contraction)
      contractions.push_back(op);
  });
  int64_t used = bytesInUse(forall);
  for (linalg::LinalgOp op : contractions)
    for (OpOperand *input : op.getDpsInputOperands())
      if (isa<RankedTensorType>(input->get().getType()))
        promote(rewriter, *input, used);
}

} // namespace
} // namespace fuselage
