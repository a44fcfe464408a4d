#include "core/ir/ops/ElementBounds.h"
#include "core/ir/ops/FunctionArgument.h"

using namespace mlir;

namespace fuselage {

std::optional<ElementBounds> elementBounds(Value argument) {
  FunctionOpInterface function = functionOfArgument(argument);
  if (!function)
    return std::nullopt;
  auto pair =
      function.getArgAttrOfType<DenseI64ArrayAttr>(cast<BlockArgument>(argument).getArgNumber(), kElementBoundsAttr);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  return ElementBounds{.least = pair[0], .greatest = pair[1]};
}

bool narrowElementBounds(Value argument, ElementBounds bounds) {
  FunctionOpInterface function = functionOfArgument(argument);
  if (!function)
    return false;
  ElementBounds known = elementBounds(argument).value_or(ElementBounds());
  int64_t pair[] = {std::max(known.least, bounds.least), std::min(known.greatest, bounds.greatest)};
  function.setArgAttr(cast<BlockArgument>(argument).getArgNumber(), kElementBoundsAttr,
                      DenseI64ArrayAttr::get(argument.getContext(), pair));
  return true;
}

} // namespace fuselage
