#include "core/codegen/host/HostMath.h"
#include "core/transforms/gpu/MathExpansion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace fuselage {

namespace {

struct HostMath : PassWrapper<HostMath, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostMath)
  StringRef getArgument() const override { return "fuselage-host-math"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect>();
  }
  void runOnOperation() override;

private:
  Value callLibrary(OpBuilder &builder, Operation *op, StringRef name);
};

} // namespace

/// The result of the library's function on the op's operand.
Value HostMath::callLibrary(OpBuilder &builder, Operation *op, StringRef name) {
  Type type = op->getResult(0).getType();
  std::string symbol = (name + (type.isF32() ? "f" : "")).str();
  if (!getOperation().lookupSymbol(symbol)) {
    OpBuilder top(getOperation().getBodyRegion());
    func::FuncOp::create(top, op->getLoc(), symbol, top.getFunctionType(type, type)).setPrivate();
  }
  return func::CallOp::create(builder, op->getLoc(), symbol, type, op->getOperands()).getResult(0);
}

void HostMath::runOnOperation() {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) {
    if (llvm::isa<math::ExpM1Op, math::Log1pOp, math::IsInfOp, math::IsNormalOp, math::ClampFOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    auto type = llvm::dyn_cast<FloatType>(op->getOperand(0).getType());
    bool isCall = llvm::isa<math::ExpM1Op, math::Log1pOp>(op);
    if (!type || (isCall && !type.isF32() && !type.isF64()))
      continue;
    OpBuilder builder(op);
    Value result = isCall ? callLibrary(builder, op, llvm::isa<math::ExpM1Op>(op) ? "expm1" : "log1p") : expandMath(op);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}

std::unique_ptr<Pass> createHostMathPass() { return std::make_unique<HostMath>(); }

} // namespace fuselage
