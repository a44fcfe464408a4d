#include "core/ir/ops/Parameters.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace fuselage {

static StringAttr addressOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp())
                           : FunctionOpInterface();
  if (!function || !argument.getOwner()->isEntryBlock() || argument.getArgNumber() >= function.getNumArguments())
    return {};
  return function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kParameterAttr);
}

bool isParameter(Value value) { return static_cast<bool>(addressOf(value)); }

std::string parameterAddress(Value value) {
  StringAttr address = addressOf(value);
  return address ? address.str() : std::string();
}

std::string parameterName(Value value) {
  std::string address = parameterAddress(value);
  size_t scope = address.find("::");
  return scope == std::string::npos ? address : address.substr(scope + 2);
}

} // namespace fuselage
