#include "core/codegen/host/Passes.h"
#include "core/transforms/gpu/MathExpansion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTMATHPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {

namespace {

struct HostMath : impl::HostMathPassBase<HostMath> {
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

} // namespace fuselage
