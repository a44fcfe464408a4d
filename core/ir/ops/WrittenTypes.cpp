#include "core/ir/ops/WrittenTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace fuselage {

static Type asUnsigned(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer)
    return type;
  Type element = IntegerType::get(type.getContext(), integer.getWidth(), IntegerType::Unsigned);
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

Type writtenType(BlockArgument argument) {
  auto function = dyn_cast_or_null<func::FuncOp>(argument.getOwner()->getParentOp());
  bool isUnsigned = function && argument.getOwner()->isEntryBlock() &&
                    function.getArgAttr(argument.getArgNumber(), kUnsignedAttr);
  return isUnsigned ? asUnsigned(argument.getType()) : argument.getType();
}

Type writtenResultType(func::FuncOp function, unsigned index) {
  Type type = function.getResultTypes()[index];
  return function.getResultAttr(index, kUnsignedAttr) ? asUnsigned(type) : type;
}

} // namespace fuselage
