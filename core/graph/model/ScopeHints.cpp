#include "core/graph/model/ScopeHints.h"
#include "core/graph/model/GraphNames.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace fuselage {

std::string parameterOf(BlockArgument argument) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return "";
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "fuselage.parameter");
  if (!name)
    return "";
  auto [scope, key] = name.getValue().split("::");
  return asUtf8((key.empty() ? scope : key).str());
}

std::string parameterOf(Operation *op, const DecodedOp &decoded) {
  if (decoded.role == OpRole::GlobalLoad)
    return asUtf8(decoded.symbol);
  if (op->getName().getStringRef() == "ml_program.global_load_const" || op->getName().getStringRef() == "ml_program.global_load")
    if (auto symbol = op->getAttrOfType<SymbolRefAttr>("global"))
      return asUtf8(symbol.getLeafReference().str());
  return "";
}

std::string placeInModel(Location location) {
  std::string place;
  location->walk([&](Location inner) {
    auto named = dyn_cast<NameLoc>(inner);
    if (!named || !named.getName().getValue().contains('/'))
      return WalkResult::advance();
    place = asUtf8(named.getName().str());
    return WalkResult::interrupt();
  });
  return place;
}

} // namespace fuselage
