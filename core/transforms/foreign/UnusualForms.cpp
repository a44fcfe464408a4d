#include "core/transforms/foreign/UnusualForms.h"
#include "core/ir/ops/CollectOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

/// A tensor.expand_shape whose result's type says less than the op.
static bool isVague(Operation *op) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  return expand && ArrayRef<int64_t>(expand.getResultType().getShape()) != expand.getStaticOutputShape();
}

/// The value of a constant of LLVM's that arith has, too.
static TypedAttr numberOf(Operation *op) {
  auto constant = dyn_cast<LLVM::ConstantOp>(op);
  auto value = constant ? dyn_cast<TypedAttr>(constant.getValue()) : TypedAttr();
  return value && value.getType() == constant.getType() && value.getType().isIntOrFloat() ? value : TypedAttr();
}

bool isUnusualForm(Operation *op) { return isVague(op) || numberOf(op); }

static void sharpen(tensor::ExpandShapeOp op) {
  OpBuilder builder(op);
  Type element = op.getResultType().getElementType();
  ArrayRef<int64_t> shape = op.getStaticOutputShape();
  SmallVector<int64_t> source(op.getSrcType().getShape());
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t product = 1;
    for (int64_t part : group)
      product = ShapedType::isDynamic(product) || ShapedType::isDynamic(shape[part]) ? ShapedType::kDynamic
                                                                                     : product * shape[part];
    if (ShapedType::isDynamic(source[dim]))
      source[dim] = product;
  }
  auto castTo = [&](Value value, Type type) {
    return value.getType() == type ? value : tensor::CastOp::create(builder, op.getLoc(), type, value).getResult();
  };
  Value sharpSource = castTo(op.getSrc(), RankedTensorType::get(source, element, op.getSrcType().getEncoding()));
  Value sharp = tensor::ExpandShapeOp::create(builder, op.getLoc(), RankedTensorType::get(shape, element), sharpSource,
                                              op.getReassociationIndices(), op.getMixedOutputShape());
  op.getResult().replaceAllUsesWith(castTo(sharp, op.getResultType()));
  op.erase();
}

void replaceUnusualForms(ModuleOp module) {
  for (Operation *op : collectOps(module, isUnusualForm)) {
    if (TypedAttr number = numberOf(op)) {
      OpBuilder builder(op);
      op->replaceAllUsesWith(arith::ConstantOp::create(builder, op->getLoc(), number));
      op->erase();
    } else {
      sharpen(cast<tensor::ExpandShapeOp>(op));
    }
  }
}

} // namespace fuselage
