#include "core/ir/ops/ElementBounds.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace fuselage {

/// The function whose argument a value is; null if it is none.
static FunctionOpInterface functionOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp())
                           : FunctionOpInterface();
  bool isOne = function && argument.getOwner()->isEntryBlock() && argument.getArgNumber() < function.getNumArguments();
  return isOne ? function : FunctionOpInterface();
}

std::optional<ElementBounds> elementBounds(Value argument) {
  FunctionOpInterface function = functionOf(argument);
  if (!function)
    return std::nullopt;
  auto pair = function.getArgAttrOfType<DenseI64ArrayAttr>(cast<BlockArgument>(argument).getArgNumber(),
                                                          kElementBoundsAttr);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  return ElementBounds{.least = pair[0], .greatest = pair[1]};
}

bool narrowElementBounds(Value argument, ElementBounds bounds) {
  FunctionOpInterface function = functionOf(argument);
  if (!function)
    return false;
  ElementBounds known = elementBounds(argument).value_or(ElementBounds());
  int64_t pair[] = {std::max(known.least, bounds.least), std::min(known.greatest, bounds.greatest)};
  function.setArgAttr(cast<BlockArgument>(argument).getArgNumber(), kElementBoundsAttr,
                      DenseI64ArrayAttr::get(argument.getContext(), pair));
  return true;
}

} // namespace fuselage
