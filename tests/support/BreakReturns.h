// A pass that leaves a module which does not verify, to see who notices.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

namespace fuselage::test {

/// Takes the operands of every return away.
struct BreakReturns : mlir::PassWrapper<BreakReturns, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BreakReturns)
  llvm::StringRef getArgument() const override { return "test-break-returns"; }
  llvm::StringRef getDescription() const override { return "take the operands of every return away"; }
  void runOnOperation() override {
    getOperation().walk([](mlir::func::ReturnOp op) { op->setOperands({}); });
  }
};

inline void registerBreakReturns() { static const mlir::PassRegistration<BreakReturns> registration; }

} // namespace fuselage::test
