#include "core/run/reference/UnwrittenReads.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Follows one piece of fresh memory.
class Follower {
public:
  /// The first op that reads it.
  Operation *read(Value memory) {
    follow(memory);
    while (!pending_.empty() && !reader_) {
      Value value = pending_.pop_back_val();
      for (OpOperand &use : value.getUses())
        if (!reader_)
          visit(use);
    }
    return reader_;
  }

private:
  void follow(Value value) {
    if (seen_.insert(value).second)
      pending_.push_back(value);
  }
  void followAll(ValueRange values) {
    for (Value value : values)
      follow(value);
  }
  void visit(OpOperand &use);
  void visitTerminator(OpOperand &use);

  llvm::SmallPtrSet<Value, 16> seen_;
  SmallVector<Value> pending_;
  Operation *reader_ = nullptr;
};

} // namespace

void Follower::visit(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto structured = llvm::dyn_cast<linalg::LinalgOp>(op)) {
    if (structured.payloadUsesValueFromOperand(&use))
      reader_ = op;
    return;
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return visitTerminator(use);
  if (llvm::isa<tensor::DimOp, memref::DimOp, tensor::RankOp, memref::DeallocOp>(op))
    return;
  if (llvm::isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp,
                tensor::InsertSliceOp, tensor::InsertOp, tensor::ConcatOp, bufferization::MaterializeInDestinationOp>(
          op))
    return followAll(op->getResults());
  if (auto parallel = llvm::dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    if (&use == &parallel.getSourceMutable())
      follow(parallel.getTiedOpResult());
    return;
  }
  if (auto loop = llvm::dyn_cast<LoopLikeOpInterface>(op))
    if (BlockArgument inside = loop.getTiedLoopRegionIterArg(&use)) {
      follow(inside);
      if (OpResult outside = loop.getTiedLoopResult(&use))
        follow(outside);
      return;
    }
  if (auto loop = llvm::dyn_cast<scf::WhileOp>(op)) {
    follow(loop.getBeforeArguments()[number]);
    return;
  }
  // Destinations of what is not structured (pack, unpack, softmax) are written.
  if (auto destination = llvm::dyn_cast<DestinationStyleOpInterface>(op); destination && destination.isDpsInit(&use))
    return;
  if (auto attention = llvm::dyn_cast<flow::AttentionOp>(op); attention && &use == &attention.getInitMutable())
    return;
  reader_ = op;
}

void Follower::visitTerminator(OpOperand &use) {
  Operation *op = use.getOwner(), *parent = op->getParentOp();
  unsigned number = use.getOperandNumber();
  if (auto branch = llvm::dyn_cast<BranchOpInterface>(op)) {
    if (auto argument = branch.getSuccessorBlockArgument(number))
      return follow(*argument);
  } else if (auto condition = llvm::dyn_cast<scf::ConditionOp>(op); condition && number > 0) {
    auto loop = llvm::cast<scf::WhileOp>(parent);
    follow(loop.getAfterArguments()[number - 1]);
    return follow(loop.getResult(number - 1));
  } else if (auto loop = llvm::dyn_cast<scf::WhileOp>(parent); loop && llvm::isa<scf::YieldOp>(op)) {
    return follow(loop.getBeforeArguments()[number]);
  } else if (llvm::isa<scf::YieldOp, flow::ReturnOp>(op) && number < parent->getNumResults()) {
    return follow(parent->getResult(number));
  }
  reader_ = op; // a function's return: the memory is what the caller gets
}

/// The values that start out with whatever memory held.
static Value freshMemory(Operation *op) {
  if (auto alloc = llvm::dyn_cast<bufferization::AllocTensorOp>(op))
    return alloc.getCopy() ? Value() : alloc.getResult();
  return llvm::isa<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(op) ? op->getResult(0) : Value();
}

std::optional<UnwrittenRead> findUnwrittenRead(func::FuncOp function) {
  std::optional<UnwrittenRead> found;
  function.walk([&](Operation *op) {
    Value memory = freshMemory(op);
    // What a memref's uses write is not followed.
    Operation *reader = !memory ? nullptr : llvm::isa<MemRefType>(memory.getType()) ? op : Follower().read(memory);
    if (!reader)
      return WalkResult::advance();
    found = UnwrittenRead{.reader = reader, .memory = op};
    return WalkResult::interrupt();
  });
  return found;
}

std::string describe(const UnwrittenRead &read) {
  auto place = [](Operation *op) { return formatPosition(positionOf(op)); };
  auto name = [](Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; };
  std::string text = "the module reads uninitialised memory: " + name(read.reader);
  if (std::string at = place(read.reader); !at.empty())
    text += " (" + at + ")";
  if (read.reader == read.memory)
    return text + " makes memory that is not written before it is read";
  text += llvm::isa<func::ReturnOp>(read.reader) ? " returns what the " : " reads what the ";
  text += name(read.memory);
  if (std::string at = place(read.memory); !at.empty())
    text += " at " + at;
  return text + " holds by chance";
}

} // namespace fuselage
