#include "core/graph/build/ScopeHints.h"
#include "core/graph/model/GraphNames.h"

using namespace mlir;

namespace fuselage {

std::string parameterOf(Operation *op, const DecodedOp &decoded) {
  if (decoded.role == OpRole::GlobalLoad)
    return asUtf8(decoded.symbol);
  if (op->getName().getStringRef() == "ml_program.global_load_const" ||
      op->getName().getStringRef() == "ml_program.global_load")
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
