#include "core/runtime/HostMath.h"
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

static Value constantOf(OpBuilder &builder, Location loc, FloatType type, const APFloat &value) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
}

static Value compare(OpBuilder &builder, Location loc, arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
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
    Location loc = op->getLoc();
    Value result;
    if (llvm::isa<math::ExpM1Op>(op)) {
      result = callLibrary(builder, op, "expm1");
    } else if (llvm::isa<math::Log1pOp>(op)) {
      result = callLibrary(builder, op, "log1p");
    } else if (auto clamp = llvm::dyn_cast<math::ClampFOp>(op)) {
      Value below = arith::MinimumFOp::create(builder, loc, clamp.getValue(), clamp.getMax());
      result = arith::MaximumFOp::create(builder, loc, below, clamp.getMin());
    } else {
      const llvm::fltSemantics &semantics = type.getFloatSemantics();
      Value size = math::AbsFOp::create(builder, loc, op->getOperand(0));
      Value infinity = constantOf(builder, loc, type, APFloat::getInf(semantics));
      if (llvm::isa<math::IsInfOp>(op)) {
        result = compare(builder, loc, arith::CmpFPredicate::OEQ, size, infinity);
      } else {
        Value least = constantOf(builder, loc, type, APFloat::getSmallestNormalized(semantics));
        result = arith::AndIOp::create(builder, loc, compare(builder, loc, arith::CmpFPredicate::OGE, size, least),
                                       compare(builder, loc, arith::CmpFPredicate::OLT, size, infinity));
      }
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}

std::unique_ptr<Pass> createHostMathPass() { return std::make_unique<HostMath>(); }

} // namespace fuselage
