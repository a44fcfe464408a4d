// Indices that affine maps compute.
#include "core/emulator/Decoder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

namespace fuselage::emulator {
namespace {

/// What an expression gives of the operands of its map, dimensions first.
ElementId expand(Decoder &decoder, AffineExpr expression, ArrayRef<ElementId> operands, unsigned dimensions) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return decoder.constant(uint64_t(constant.getValue()));
  if (auto dimension = dyn_cast<AffineDimExpr>(expression))
    return operands[dimension.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[dimensions + symbol.getPosition()];
  auto both = cast<AffineBinaryOpExpr>(expression);
  ElementId a = expand(decoder, both.getLHS(), operands, dimensions),
            b = expand(decoder, both.getRHS(), operands, dimensions);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return decoder.add(a, b);
  case AffineExprKind::Mul:
    return decoder.multiply(a, b);
  case AffineExprKind::FloorDiv:
    return decoder.emitWord("arith.floordivsi", a, b);
  case AffineExprKind::CeilDiv:
    return decoder.emitWord("arith.ceildivsi", a, b);
  default: // what is left of it, never negative
    return decoder.emitWord("arith.subi", a, decoder.multiply(decoder.emitWord("arith.floordivsi", a, b), b));
  }
}

} // namespace

llvm::Expected<bool> decodeAffine(Decoder &decoder, Operation *op) {
  AffineMap map;
  llvm::StringRef choose;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    map = apply.getAffineMap();
  } else if (auto least = dyn_cast<affine::AffineMinOp>(op)) {
    map = least.getMap();
    choose = "arith.minsi";
  } else if (auto most = dyn_cast<affine::AffineMaxOp>(op)) {
    map = most.getMap();
    choose = "arith.maxsi";
  } else {
    return false;
  }
  SmallVector<ElementId> operands;
  for (Value operand : op->getOperands())
    operands.push_back(decoder.elementOf(operand));
  std::optional<ElementId> result;
  for (AffineExpr expression : map.getResults()) {
    ElementId next = expand(decoder, expression, operands, map.getNumDims());
    result = result ? decoder.emitWord(choose, *result, next) : next;
  }
  decoder.alias(op->getResult(0), {*result});
  return true;
}

} // namespace fuselage::emulator
