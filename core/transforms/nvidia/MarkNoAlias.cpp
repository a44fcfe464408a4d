#include "core/transforms/nvidia/CarriedRegisters.h"
#include "core/transforms/nvidia/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"

namespace fuselage {
#define GEN_PASS_DEF_MARKNOALIASPASS
#include "core/transforms/nvidia/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// What holds the elements that a view shows.
Value baseOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto viewLike = dyn_cast<ViewLikeOpInterface>(op))
      view = viewLike.getViewSource();
    else if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op); cast && cast.getInputs().size() == 1)
      view = cast.getInputs().front();
    else
      break;
  }
  return view;
}

/// Whether it is memory of its own: an allocation, or an argument of a function, each of which has its own buffer.
bool isOwnMemory(Value base) {
  if (auto argument = dyn_cast<BlockArgument>(base))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp>(base.getDefiningOp());
}

/// The operands of a launch that share their memory with no other operand. Of what is not known to be memory of its
/// own, each may be a part.
llvm::BitVector distinctOperands(gpu::LaunchFuncOp launch) {
  llvm::BitVector distinct(launch.getNumKernelOperands());
  llvm::DenseMap<Value, SmallVector<unsigned>> usesOf;
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    Value base = baseOf(operand);
    if (!isa<BaseMemRefType>(base.getType()))
      continue;
    if (!isOwnMemory(base))
      return llvm::BitVector(launch.getNumKernelOperands());
    usesOf[base].push_back(index);
  }
  for (const auto &[base, uses] : usesOf)
    if (uses.size() == 1)
      distinct.set(uses.front());
  return distinct;
}

/// Loads that move ahead hold registers, of which a thread that is full of results has none.
bool isFullOfResults(gpu::GPUFuncOp kernel) {
  return kernel
      ->walk([](scf::ForOp loop) {
        return registersHeldIn(loop) >= kFullOfResults ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct MarkNoAlias : fuselage::impl::MarkNoAliasPassBase<MarkNoAlias> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::MapVector<gpu::GPUFuncOp, llvm::BitVector> marked;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
      if (!kernel || isFullOfResults(kernel))
        return;
      llvm::BitVector distinct = distinctOperands(launch);
      auto [entry, isFirst] = marked.try_emplace(kernel, distinct);
      if (!isFirst)
        entry->second &= distinct;
    });
    for (auto &[kernel, distinct] : marked)
      for (unsigned index : distinct.set_bits())
        kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), UnitAttr::get(&getContext()));
  }
};

} // namespace
