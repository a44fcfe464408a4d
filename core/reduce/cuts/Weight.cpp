#include "core/reduce/cuts/Cuts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cmath>

using namespace mlir;

namespace fuselage {
namespace {

/// Small beside an op, and smaller for smaller sizes. f32 and i32 are what everybody reads most easily.
double weightOf(Type type) {
  double weight = 1;
  if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
    for (int64_t size : shaped.getShape())
      weight += ShapedType::isDynamic(size) ? 2 : 0.1 * std::log2(double(size) + 1);
  Type element = getElementTypeOrSelf(type);
  const bool isUsual = element.isF32() || element.isInteger(32) || element.isInteger(1) || element.isIndex();
  return weight + (isUsual ? 0 : 0.5);
}

/// Whether an attribute says nothing: an op's own that is dropped gets its default.
bool isNoFlag(Attribute attribute) {
  if (auto flags = dyn_cast<arith::FastMathFlagsAttr>(attribute))
    return flags.getValue() == arith::FastMathFlags::none;
  if (auto flags = dyn_cast<arith::IntegerOverflowFlagsAttr>(attribute))
    return flags.getValue() == arith::IntegerOverflowFlags::none;
  if (auto flags = dyn_cast<LLVM::FastmathFlagsAttr>(attribute))
    return flags.getValue() == LLVM::FastmathFlags::none;
  return false;
}

/// Of constants with several values, that they have.
double weightOf(Attribute attribute) {
  auto elements = dyn_cast<ElementsAttr>(attribute);
  return elements && !elements.isSplat() ? 1 + std::log2(double(elements.getNumElements()) + 1) : 0;
}

} // namespace

unsigned countOpsIn(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *) { ++count; });
  return count - 1;
}

double weightOf(ModuleOp module) {
  constexpr double ofOp = 100, ofArgument = 5, ofUse = 1, ofAttribute = 1, ofPosition = 0.01;
  double weight = 0;
  module.walk([&](Operation *op) {
    weight += ofOp;
    for (NamedAttribute attribute : op->getAttrs())
      weight += isNoFlag(attribute.getValue()) ? 0 : ofAttribute + weightOf(attribute.getValue());
    for (Type type : op->getResultTypes())
      weight += weightOf(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          weight += ofArgument + weightOf(argument.getType());
    for (Value operand : op->getOperands()) {
      weight += ofUse;
      // Of two arguments, the first one: merging them is a step forward.
      if (auto argument = dyn_cast<BlockArgument>(operand))
        weight += ofPosition * argument.getArgNumber();
    }
  });
  return weight;
}

} // namespace fuselage
