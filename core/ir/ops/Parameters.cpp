#include "core/ir/ops/Parameters.h"
#include "core/ir/ops/FunctionArgument.h"

using namespace mlir;

namespace fuselage {

static StringAttr addressOf(Value value) {
  FunctionOpInterface function = functionOfArgument(value);
  return function ? function.getArgAttrOfType<StringAttr>(cast<BlockArgument>(value).getArgNumber(), kParameterAttr)
                  : StringAttr();
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
