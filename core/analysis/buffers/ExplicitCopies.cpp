#include "core/analysis/buffers/ExplicitCopies.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Whether `op` computes nothing: it yields its only input, element by element.
bool onlyYields(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || !llvm::hasSingleElement(*op.getBlock()) ||
      op.getNumParallelLoops() != op.getNumLoops())
    return false;
  auto yielded = dyn_cast<BlockArgument>(op.getBlock()->getTerminator()->getOperand(0));
  return yielded && yielded.getArgNumber() == 0 && yielded.getOwner() == op.getBlock() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
}

std::optional<ExplicitCopy> asCopy(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return ExplicitCopy{.op = op, .source = copy.getSource(), .destination = copy.getTarget()};
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!isa<linalg::CopyOp>(op) && !(generic && onlyYields(generic)))
    return std::nullopt;
  auto structured = cast<linalg::LinalgOp>(op);
  Value source = structured.getDpsInputs().front(), destination = structured.getDpsInits().front();
  auto from = dyn_cast<BaseMemRefType>(source.getType()), to = dyn_cast<BaseMemRefType>(destination.getType());
  if (!from || !to || from.getElementType() != to.getElementType()) // linalg.copy may convert
    return std::nullopt;
  return ExplicitCopy{.op = op, .source = source, .destination = destination};
}

/// What a view is a view of.
Value baseOf(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      buffer = view.getViewSource();
    else if (auto cast = dyn_cast<CastOpInterface>(op); cast && op->getNumOperands() == 1)
      buffer = op->getOperand(0);
    else
      break;
  }
  return buffer;
}

/// Reads and writes of one buffer by one op.
struct BaseAccess {
  bool reads = false, writes = false;
};

BaseAccess accessOf(Operation *op, Value base) {
  BaseAccess access;
  auto touches = [&](Value value) { return isa<BaseMemRefType>(value.getType()) && baseOf(value) == base; };
  if (op->getNumRegions() > 0 && !isa<linalg::LinalgOp>(op))
    return access; // the ops in it say it
  if (isa<ViewLikeOpInterface, CastOpInterface, memref::DimOp, memref::DeallocOp>(op) ||
      llvm::none_of(op->getOperands(), touches))
    return access;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    for (OpOperand &operand : op->getOpOperands())
      if (touches(operand.get())) {
        access.reads |= structured.payloadUsesValueFromOperand(&operand);
        access.writes |= structured.isDpsInit(&operand);
      }
    return access;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return {.reads = true, .writes = !isa<func::ReturnOp>(op)};
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  for (const MemoryEffects::EffectInstance &effect : found)
    if (!effect.getValue() || touches(effect.getValue())) {
      access.reads |= isa<MemoryEffects::Read>(effect.getEffect());
      access.writes |= isa<MemoryEffects::Write>(effect.getEffect());
    }
  return access;
}

/// Finds out what becomes of one copy.
class Judge {
public:
  Judge(ExplicitCopy &copy, ArrayRef<Operation *> after) : copy_(copy), after_(after) {}

  void run() {
    Value source = baseOf(copy_.source), destination = baseOf(copy_.destination);
    Operation *sourceWriter = nullptr, *destinationWriter = nullptr;
    bool sourceIsRead = isSeenOutside(source), destinationIsRead = isSeenOutside(destination);
    for (Operation *op : after_) {
      BaseAccess ofSource = accessOf(op, source), ofDestination = accessOf(op, destination);
      sourceIsRead |= ofSource.reads;
      destinationIsRead |= ofDestination.reads;
      if (ofDestination.reads && !copy_.reader && !destinationWriter)
        copy_.reader = op;
      if (ofSource.writes && !sourceWriter)
        sourceWriter = op;
      if (ofDestination.writes && !destinationWriter)
        destinationWriter = op;
    }
    copy_.writer = destinationWriter ? destinationWriter : sourceWriter;
    copy_.reason = judge(source, destination, sourceWriter, destinationWriter, sourceIsRead, destinationIsRead);
  }

private:
  /// The caller has it, or gets it.
  static bool isSeenOutside(Value base) {
    return isa<BlockArgument>(base) || base.getDefiningOp<memref::GetGlobalOp>() ||
           llvm::any_of(base.getUsers(), [](Operation *user) { return isa<func::ReturnOp>(user); });
  }

  BufferReason judge(Value source, Value destination, Operation *sourceWriter, Operation *destinationWriter,
                     bool sourceIsRead, bool destinationIsRead) const {
    auto space = [](Value value) { return cast<BaseMemRefType>(value.getType()).getMemorySpace(); };
    if (source != destination && space(copy_.source) != space(copy_.destination))
      return BufferReason::Explicit; // into a faster memory, or out of it
    if (!destinationIsRead)
      return BufferReason::UnreadCopy;
    if ((destinationWriter && sourceIsRead) || sourceWriter)
      return BufferReason::ReadAfterWrite;
    if (isSeenOutside(destination))
      return isSeenOutside(source) ? BufferReason::DataMovement : BufferReason::ResultCopy;
    return BufferReason::UnneededCopy;
  }

  ExplicitCopy &copy_;
  ArrayRef<Operation *> after_; ///< what may run afterwards
};

/// The outermost loop around an op, in whose other iterations everything in it may run afterwards; null: there is none.
Operation *outermostLoop(Operation *op) {
  Operation *loop = nullptr;
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
    if (isa<LoopLikeOpInterface>(around))
      loop = around;
  return loop;
}

} // namespace

std::vector<ExplicitCopy> explicitCopies(ModuleOp module) {
  std::vector<ExplicitCopy> copies;
  module.walk([&](FunctionOpInterface function) {
    SmallVector<Operation *> ops;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (auto [index, op] : llvm::enumerate(ops)) {
      std::optional<ExplicitCopy> copy = asCopy(op);
      if (!copy)
        continue;
      SmallVector<Operation *> after = llvm::to_vector(ArrayRef<Operation *>(ops).drop_front(index + 1));
      if (Operation *loop = outermostLoop(op))
        for (Operation *before : ArrayRef<Operation *>(ops).take_front(index))
          if (loop->isProperAncestor(before))
            after.push_back(before);
      Judge(*copy, after).run();
      copies.push_back(*copy);
    }
  });
  return copies;
}

} // namespace fuselage
