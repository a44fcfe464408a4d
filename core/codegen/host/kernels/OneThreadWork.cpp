#include "core/codegen/host/kernels/OneThreadWork.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace fuselage {
namespace {

class Collector {
public:
  explicit Collector(ArrayRef<ParallelCall> calls) {
    for (const ParallelCall &call : calls) {
      tasks_.insert(call.tasks);
      (call.isShared() ? shared_ : single_).insert(call.all);
    }
  }

  std::vector<OneThreadWork> run(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>())
      if (!tasks_.contains(function.getName()))
        for (Block &block : function.getBody())
          collect(block);
    return std::move(work_);
  }

private:
  void collect(Block &block);
  /// Whether threads share some of what it does.
  bool isShared(Operation *op) const {
    return op
        ->walk([&](func::CallOp call) {
          return shared_.contains(call.getCallee()) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
  void add(Operation &op, std::string name) {
    work_.push_back({.op = std::move(name), .place = positionOf(op.getLoc())});
  }

  llvm::StringSet<> tasks_, shared_, single_;
  std::vector<OneThreadWork> work_;
};

} // namespace

static bool isCopy(Operation &op) {
  auto generic = llvm::dyn_cast<linalg::GenericOp>(op);
  return llvm::isa<memref::CopyOp, linalg::CopyOp>(op) ||
         (generic && generic.getNumDpsInputs() == 1 && generic.getNumDpsInits() == 1 &&
          llvm::hasSingleElement(*generic.getBody()) &&
          generic.getBody()->getTerminator()->getOperand(0) == generic.getBody()->getArgument(0));
}

/// Numbers beside each other, that are read, computed or written at once.
static bool isOnVectors(Operation &op) {
  auto isVector = [](Type type) {
    auto vector = llvm::dyn_cast<VectorType>(type);
    return vector && vector.getNumElements() > 1;
  };
  return !op.hasTrait<OpTrait::ConstantLike>() &&
         (llvm::any_of(op.getOperandTypes(), isVector) || llvm::any_of(op.getResultTypes(), isVector));
}

void Collector::collect(Block &block) {
  bool hasVectors = false;
  for (Operation &op : block) {
    auto structured = llvm::dyn_cast<linalg::LinalgOp>(op);
    auto call = llvm::dyn_cast<func::CallOp>(op);
    if (isCopy(op))
      add(op, "a copy");
    else if (structured && structured.getNumLoops() == 0)
      continue;
    else if (structured || (llvm::isa<LoopLikeOpInterface>(op) && !isShared(&op)))
      add(op, op.getName().getStringRef().str());
    else if (call && single_.contains(call.getCallee()))
      add(op, "a single task");
    else if (isOnVectors(op) && !std::exchange(hasVectors, true))
      add(op, op.getName().getStringRef().str());
    for (Region &region : op.getRegions())
      if (!structured && (!llvm::isa<LoopLikeOpInterface>(op) || isShared(&op)))
        for (Block &inner : region)
          collect(inner);
  }
}

std::vector<OneThreadWork> workOnOneThread(ModuleOp module, ArrayRef<ParallelCall> calls) {
  return Collector(calls).run(module);
}

} // namespace fuselage
